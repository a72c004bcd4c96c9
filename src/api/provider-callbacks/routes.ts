import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import {
  findCallbackReceiver,
  type CallbackReceiver,
} from "../../db/companies/company-providers.ts";
import { listCallbackAccounts } from "../../db/companies/former-accounts.ts";
import { anyJson, callbackBody } from "../../http/body.ts";
import type { AppContext } from "../../http/context.ts";
import { jsonResponse, publicProblemResponses } from "../../http/openapi/openapi.ts";
import { forbidden, notFound } from "../../http/problems.ts";
import { timingSafeEqual, sha256Hex } from "../../lib/hash.ts";
import { processDeferred, handleNotifications } from "./notifications.ts";
import { CallbackAccepted } from "./schemas.ts";
import { companyOfCallbackToken } from "./token.ts";

const callback = callbackRoute("/callbacks/pix-api/{callbackToken}");
/** What PSPs append to the URL that they were told (BACEN Pix API 2.9.0). */
const pixCallback = callbackRoute("/callbacks/pix-api/{callbackToken}/pix");

function callbackRoute<Path extends string>(path: Path) {
  return createRoute({
    method: "post",
    path,
    summary: "Take a callback of a company's PSP",
    description:
      "For PSPs only; the token is in the URL that they were told. Nothing of the body is believed: " +
      "what it names is read back from the PSP.",
    tags: ["Provider callbacks"],
    middleware: [callbackBody] as const,
    request: { params: z.object({ callbackToken: z.string() }) },
    responses: {
      200: jsonResponse("It was read back, or is kept and will be", CallbackAccepted),
      ...publicProblemResponses("MALFORMED_JSON", "FORBIDDEN", "NOT_FOUND", "BODY_TOO_LARGE"),
    },
  });
}

export function callbackRoutes(app: Api): void {
  app.openapi(callback, async (c) => {
    await receiveCallback(c, c.req.valid("param").callbackToken);
    return c.json({ ok: true as const }, 200);
  });
  app.openapi(pixCallback, async (c) => {
    await receiveCallback(c, c.req.valid("param").callbackToken);
    return c.json({ ok: true as const }, 200);
  });
}

/** Reads back what came before it answers; what it did not come to is kept and read back afterwards. */
async function receiveCallback(c: AppContext, token: string): Promise<void> {
  const { company, account } = await requireReceiver(c, token);
  const deps = c.get("deps");
  const deferred = await handleNotifications(c.env, deps, { company, account }, await anyJson(c));
  if (deferred.length > 0)
    c.executionCtx.waitUntil(processDeferred(c.env, deps, { company, account }, deferred));
}

/**
 * The company whose token it is, and which of its accounts calls back: the present one or, for a while, one
 * that was left. Throws one and the same 404 whatever is wrong with it.
 */
async function requireReceiver(c: AppContext, token: string) {
  const companyId = companyOfCallbackToken(token);
  if (companyId === null) throw notFound("callback");
  const [receiver, presentedHash] = await Promise.all([
    findCallbackReceiver(c.env, companyId),
    sha256Hex(token),
  ]);
  if (receiver === null) throw notFound("callback");
  const account = await findCallingAccount(c, receiver, presentedHash);
  if (account === null) throw notFound("callback");
  if (account.settings.requireClientCertificate && !hasVerifiedCertificate(c.req.raw)) {
    throw forbidden("This callback needs a client certificate.");
  }
  return { company: receiver.company, account: account.account };
}

/** The former ones are asked for only where it is not the present one. */
async function findCallingAccount(
  c: AppContext,
  { company, account }: CallbackReceiver,
  presentedHash: string,
) {
  if (timingSafeEqual(account.callbackTokenHash, presentedHash)) return account;
  const former = await listCallbackAccounts(c.env, company.id, c.get("deps").clock.now());
  return former.find((each) => timingSafeEqual(each.callbackTokenHash, presentedHash)) ?? null;
}

/** What Cloudflare says of the client certificate, on a zone that asks for one (mTLS). */
function hasVerifiedCertificate(request: Request): boolean {
  const { tlsClientAuth } = (request.cf ?? {}) as Partial<IncomingRequestCfProperties>;
  return (
    tlsClientAuth?.certPresented === "1" &&
    tlsClientAuth.certVerified === "SUCCESS" &&
    tlsClientAuth.certRevoked === "0"
  );
}
