import { findCompany } from "../../../../db/companies/companies.ts";
import { findInvitation } from "../../../../db/people/invitations.ts";
import { newUuid } from "../../../../domain/shared/ids.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { authOf, endCurrentSession, letIn } from "../../people/auth.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../people/password-length.ts";
import { hashPassword } from "../../people/passwords.ts";
import { findProvedSession } from "../../people/session.ts";
import { join } from "./join.ts";
import { endedPage, knownPersonPage, newPersonPage } from "./pages.tsx";

const NAME_MAX = 100;

/** The link of an invitation. Whoever holds it has no session yet, so it has no scope and no API. */
export function invitationScreen(app: ConsoleApp): void {
  app.get("/invitation/:token", (c) => show(c));
  app.post("/invitation/:token", (c) => accept(c));
}

async function show(c: ConsoleContext): Promise<Response> {
  const found = await invitedBy(c);
  if (found === null) return endedPage(c);
  const { invited, userId } = found;
  if (userId === null) return newPersonPage(c, invited);
  const session = await findProvedSession(c);
  return knownPersonPage(c, invited, {
    isSignedIn: session?.userId === userId,
    signIn: signInPath(c),
  });
}

async function accept(c: ConsoleContext): Promise<Response> {
  const found = await invitedBy(c);
  if (found === null) return endedPage(c);
  const { invitation, invited, userId } = found;
  if (userId !== null) {
    const session = await findProvedSession(c);
    if (session?.userId !== userId) return c.redirect(signInPath(c), 303);
    const joined = await join(c, invitation, { userId, name: session.name, password: null });
    return joined ? c.redirect("/console", 303) : endedPage(c);
  }
  const form = await formOf(c);
  const [name, password] = [form("name").trim().slice(0, NAME_MAX), form("password")];
  if (name === "") return newPersonPage(c, invited, { problem: "nameMissing" });
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    return newPersonPage(c, invited, { name, problem: "passwordLength" });
  }
  const joined = await join(c, invitation, {
    userId: newUuid(c.env.outer.get("deps").random),
    name,
    password: await hashPassword(password),
  });
  return joined ? enter(c, { email: invited.email, password }) : endedPage(c);
}

/** Lets a person in by the password that was just chosen, so that nobody types it again; if refused, by the sign-in. */
async function enter(
  c: ConsoleContext,
  body: { email: string; password: string },
): Promise<Response> {
  const { api } = await authOf(c);
  const answer = await api.signInEmail({ body, headers: c.req.raw.headers, asResponse: true });
  if (!answer.ok) return c.redirect("/console/sign-in", 303);
  await endCurrentSession(c);
  await letIn(c, answer, "password");
  return c.redirect("/console", 303);
}

/** The open invitation of the link, with what its page shows; null if there is none. */
async function invitedBy(c: ConsoleContext) {
  const { outer } = c.env;
  const tokenHash = await sha256Hex(c.req.param("token") ?? "");
  await enforceRateLimit(outer, "signIns", tokenHash);
  const now = outer.get("deps").platformClock.now();
  const found = await findInvitation(outer.env, tokenHash, now);
  if (found === null) return null;
  const company = await findCompany(outer.env, found.invitation.companyId);
  if (company === null) return null;
  const { email, role } = found.invitation;
  return { ...found, invited: { companyName: company.name, email, role } };
}

function signInPath(c: ConsoleContext): string {
  return `/console/sign-in?next=${encodeURIComponent(c.req.path)}`;
}
