import { createMiddleware } from "hono/factory";
import { webhookTargetError } from "../../domain/events/webhook-target.ts";
import { configOf } from "../../config.ts";
import type { AppEnv } from "../context.ts";
import { addFieldErrors } from "../validation.ts";

/**
 * Judges the webhook URL in a body's field by the target policy. The policy depends on the
 * environment, so no schema can hold it; its verdict joins those of the schema, so that all wrong
 * fields are told at once. Stands after `jsonBody`.
 */
export function webhookUrlField(field: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const body: Record<string, unknown> = await c.req.json();
    const url = body[field];
    const { allowHttpLoopbackWebhooks } = configOf(c.env);
    const fault =
      typeof url === "string" && url !== ""
        ? webhookTargetError(url, allowHttpLoopbackWebhooks)
        : null;
    if (fault !== null) {
      addFieldErrors(c, [{ code: "custom", path: [field], message: fault, input: url }]);
    }
    await next();
  });
}
