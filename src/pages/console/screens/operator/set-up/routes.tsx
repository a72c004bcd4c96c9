import { findSignInLink, isEmailTaken } from "../../../../../db/operator/sign-in-links.ts";
import { newUuid } from "../../../../../domain/shared/ids.ts";
import { EMAIL_MAX } from "../../../../../http/fields/fields.ts";
import { enforceRateLimit } from "../../../../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../../../../lib/hash.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { formOf } from "../../../form.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../../people/password-length.ts";
import { hashPassword } from "../../../people/passwords.ts";
import { findProvedSession } from "../../../people/session.ts";
import { endedPage, setUpPage } from "./pages.tsx";
import { useLink } from "./use-link.ts";

const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;

/** The link by which an operator comes to the console. Whoever holds it has no session yet, so it has no API. */
export function setUpScreen(app: ConsoleApp): void {
  app.get("/operator/set-up/:token", (c) => show(c));
  app.post("/operator/set-up/:token", (c) => accept(c));
}

async function show(c: ConsoleContext): Promise<Response> {
  const found = await linkOf(c);
  if (found === null) return endedPage(c);
  return setUpPage(c, found.operator, { session: await findProvedSession(c) });
}

async function accept(c: ConsoleContext): Promise<Response> {
  const found = await linkOf(c);
  if (found === null) return endedPage(c);
  const { tokenHash, operator } = found;
  const session = await findProvedSession(c);
  const form = await formOf(c);
  if (form("account") === "mine") {
    if (session === null) return c.redirect(c.req.path, 303);
    if (session.operator !== null && session.operator.clientId !== operator.clientId) {
      return setUpPage(c, operator, { session, problem: "otherOperator" });
    }
    const { userId } = session;
    const isLinked = await useLink(c, tokenHash, operator, { userId, isNew: false });
    return isLinked ? c.redirect("/console/operator", 303) : endedPage(c);
  }
  const [email, password] = [form("email").trim().toLowerCase(), form("password")];
  const typed = { session, email };
  if (email.length > EMAIL_MAX || !EMAIL.test(email)) {
    return setUpPage(c, operator, { ...typed, problem: "emailInvalid" });
  }
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    return setUpPage(c, operator, { ...typed, problem: "passwordLength" });
  }
  // The link alone opens nobody's account: its person must sign in.
  if (await isEmailTaken(c.env.outer.env, email)) {
    return setUpPage(c, operator, { ...typed, problem: "emailTaken" });
  }
  const isLinked = await useLink(c, tokenHash, operator, {
    userId: newUuid(c.env.outer.get("deps").random),
    isNew: true,
    name: operator.name,
    email,
    password: await hashPassword(password),
  });
  return isLinked ? c.redirect("/console/sign-in?next=%2Fconsole%2Foperator", 303) : endedPage(c);
}

/** The open link's operator; null if there is none. */
async function linkOf(c: ConsoleContext) {
  const { outer } = c.env;
  const tokenHash = await sha256Hex(c.req.param("token") ?? "");
  await enforceRateLimit(outer, "signIns", tokenHash);
  const now = outer.get("deps").platformClock.now();
  const operator = await findSignInLink(outer.env, tokenHash, now);
  return operator === null ? null : { tokenHash, operator };
}
