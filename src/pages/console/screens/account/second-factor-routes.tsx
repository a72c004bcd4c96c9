import { endOtherSessions } from "../../../../db/people/sessions.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { authOf, passProvedSession } from "../../people/auth.ts";
import { auditedOwnAction, countFailedProof } from "../../people/own-actions.ts";
import { requireSession } from "../../people/require-member.ts";
import {
  requireFreshSecondFactor,
  requireFreshUnlessFirst,
} from "../../people/require-second-factor.ts";
import { verifyAppCode } from "../sign-in/verify-code.ts";
import { codesPage, passwordPage, secretPage } from "./second-factor-pages.tsx";

const SET_UP = { does: "setUp", action: "/console/second-factor" } as const;
const CODES = { does: "newCodes", action: "/console/second-factor/codes" } as const;
const REMOVE = { does: "remove", action: "/console/second-factor/remove" } as const;
/** What the form carries only to show the secret again; the stored one is proved. */
const OTP_URI = /^otpauth:\/\/totp\/.{1,400}$/;

/** An authenticator app's set-up, which comes before all else for some roles, its removal and recovery codes. */
export function secondFactorScreen(app: ConsoleApp): void {
  app.use("/second-factor", requireSession, requireFreshUnlessFirst);
  app.get("/second-factor", (c) => passwordPage(c, SET_UP));
  app.post("/second-factor", begin);
  app.post("/second-factor/finish", requireSession, requireFreshUnlessFirst, finish);
  app.use("/second-factor/codes", requireSession, requireFreshSecondFactor);
  app.get("/second-factor/codes", (c) => passwordPage(c, CODES));
  app.post("/second-factor/codes", makeCodes);
  app.use("/second-factor/remove", requireSession, requireFreshSecondFactor);
  app.get("/second-factor/remove", (c) => passwordPage(c, REMOVE));
  app.post("/second-factor/remove", remove);
}

async function begin(c: ConsoleContext): Promise<Response> {
  const { api } = await authOf(c);
  const answer = await api.enableTwoFactor({ ...(await passwordOf(c)), asResponse: true });
  if (!answer.ok) return refused(c, SET_UP);
  const { totpURI } = await answer.json<{ totpURI: string }>();
  return secretPage(c, { uri: totpURI });
}

async function finish(c: ConsoleContext): Promise<Response> {
  const session = c.get("session");
  // What is set up is not set up again: the answer would show its recovery codes without the password.
  if (session.hasAuthenticator) return c.redirect("/console/account", 303);
  const form = await formOf(c);
  const added = { action: "authenticator.add", target: `person:${session.userId}` };
  const answer = await auditedOwnAction(c, added, () => verifyAppCode(c, form("code")));
  if (!answer.ok) {
    const uri = form("uri");
    if (!OTP_URI.test(uri)) return c.redirect(SET_UP.action, 303);
    return secretPage(c, { uri, isRefused: true });
  }
  const begun = await passProvedSession(c, answer, c.env.outer.get("deps").platformClock.now());
  const { userId } = session;
  // Until now a password proved enough; no session that knows no more than that goes on.
  if (!session.hasSecondFactor) {
    await endOtherSessions(c.env.outer.env, userId, begun ?? session.sessionId);
  }
  const { api } = await authOf(c);
  const { backupCodes } = await api.viewBackupCodes({ body: { userId } });
  return codesPage(c, backupCodes);
}

async function makeCodes(c: ConsoleContext): Promise<Response> {
  const { api } = await authOf(c);
  const password = await passwordOf(c);
  const made = { action: "recoveryCodes.create", target: `person:${c.get("session").userId}` };
  const answer = await auditedOwnAction(c, made, () =>
    api.generateBackupCodes({ ...password, asResponse: true }),
  );
  if (!answer.ok) return refused(c, CODES);
  const { backupCodes } = await answer.json<{ backupCodes: string[] }>();
  return codesPage(c, backupCodes);
}

async function remove(c: ConsoleContext): Promise<Response> {
  const { api } = await authOf(c);
  const password = await passwordOf(c);
  const removed = { action: "authenticator.remove", target: `person:${c.get("session").userId}` };
  const answer = await auditedOwnAction(c, removed, () =>
    api.disableTwoFactor({ ...password, asResponse: true }),
  );
  if (!answer.ok) return refused(c, REMOVE);
  await passProvedSession(c, answer, c.get("session").secondFactorAt);
  return c.redirect("/console/account?done=app-removed", 303);
}

/** What better-auth wants before it changes a second factor. Tries are counted for the person. */
async function passwordOf(c: ConsoleContext) {
  await enforceRateLimit(c.env.outer, "signIns", c.get("session").userId);
  const form = await formOf(c);
  return { body: { password: form("password") }, headers: c.req.raw.headers };
}

async function refused(
  c: ConsoleContext,
  form: typeof SET_UP | typeof CODES | typeof REMOVE,
): Promise<Response> {
  const hasEnded = await countFailedProof(c);
  if (hasEnded) return c.redirect("/console/sign-in", 303);
  return passwordPage(c, { ...form, isRefused: true });
}
