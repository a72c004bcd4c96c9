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
import { requirePersonOrOperator } from "../../people/require-person.ts";
import { requireFreshUnlessFirst } from "../../people/require-second-factor.ts";
import { textsOf } from "../../texts.ts";
import { accountPage } from "./pages.tsx";

/** A person's own account. Not of a company, so the API knows nothing of it. */
export function accountScreen(app: ConsoleApp): void {
  app.get("/account", requirePersonOrOperator, async (c) => accountPage(c, await rowsOf(c)));
  app.post("/account/password", requirePersonOrOperator, requireFreshUnlessFirst, changePassword);
  app.post("/account/sessions/end", requirePersonOrOperator, async (c) => {
    const form = await formOf(c);
    await endSession(c.env.outer.env, c.get("session").userId, form("id"));
    return c.redirect("/console/account?done=ended", 303);
  });
  app.post("/account/sessions/end-others", requirePersonOrOperator, async (c) => {
    const { userId, sessionId } = c.get("session");
    await endOtherSessions(c.env.outer.env, userId, sessionId);
    return c.redirect("/console/account?done=ended", 303);
  });
  app.post(
    "/account/passkeys/remove",
    requirePersonOrOperator,
    requireFreshUnlessFirst,
    async (c) => {
      const form = await formOf(c);
      await removePasskey(c.env.outer.env, c.get("session").userId, form("id"));
      return c.redirect("/console/account?done=passkey-removed", 303);
    },
  );
}

async function rowsOf(c: ConsoleContext) {
  const { env } = c.env.outer;
  const { userId } = c.get("session");
  const now = c.env.outer.get("deps").clock.now();
  const [sessions, passkeys] = await Promise.all([
    listSessions(env, userId, now),
    listPasskeys(env, userId),
  ]);
  return { sessions, passkeys };
}

async function changePassword(c: ConsoleContext): Promise<Response> {
  await enforceRateLimit(c.env.outer, "signIns", c.get("session").userId);
  const form = await formOf(c);
  const { api } = await authOf(c);
  const answer = await api.changePassword({
    body: {
      currentPassword: form("current"),
      newPassword: form("new"),
      revokeOtherSessions: true,
    },
    headers: c.req.raw.headers,
    asResponse: true,
  });
  if (!answer.ok) {
    const { passwordRefused } = textsOf(c).account;
    return accountPage(c, { ...(await rowsOf(c)), passwordRefused, status: 401 });
  }
  await passProvedSession(c, answer, c.get("session").secondFactorAt);
  return c.redirect("/console/account?done=password", 303);
}
