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
import { limitCallbacks } from "../../http/rate-limits/enforce.ts";
import { timingSafeEqual, sha256Hex } from "../../lib/hash.ts";
import { processDeferred, handleNotifications } from "./notifications.ts";
import { CallbackAccepted } from "./schemas.ts";
import { companyOfCallbackToken } from "./token.ts";

const callback = callbackRoute("/callbacks/pix-api/{callbackToken}");
/** PSPs append `/pix` to the registered URL (BACEN Pix API 2.9.0). */
const pixCallback = callbackRoute("/callbacks/pix-api/{callbackToken}/pix");

function callbackRoute<Path extends string>(path: Path) {
  return createRoute({
    method: "post",
    path,
    summary: "Receive a callback of a company's PSP",
    description:
      "For PSPs only; the registered URL contains the token. The body is not trusted: the gateway queries " +
      "the PSP about what it names.",
    tags: ["Provider callbacks"],
    middleware: [limitCallbacks, callbackBody] as const,
    request: { params: z.object({ callbackToken: z.string() }) },
    responses: {
      200: jsonResponse("The PSP has confirmed it, or will be queried about it", CallbackAccepted),
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

/** Queries the PSP before the response and, about what there was no time for, after it. */
async function receiveCallback(c: AppContext, token: string): Promise<void> {
  const { company, account } = await requireReceiver(c, token);
  const deps = c.get("deps");
  const deferred = await handleNotifications(c.env, deps, { company, account }, await anyJson(c));
  if (deferred.length > 0)
    c.executionCtx.waitUntil(processDeferred(c.env, deps, { company, account }, deferred));
}

/**
 * The company and account of a callback token: the current account or, for a while, a former one. Throws the
 * same 404 for every invalid token, and 403 without a required client certificate.
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

/** Reads the former accounts only if the token is not the current account's. */
async function findCallingAccount(
  c: AppContext,
  { company, account }: CallbackReceiver,
  presentedHash: string,
) {
  if (timingSafeEqual(account.callbackTokenHash, presentedHash)) return account;
  const former = await listCallbackAccounts(c.env, company.id, c.get("deps").clock.now());
  return former.find((each) => timingSafeEqual(each.callbackTokenHash, presentedHash)) ?? null;
}

/** Cloudflare's verdict on the client certificate; present on zones with mTLS. */
function hasVerifiedCertificate(request: Request): boolean {
  const { tlsClientAuth } = (request.cf ?? {}) as Partial<IncomingRequestCfProperties>;
  return (
    tlsClientAuth?.certPresented === "1" &&
    tlsClientAuth.certVerified === "SUCCESS" &&
    tlsClientAuth.certRevoked === "0"
  );
}
