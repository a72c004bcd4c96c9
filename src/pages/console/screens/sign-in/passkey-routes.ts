import { endOtherSessions, endSession, noteProof } from "../../../../db/people/sessions.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import { senderOf } from "../../../../http/client-address.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { authOf, letIn, passCookies } from "../../people/auth.ts";
import { auditedOwnAction, recordOwnAction } from "../../people/own-actions.ts";
import { requireSession } from "../../people/require-member.ts";
import { requireFreshUnlessFirst } from "../../people/require-second-factor.ts";
import { findSession } from "../../people/session.ts";
import { noteRefusedSignIn } from "../../people/sign-in-trail.ts";

const NAME_MAX = 60;

/** What the browser's script asks for passkeys; JSON, because the browser makes and reads it. */
export function passkeyRoutes(app: ConsoleApp): void {
  app.get("/passkeys/sign-in-options", signInOptions);
  app.post("/passkeys/sign-in", signIn);
  app.get("/passkeys/register-options", requireSession, requireFreshUnlessFirst, registerOptions);
  app.post("/passkeys/register", requireSession, requireFreshUnlessFirst, register);
}

async function signInOptions(c: ConsoleContext): Promise<Response> {
  await enforceRateLimit(c.env.outer, "publicRoutes", senderOf(c.env.outer));
  const { api } = await authOf(c);
  const { headers } = c.req.raw;
  return handOn(c, await api.generatePasskeyAuthenticationOptions({ headers, asResponse: true }));
}

async function signIn(c: ConsoleContext): Promise<Response> {
  const former = await findSession(c);
  const { api } = await authOf(c);
  const body = await c.req.json<{ response?: { id?: unknown } | null }>().catch(() => null);
  if (body === null) return c.json({}, 400);
  const answer = await api.verifyPasskeyAuthentication({
    body: { response: body.response as never },
    headers: c.req.raw.headers,
    asResponse: true,
  });
  if (!answer.ok) {
    const credentialId = body.response?.id;
    if (typeof credentialId === "string") {
      noteRefusedSignIn(c, { credentialId }, "PASSKEY_REFUSED");
    }
    return c.json({}, 401);
  }
  await letIn(c, answer, "passkey");
  // A proof begins a session of its own.
  if (former !== null) {
    await recordOwnAction(c, former, {
      action: "session.end",
      target: `session:${former.sessionId}`,
    });
    await endSession(c.env.outer.env, former.userId, former.sessionId);
  }
  return c.json({});
}

async function registerOptions(c: ConsoleContext): Promise<Response> {
  const { api } = await authOf(c);
  const { headers } = c.req.raw;
  return handOn(c, await api.generatePasskeyRegistrationOptions({ headers, asResponse: true }));
}

async function register(c: ConsoleContext): Promise<Response> {
  const { api } = await authOf(c);
  const body = await c.req.json<{ response: unknown; name?: unknown }>().catch(() => null);
  if (body === null) return c.json({}, 400);
  const name = typeof body.name === "string" ? body.name.slice(0, NAME_MAX) : "";
  const { sessionId, userId, hasSecondFactor } = c.get("session");
  const added = { action: "passkey.add", target: `person:${userId}` };
  const answer = await auditedOwnAction(c, added, () =>
    api.verifyPasskeyRegistration({
      body: { response: body.response, ...(name === "" ? {} : { name }) },
      headers: c.req.raw.headers,
      asResponse: true,
    }),
  );
  if (!answer.ok) return c.json({}, 400);
  const { env } = c.env.outer;
  const now = c.env.outer.get("deps").platformClock.now();
  // Until now a password proved enough; no session that knows no more than that goes on.
  if (!hasSecondFactor) await endOtherSessions(env, userId, sessionId);
  await noteProof(env, sessionId, now, now);
  return c.json({});
}

/** better-auth's own answer, with its challenge's cookie. */
async function handOn(c: ConsoleContext, answer: Response): Promise<Response> {
  if (!answer.ok) return c.json({}, 401);
  passCookies(c, answer);
  return c.json(await answer.json());
}
