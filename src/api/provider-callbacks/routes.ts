import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { createMiddleware } from "hono/factory";
import { isPixApi, type AccountProvider } from "../../domain/psp/psp-account.ts";
import { findCallbackReceiver } from "../../db/companies/psp-accounts.ts";
import { anyJson, callbackBody, jsonOrForm } from "../../http/body.ts";
import type { AppContext, AppEnv } from "../../http/context.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { forbidden, notFound } from "../../http/problems.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { enforceRateLimit, limitCallbacks } from "../../http/rate-limits/enforce.ts";
import { timingSafeEqual, sha256Hex } from "../../lib/hash.ts";
import { keepNotifications, processDeferred, handleNotifications } from "./notifications.ts";
import { CallbackAccepted } from "./schemas.ts";
import { companyOfCallbackToken } from "./token.ts";

const route = routesOf("Provider callbacks", "Public");

/**
 * Authenticates a callback by its token before its body is read. A text that is no token costs nothing; a token
 * is limited before the one read of D1, and all of a company's together after it. Throws the same 404 for every invalid
 * token, 429, and 403 without a required client certificate. A token opens the door of its account's kind only.
 */
const authenticateCallback = (provider: AccountProvider) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const token = c.req.param("callbackToken") ?? "";
    const companyId = companyOfCallbackToken(token);
    if (companyId === null) throw notFound("callback");
    const presented = await sha256Hex(token);
    await enforceRateLimit(c, "callbackToken", presented);
    const receiver = await findCallbackReceiver(
      c.env,
      companyId,
      c.get("deps").platformClock.now(),
    );
    const known = receiver?.tokens.find(
      (each) => timingSafeEqual(each.hash, presented) && each.provider === provider,
    );
    if (receiver === null || known === undefined) throw notFound("callback");
    await enforceRateLimit(c, "callbackToken", `company-${companyId}`);
    const needsCertificate = isPixApi(known) && known.settings.requireClientCertificate;
    if (needsCertificate && !hasVerifiedCertificate(c.req.raw)) {
      throw forbidden("This callback needs a client certificate.");
    }
    c.set("callbackSender", { company: receiver.company, account: known.account });
    await next();
  });

const callback = callbackRoute("PixApi", "/callbacks/pix-api/{callbackToken}", {
  operationId: "receivePixApiCallback",
  summary: "Receive a callback of a company's PSP",
});
/** PSPs append `/pix`, `/rec` or `/cobr` to the registered URL (BACEN Pix API 2.9.0). */
const pixCallback = callbackRoute("PixApi", "/callbacks/pix-api/{callbackToken}/pix", {
  operationId: "receivePixApiPixCallback",
  summary: "Receive a callback of a company's PSP about payments",
});
const mandateCallback = callbackRoute("PixApi", "/callbacks/pix-api/{callbackToken}/rec", {
  operationId: "receivePixApiMandateCallback",
  summary: "Receive a callback of a company's PSP about mandates of Pix Automático",
});
const debitCallback = callbackRoute("PixApi", "/callbacks/pix-api/{callbackToken}/cobr", {
  operationId: "receivePixApiDebitCallback",
  summary: "Receive a callback of a company's PSP about automatic debits",
});
const efiCallback = callbackRoute("EfiCobrancas", "/callbacks/efi-cobrancas/{callbackToken}", {
  operationId: "receiveEfiCobrancasCallback",
  summary: "Receive a notice of a company's account at Efí",
});
const pagarmeCallback = callbackRoute("PagarMe", "/callbacks/pagarme/{callbackToken}", {
  operationId: "receivePagarMeCallback",
  summary: "Receive a webhook of a company's account at Pagar.me",
});

function callbackRoute<Path extends string>(
  provider: AccountProvider,
  path: Path,
  names: { operationId: string; summary: string },
) {
  return route.post(path, {
    ...names,
    description:
      "For PSPs only; the registered URL contains the token. The body is not trusted: the gateway queries " +
      "the PSP about what it names.",
    guard: [limitCallbacks, authenticateCallback(provider)],
    security: [],
    params: z.object({ callbackToken: z.string() }),
    checks: [callbackBody],
    answers: {
      200: jsonResponse("The PSP has confirmed it, or will be queried about it", CallbackAccepted),
    },
    problems: ["MALFORMED_JSON", "FORBIDDEN", "NOT_FOUND", "BODY_TOO_LARGE", "TOO_MANY_REQUESTS"],
  });
}

export function callbackRoutes(app: Api): void {
  for (const each of [callback, pixCallback, mandateCallback, debitCallback]) {
    app.openapi(each, async (c) => {
      await receiveCallback(c, await anyJson(c));
      return c.json({ ok: true as const }, 200);
    });
  }
  for (const each of [efiCallback, pagarmeCallback]) {
    app.openapi(each, async (c) => {
      await receiveCallback(c, await jsonOrForm(c));
      return c.json({ ok: true as const }, 200);
    });
  }
}

/**
 * Queries the PSP before the response and, about what there was no time for, after it. While the service is paused it
 * only keeps the callback.
 */
async function receiveCallback(c: AppContext, body: unknown): Promise<void> {
  const sender = c.get("callbackSender");
  const deps = c.get("deps");
  const pause = await deps.pauses.of(c.env, sender.company.id);
  if (pause !== null) return keepNotifications(c.env, deps, sender, body);
  const deferred = await handleNotifications(c.env, deps, sender, body);
  if (deferred.length > 0) c.executionCtx.waitUntil(processDeferred(c.env, deps, sender, deferred));
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
