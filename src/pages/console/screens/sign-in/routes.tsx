import { deleteCookie, setCookie } from "hono/cookie";
import { endSession } from "../../../../db/people/sessions.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { authOf, passCookies, passProvedSession } from "../../people/auth.ts";
import { consolePath } from "../../people/console-path.ts";
import { recordOwnAction } from "../../people/own-actions.ts";
import { requireSession } from "../../people/require-person.ts";
import {
  COMPANY_COOKIE,
  OPERATOR_CHOICE,
  findSession,
  hasSecureCookies,
  sessionCookieName,
} from "../../people/session.ts";
import { LANGUAGE_COOKIE, LANGUAGES, textsOf, type Language } from "../../texts.ts";
import { codePage, signInPage } from "./pages.tsx";
import { verifyCode } from "./verify-code.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Signing in and out, and what a person chooses for this browser: language and company. */
export function signInScreen(app: ConsoleApp): void {
  app.get("/sign-in", (c) => signInPage(c, { next: consolePath(c.req.query("next")) }));
  app.post("/sign-in", signIn);
  app.get("/sign-in/code", (c) => codePage(c, { next: consolePath(c.req.query("next")) }));
  app.post("/sign-in/code", proveCode);
  app.post("/sign-out", signOut);
  app.post("/language", chooseLanguage);
  app.post("/company", requireSession, chooseCompany);
}

async function signIn(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const [email, next] = [form("email").trim().toLowerCase(), consolePath(form("next"))];
  await enforceRateLimit(c.env.outer, "signIns", await sha256Hex(email));
  const { api } = await authOf(c);
  const answer = await api.signInEmail({
    body: { email, password: form("password") },
    headers: c.req.raw.headers,
    asResponse: true,
  });
  if (!answer.ok) {
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
  await passProvedSession(c, answer, null);
  return c.redirect(next, 303);
}

async function proveCode(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const next = consolePath(form("next"));
  // Within a session better-auth counts no wrong codes; the confirmation does.
  if ((await findSession(c)) !== null) {
    return c.redirect(`/console/confirm?next=${encodeURIComponent(next)}`, 303);
  }
  const answer = await verifyCode(c, form("code"));
  if (answer.ok) {
    await passProvedSession(c, answer, c.env.outer.get("deps").clock.now());
    return c.redirect(next, 303);
  }
  passCookies(c, answer);
  const texts = textsOf(c).signIn;
  return answer.status === 429
    ? codePage(c, { next, status: 429, refused: texts.codeLocked })
    : codePage(c, { next, status: 401, refused: texts.codeRefused });
}

async function signOut(c: ConsoleContext): Promise<Response> {
  await endCurrentSession(c);
  deleteCookie(c, sessionCookieName(c), { path: "/console", secure: hasSecureCookies(c) });
  return c.redirect("/console/sign-in", 303);
}

async function endCurrentSession(c: ConsoleContext): Promise<void> {
  const session = await findSession(c);
  if (session === null) return;
  const { userId, sessionId } = session;
  await recordOwnAction(c, session, { action: "session.end", target: `session:${sessionId}` });
  await endSession(c.env.outer.env, userId, sessionId);
}

async function chooseLanguage(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const language = form("language");
  if (LANGUAGES.includes(language as Language)) remember(c, LANGUAGE_COOKIE, language);
  return c.redirect(consolePath(form("back")), 303);
}

async function chooseCompany(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const { memberships, operator } = c.get("session");
  if (form("company") === OPERATOR_CHOICE && operator !== null) {
    remember(c, COMPANY_COOKIE, OPERATOR_CHOICE);
    return c.redirect("/console/operator", 303);
  }
  const companyId = Number(form("company"));
  const isTheirs = memberships.some((one) => one.companyId === companyId);
  if (!isTheirs) return c.notFound();
  remember(c, COMPANY_COOKIE, String(companyId));
  return c.redirect("/console", 303);
}

function remember(c: ConsoleContext, name: string, value: string): void {
  setCookie(c, name, value, {
    path: "/console",
    httpOnly: true,
    sameSite: "Lax",
    secure: hasSecureCookies(c),
    maxAge: YEAR_SECONDS,
  });
}
