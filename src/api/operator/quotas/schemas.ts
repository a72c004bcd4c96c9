import { z } from "@hono/zod-openapi";
import { QUOTA_NAMES, quotaLimit, type Quota } from "../../../domain/storage/quotas.ts";
import { integer } from "../../../http/fields/fields.ts";

/** A hundred times the usual quotas fill a database in two hours: such a company has one of its own. */
const PERCENT_MAX = 10_000;

export const ChangeQuotas = z
  .object({ percent: integer(1, PERCENT_MAX, "percent of the usual quotas") })
  .openapi("ChangeQuotas", { example: { percent: 200 } });

const limits = Object.fromEntries(QUOTA_NAMES.map((name) => [name, z.int()])) as Record<
  Quota,
  z.ZodInt
>;

export const Quotas = z
  .object({ percent: z.int(), limits: z.object(limits) })
  .openapi("Quotas", { example: quotasView(100) });

/** A company's quotas, given its percentage of the usual ones. */
export function quotasView(percent: number) {
  const entries = QUOTA_NAMES.map((name) => [name, quotaLimit(name, percent)]);
  return { percent, limits: Object.fromEntries(entries) as Record<Quota, number> };
}
