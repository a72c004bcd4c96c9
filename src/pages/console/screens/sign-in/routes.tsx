import { senderOf } from "../../../../http/client-address.ts";
import { enforceRateLimit, isWithinRateLimit } from "../../../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { authOf, endCurrentSession, letIn, passCookies } from "../../people/auth.ts";
import { chooseCompany, remember } from "../../people/choices.ts";
import { consolePath } from "../../people/console-path.ts";
import { knownDevice } from "../../people/known-device.ts";
import { requireSession } from "../../people/require-member.ts";
import { COMPANY_COOKIE, OPERATOR_CHOICE, findSession } from "../../people/session.ts";
import { noteRefusedSignIn } from "../../people/sign-in-trail.ts";
import { type Language, LANGUAGE_COOKIE, LANGUAGES, textsOf } from "../../texts.ts";
import { codePage, signInPage } from "./pages.tsx";
import { signOutHere } from "./sign-out.ts";
import { personOfSignIn, verifyCode } from "./verify-code.ts";

/** Signing in and out, and what a person chooses for this browser: language and company. */
export function signInScreen(app: ConsoleApp): void {
  app.get("/sign-in", (c) => signInPage(c, { next: consolePath(c.req.query("next")) }));
  app.post("/sign-in", signIn);
  app.get("/sign-in/code", (c) => codePage(c, { next: consolePath(c.req.query("next")) }));
  app.post("/sign-in/code", proveCode);
  app.post("/sign-out", signOut);
  app.post("/language", chooseLanguage);
  app.post("/company", requireSession, switchCompany);
}

async function signIn(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const [email, next] = [form("email").trim().toLowerCase(), consolePath(form("next"))];
  await countPassword(c, email);
  const { api } = await authOf(c);
  const answer = await api.signInEmail({
    body: { email, password: form("password") },
    headers: c.req.raw.headers,
    asResponse: true,
  });
  if (!answer.ok) {
    noteRefusedSignIn(c, { email }, "PASSWORD_REFUSED");
    // Of an unknown e-mail, a malformed one and a wrong password the same.
    return signInPage(c, { email, next, status: 401, refused: textsOf(c).signIn.refused });
  }
  // The password begins a session of its own; the one before would live on unseen.
  await endCurrentSession(c);
  const { twoFactorRedirect } = await answer.json<{ twoFactorRedirect?: boolean }>();
  if (twoFactorRedirect === true) {
    passCookies(c, answer);
    return c.redirect(`/console/sign-in/code?next=${encodeURIComponent(next)}`, 303);
  }
  await letIn(c, answer, "password");
  return c.redirect(next, 303);
}

/**
 * Counts a password before its costly hash. Beyond a limit throws 429, and what one limit refused counts under no
 * other. A browser in which the person signed in before has a limit of its own.
 */
async function countPassword(c: ConsoleContext, email: string): Promise<void> {
  const { outer } = c.env;
  const device = await knownDevice(c, email);
  if (device === null) await enforceRateLimit(outer, "signInAddress", senderOf(outer));
  const emailHash = await sha256Hex(email);
  try {
    if (device === null) await enforceRateLimit(outer, "signIns", emailHash);
    else await enforceRateLimit(outer, "knownDevice", device);
  } catch (error) {
    // Noting costs more than refusing, so it has a limit too.
    if (await isWithinRateLimit(outer, "signIns", `locked:${emailHash}`)) {
      noteRefusedSignIn(c, { email }, "TOO_MANY_PASSWORDS");
    }
    throw error;
  }
}

async function proveCode(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const next = consolePath(form("next"));
  // Within a session better-auth counts no wrong codes; the confirmation does.
  if ((await findSession(c)) !== null) {
    return c.redirect(`/console/confirm?next=${encodeURIComponent(next)}`, 303);
  }
  const waiting = await personOfSignIn(c);
  const answer = await verifyCode(c, form("code"));
  if (answer.ok) {
    await letIn(c, answer, "code");
    return c.redirect(next, 303);
  }
  if (waiting !== null) {
    const reason = answer.status === 429 ? "TOO_MANY_CODES" : "CODE_REFUSED";
    noteRefusedSignIn(c, { userId: waiting }, reason);
  }
  passCookies(c, answer);
  const texts = textsOf(c).signIn;
  return answer.status === 429
    ? codePage(c, { next, status: 429, refused: texts.codeLocked })
    : codePage(c, { next, status: 401, refused: texts.codeRefused });
}

async function signOut(c: ConsoleContext): Promise<Response> {
  await signOutHere(c);
  return c.redirect("/console/sign-in", 303);
}

async function chooseLanguage(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const language = form("language");
  if (LANGUAGES.includes(language as Language)) remember(c, LANGUAGE_COOKIE, language);
  return c.redirect(consolePath(form("back")), 303);
}

async function switchCompany(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const { memberships, operator } = c.get("session");
  if (form("company") === OPERATOR_CHOICE && operator !== null) {
    remember(c, COMPANY_COOKIE, OPERATOR_CHOICE);
    return c.redirect("/console/operator", 303);
  }
  const companyId = Number(form("company"));
  const isTheirs = memberships.some((one) => one.companyId === companyId);
  if (!isTheirs) return c.notFound();
  chooseCompany(c, companyId);
  return c.redirect("/console", 303);
}
