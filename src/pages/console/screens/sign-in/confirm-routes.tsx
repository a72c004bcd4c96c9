import { noteProof } from "../../../../db/people/sessions.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { KEPT_FORM, openForm } from "../../kept-form.ts";
import { authOf } from "../../people/auth.ts";
import { consolePath } from "../../people/console-path.ts";
import { countFailedProof } from "../../people/own-actions.ts";
import { requireSession } from "../../people/require-member.ts";
import { textsOf } from "../../texts.ts";
import { confirmPage } from "./pages.tsx";
import { verifyCode } from "./verify-code.ts";

/** The second factor again, within a session. A form that waited for it is sent on. */
export function confirmScreen(app: ConsoleApp): void {
  app.get("/confirm", requireSession, (c) =>
    confirmPage(c, { next: consolePath(c.req.query("next")) }),
  );
  app.post("/confirm", requireSession, confirm);
}

async function confirm(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const sealed = form(KEPT_FORM);
  const waiting = sealed === "" ? null : await openForm(c, sealed);
  const next = waiting?.page ?? consolePath(form("next"));
  const { env } = c.env.outer;
  const { sessionId, userId, hasAuthenticator, hasSecondFactor } = c.get("session");
  await enforceRateLimit(c.env.outer, "signIns", userId);
  const isProved = hasAuthenticator
    ? (await verifyCode(c, form("code"))).ok
    : !hasSecondFactor && (await isPassword(c, form("password")));
  if (isProved) {
    const now = c.env.outer.get("deps").platformClock.now();
    await noteProof(env, sessionId, now, now);
    // 307 sends this post on, whose kept form takes its place there.
    return waiting === null ? c.redirect(next, 303) : c.redirect(waiting.path, 307);
  }
  const hasEnded = await countFailedProof(c);
  if (hasEnded) return c.redirect("/console/sign-in", 303);
  const { codeRefused, passwordRefused } = textsOf(c).signIn;
  const refused = hasSecondFactor ? codeRefused : passwordRefused;
  const kept = waiting === null ? {} : { kept: { sealed, path: waiting.path } };
  return confirmPage(c, { next, status: 401, refused, ...kept });
}

async function isPassword(c: ConsoleContext, password: string): Promise<boolean> {
  const { api } = await authOf(c);
  const answer = await api.verifyPassword({
    body: { password },
    headers: c.req.raw.headers,
    asResponse: true,
  });
  return answer.ok;
}
