import { canSendEmail } from "../../../../api/emails/send.ts";
import { findPerson } from "../../../../db/people/people.ts";
import { executionContextOf } from "../../../../http/auth/internal-retry.ts";
import { senderOf } from "../../../../http/client-address.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import { errorFields, log } from "../../../../lib/log.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { authOf } from "../../people/auth.ts";
import { recordOwnAction } from "../../people/own-actions.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../people/password-length.ts";
import { takeRecoveryCode } from "../../people/recovery-codes.ts";
import { makeResetToken, RESET_LINK_SECONDS } from "../../people/reset-token.ts";
import { noteRefusedSignIn } from "../../people/sign-in-trail.ts";
import { askedPage, askPage, endedLinkPage, newPasswordPage } from "./pages.tsx";

/**
 * A new password by a link that the person's e-mail gets, or somebody of the team gives: once, within 30 minutes. Or
 * by a recovery code. All sessions end. The second factor stays, so who reads the e-mail alone does not come in.
 */
export function passwordResetScreen(app: ConsoleApp): void {
  app.get("/password-reset", (c) => askPage(c, { canSend: canSendEmail(c.env.outer.env) }));
  app.post("/password-reset", ask);
  app.post("/password-reset/recovery", recover);
  app.get("/password-reset/:token", async (c) =>
    (await personOfLink(c)) === null ? endedLinkPage(c) : newPasswordPage(c),
  );
  app.post("/password-reset/:token", setPassword);
}

async function ask(c: ConsoleContext): Promise<Response> {
  const { outer } = c.env;
  const form = await formOf(c);
  const email = form("email").trim().toLowerCase();
  await enforceRateLimit(outer, "signInAddress", senderOf(outer));
  await enforceRateLimit(outer, "signIns", await sha256Hex(`reset:${email}`));
  if (!canSendEmail(outer.env)) return askPage(c, { canSend: false });
  // After the answer: its time tells nothing about an e-mail.
  const sent = send(c, email).catch((error: unknown) =>
    log("warn", "password_reset_not_sent", {
      ...errorFields(error),
      traceId: outer.get("traceId"),
    }),
  );
  executionContextOf(outer)?.waitUntil(sent);
  return askedPage(c);
}

async function send(c: ConsoleContext, email: string): Promise<void> {
  const { api } = await authOf(c);
  await api.requestPasswordReset({ body: { email } });
}

async function setPassword(c: ConsoleContext): Promise<Response> {
  const person = await personOfLink(c);
  if (person === null) return endedLinkPage(c);
  const form = await formOf(c);
  const newPassword = form("password");
  if (!isLongEnough(newPassword)) return newPasswordPage(c, { isWrong: true });
  const target = `person:${person.userId}`;
  await recordOwnAction(c, person, { action: "password.reset", target });
  const { api } = await authOf(c);
  const token = c.req.param("token") ?? "";
  const answer = await api.resetPassword({ body: { newPassword, token }, asResponse: true });
  return answer.ok ? c.redirect("/console/sign-in", 303) : endedLinkPage(c);
}

/** Sets a new password by a recovery code, which it takes. Every refused code and e-mail gets the same answer. */
async function recover(c: ConsoleContext): Promise<Response> {
  const { outer } = c.env;
  const form = await formOf(c);
  const email = form("email").trim().toLowerCase();
  const newPassword = form("password");
  const canSend = canSendEmail(outer.env);
  await enforceRateLimit(outer, "signInAddress", senderOf(outer));
  await enforceRateLimit(outer, "signIns", await sha256Hex(`recovery:${email}`));
  if (!isLongEnough(newPassword)) return askPage(c, { canSend, email, refused: "password" });
  const userId = await takeRecoveryCode(c, { email, code: form("code").replaceAll(/\s/g, "") });
  const person = userId === null ? null : await findPerson(outer.env, { userId });
  if (person === null) {
    noteRefusedSignIn(c, { email }, "CODE_REFUSED");
    return askPage(c, { canSend, email, refused: "code" });
  }
  const target = `person:${person.userId}`;
  await recordOwnAction(c, person, { action: "password.reset", target, reason: "RECOVERY_CODE" });
  const token = await makeResetToken(c, person.userId);
  const { api } = await authOf(c);
  await api.resetPassword({ body: { newPassword, token } });
  return c.redirect("/console/sign-in", 303);
}

const isLongEnough = ({ length }: string) => length >= PASSWORD_MIN && length <= PASSWORD_MAX;

/**
 * The person of an open link; null for one that is used, over or wrong, and once the person got a role since: a colleague
 * who made the link decided about the rights of then, and would come into those that somebody else gave.
 */
async function personOfLink(c: ConsoleContext) {
  const { outer } = c.env;
  const token = c.req.param("token") ?? "";
  await enforceRateLimit(outer, "signIns", await sha256Hex(token));
  const { internalAdapter } = await (await authOf(c)).$context;
  const found = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  if (found === null || found.expiresAt.getTime() <= outer.get("deps").platformClock.now())
    return null;
  const person = await findPerson(outer.env, { userId: found.value });
  const madeAt = found.expiresAt.getTime() - RESET_LINK_SECONDS * 1_000;
  return person?.memberships.some(({ standing }) => standing.since > madeAt) === true
    ? null
    : person;
}
