import type { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { companyDeps, type AppEnv } from "../../http/context.ts";
import { addFieldErrors } from "../../http/validation.ts";
import { isMissing } from "../../lib/fields/fields.ts";
import { methodOf, METHODS } from "../../methods/registry.ts";
import { findByIdempotencyKey } from "./repository.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Reports the fields that the request's payment method requires and the request leaves out. */
export function requireMethodFields(request: unknown, context: z.core.$RefinementCtx): void {
  const { paymentMethod } = request as { paymentMethod?: unknown };
  const name = PAYMENT_METHODS.find((known) => known === paymentMethod);
  if (name === undefined) return;
  for (const path of methodOf(name).requiredFields) {
    if (isMissing(request, path)) {
      context.addIssue({
        code: "custom",
        path: [...path],
        message: breaks("requiredFor", { method: name }),
      });
    }
  }
}

/**
 * Adds the faults that depend on the calendar or on other fields to those of the schema. A repeated
 * request is checked by the day of its first, so a due date or a card that was good then still is. Runs
 * after `jsonBody` and `optionalIdempotencyKey`.
 */
export const checkMethodFields = createMiddleware<AppEnv>(async (c, next) => {
  const body: Record<string, unknown> = await c.req.json();
  const errorsOnDay = (ms: number) =>
    METHODS.flatMap((method) => method.fieldErrors(body, saoPauloDay(ms)));
  const key = c.get("idempotencyKey");
  let errors = errorsOnDay(companyDeps(c).clock.now());
  if (errors.length > 0 && key !== null) {
    const first = await findByIdempotencyKey(c.env, c.get("caller").company.id, key);
    if (first !== null) errors = errorsOnDay(first.createdAt);
  }
  addFieldErrors(c, errors);
  await next();
});
