import type { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { webhookTargetError } from "../../domain/events/webhook-target.ts";
import { certificateOf, configOf, type Env } from "../../config.ts";
import type { AppEnv } from "../context.ts";
import { addFieldErrors } from "../validation.ts";
import { isTestAddress } from "../../domain/psp/test-addresses.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** The fields to check; the schema reports values that are not text. */
export interface PspFields {
  baseUrl?: unknown;
  tokenUrl?: unknown;
  payouts?: { url?: unknown } | null;
  disputeDesk?: { kind?: unknown; url?: unknown } | undefined;
  callbackOrigin?: unknown;
  certificate?: unknown;
}

/**
 * What is wrong with a PSP's URLs by the policy of webhook targets, because credentials are sent there, and with its
 * certificate by the Worker's bindings. Both depend on the environment, so a schema cannot check them.
 */
export function pspFieldIssues(env: Env, body: PspFields): z.core.$ZodIssue[] {
  const { allowHttpLoopbackWebhooks } = configOf(env);
  const urlError = (url: string) =>
    webhookTargetError(url, allowHttpLoopbackWebhooks) ??
    (url.includes("#") ? breaks("noFragment") : null);
  // What is sold at a test address is paid by nobody. A local service has no other companies.
  const houseError = (url: string) =>
    urlError(url) ??
    (isTestAddress(url) && !allowHttpLoopbackWebhooks ? breaks("testAddress") : null);
  const originError = (url: string) =>
    urlError(url) ?? (URL.parse(url)?.origin === url ? null : breaks("originWithoutPath"));
  const bindingError = (name: string) =>
    certificateOf(env, name) === null ? breaks("noCertificate") : null;
  const checks: [string[], unknown, (value: string) => string | null][] = [
    [["baseUrl"], body.baseUrl, houseError],
    [["tokenUrl"], body.tokenUrl, houseError],
    [["payouts", "url"], body.payouts?.url, houseError],
    [["disputeDesk", "url"], body.disputeDesk?.url, houseError],
    [["callbackOrigin"], body.callbackOrigin, originError],
    [["certificate"], body.certificate, bindingError],
  ];
  return checks.flatMap(([path, value, errorOf]) => {
    const message = typeof value === "string" ? errorOf(value) : null;
    return message === null ? [] : [{ code: "custom" as const, path, message, input: value }];
  });
}

/** Refuses a body with such issues. Must follow `jsonBody`. */
export const pspFields = createMiddleware<AppEnv>(async (c, next) => {
  addFieldErrors(c, pspFieldIssues(c.env, await c.req.json()));
  await next();
});
