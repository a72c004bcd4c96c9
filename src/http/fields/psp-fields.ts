import { createMiddleware } from "hono/factory";
import { webhookTargetError } from "../../domain/events/webhook-target.ts";
import { certificateOf, configOf } from "../../config.ts";
import type { AppEnv } from "../context.ts";
import { addFieldErrors } from "../validation.ts";

/** The fields to check; the schema reports values that are not text. */
interface PspFields {
  baseUrl?: unknown;
  tokenUrl?: unknown;
  payouts?: { url?: unknown } | null;
  callbackOrigin?: unknown;
  certificate?: unknown;
}

/**
 * Checks a PSP's URLs by the policy of webhook targets, because credentials are sent there, and its certificate
 * against the Worker's bindings. Both depend on the environment, so a schema cannot check them. Must follow
 * `jsonBody`.
 */
export const pspFields = createMiddleware<AppEnv>(async (c, next) => {
  const body: PspFields = await c.req.json();
  const { allowHttpLoopbackWebhooks } = configOf(c.env);
  const urlError = (url: string) =>
    webhookTargetError(url, allowHttpLoopbackWebhooks) ??
    (url.includes("#") ? "must not have a fragment" : null);
  const originError = (url: string) =>
    urlError(url) ?? (URL.parse(url)?.origin === url ? null : "must be an origin without a path");
  const bindingError = (name: string) =>
    certificateOf(c.env, name) === null ? "is no certificate binding of this Worker" : null;
  const checks: [string[], unknown, (value: string) => string | null][] = [
    [["baseUrl"], body.baseUrl, urlError],
    [["tokenUrl"], body.tokenUrl, urlError],
    [["payouts", "url"], body.payouts?.url, urlError],
    [["callbackOrigin"], body.callbackOrigin, originError],
    [["certificate"], body.certificate, bindingError],
  ];
  addFieldErrors(
    c,
    checks.flatMap(([path, value, errorOf]) => {
      const message = typeof value === "string" ? errorOf(value) : null;
      return message === null ? [] : [{ code: "custom" as const, path, message, input: value }];
    }),
  );
  await next();
});
