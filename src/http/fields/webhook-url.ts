import { createMiddleware } from "hono/factory";
import { webhookTargetError } from "../../domain/events/webhook-target.ts";
import { configOf } from "../../config.ts";
import type { AppEnv } from "../context.ts";
import { addFieldErrors } from "../validation.ts";

/**
 * Checks the webhook URL in a body's field by the target policy, which depends on the environment, so a schema
 * cannot. Must follow `jsonBody`.
 */
export function webhookUrlField(field: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const body: Record<string, unknown> = await c.req.json();
    const url = body[field];
    const { allowHttpLoopbackWebhooks } = configOf(c.env);
    const error =
      typeof url === "string" && url !== ""
        ? webhookTargetError(url, allowHttpLoopbackWebhooks)
        : null;
    if (error !== null) {
      addFieldErrors(c, [{ code: "custom", path: [field], message: error, input: url }]);
    }
    await next();
  });
}
