import {
  endOtherSessions,
  endSession,
  listPasskeys,
  listSessions,
  removePasskey,
} from "../../../../db/people/sessions.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { authOf, passProvedSession } from "../../people/auth.ts";
import { rememberDevice } from "../../people/known-device.ts";
import { auditedOwnAction, recordOwnAction } from "../../people/own-actions.ts";
import { requireMember, requireMemberOrOperator } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshUnlessFirst } from "../../people/require-second-factor.ts";
import { textsOf } from "../../texts.ts";
import { accountPage } from "./pages.tsx";
import { chooseOwnPin, ownPin } from "./pin.tsx";

/** A person's own account. Not of a company, so the API knows nothing of it. */
export function accountScreen(app: ConsoleApp): void {
  app.get("/account", requireMemberOrOperator, async (c) => accountPage(c, await rowsOf(c)));
  app.post("/account/password", requireMemberOrOperator, requireFreshUnlessFirst, changePassword);
  app.post(
    "/account/pin",
    requireMember,
    requirePermission("cashier:write"),
    requireFreshUnlessFirst,
    choosePin,
  );
  app.post("/account/sessions/end", requireMemberOrOperator, endOneSession);
  app.post("/account/sessions/end-others", requireMemberOrOperator, endTheOthers);
  app.post(
    "/account/passkeys/remove",
    requireMemberOrOperator,
    requireFreshUnlessFirst,
    forgetPasskey,
  );
}

async function endOneSession(c: ConsoleContext): Promise<Response> {
  const [form, session] = [await formOf(c), c.get("session")];
  const { env } = c.env.outer;
  const rows = await listSessions(env, session.userId, nowOf(c));
  // Only one of his own: no trail takes a text that somebody made up.
  const ended = rows.find(({ id }) => id === form("id"));
  if (ended !== undefined) {
    await recordOwnAction(c, session, { action: "session.end", target: `session:${ended.id}` });
    await endSession(env, session.userId, ended.id);
  }
  return c.redirect("/console/account?done=ended", 303);
}

async function endTheOthers(c: ConsoleContext): Promise<Response> {
  const session = c.get("session");
  await recordOwnAction(c, session, { action: "session.end", target: "session:others" });
  await endOtherSessions(c.env.outer.env, session.userId, session.sessionId);
  return c.redirect("/console/account?done=ended", 303);
}

async function forgetPasskey(c: ConsoleContext): Promise<Response> {
  const [form, session] = [await formOf(c), c.get("session")];
  const { env } = c.env.outer;
  const rows = await listPasskeys(env, session.userId);
  const removed = rows.find(({ id }) => id === form("id"));
  if (removed !== undefined) {
    const action = { action: "passkey.remove", target: `passkey:${removed.id}` };
    await recordOwnAction(c, session, action);
    await removePasskey(env, session.userId, removed.id);
  }
  return c.redirect("/console/account?done=passkey-removed", 303);
}

async function choosePin(c: ConsoleContext): Promise<Response> {
  if (await chooseOwnPin(c)) return c.redirect("/console/account?done=pin", 303);
  return accountPage(c, { ...(await rowsOf(c)), isPinRefused: true, status: 400 });
}

async function rowsOf(c: ConsoleContext) {
  const { env } = c.env.outer;
  const { userId } = c.get("session");
  const now = nowOf(c);
  const [sessions, passkeys, hasPin] = await Promise.all([
    listSessions(env, userId, now),
    listPasskeys(env, userId),
    ownPin(c),
  ]);
  return { sessions, passkeys, hasPin };
}

async function changePassword(c: ConsoleContext): Promise<Response> {
  await enforceRateLimit(c.env.outer, "signIns", c.get("session").userId);
  const form = await formOf(c);
  const { api } = await authOf(c);
  const { userId } = c.get("session");
  const answer = await auditedOwnAction(
    c,
    { action: "password.change", target: `person:${userId}` },
    () =>
      api.changePassword({
        body: {
          currentPassword: form("current"),
          newPassword: form("new"),
          revokeOtherSessions: true,
        },
        headers: c.req.raw.headers,
        asResponse: true,
      }),
  );
  if (!answer.ok) {
    const { passwordRefused } = textsOf(c).account;
    return accountPage(c, { ...(await rowsOf(c)), passwordRefused, status: 401 });
  }
  await passProvedSession(c, answer, c.get("session").secondFactorAt);
  await rememberDevice(c, userId);
  return c.redirect("/console/account?done=password", 303);
}

const nowOf = (c: ConsoleContext) => c.env.outer.get("deps").platformClock.now();
