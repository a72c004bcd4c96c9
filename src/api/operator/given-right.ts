import { z } from "@hono/zod-openapi";
import { companyAt } from "../../domain/access/company-guards.ts";
import type { Company } from "../../domain/shared/company.ts";
import { coolDownMs } from "../../domain/withdraws/withdraw-policy.ts";

const HOUR_MS = 3_600_000;

const warning = (hours: number) =>
  `For its first ${hours} hours, the withdraws, refunds and returns that this right asks for wait for somebody else's approval, because an operator gave it.`;

/** The field of the answer to an operator who gives a right of a company. */
export const WARNINGS_FIELD = {
  warnings: z.array(z.string()).openapi({ example: [warning(24)] }),
};

/** What an operator should know who gives a right of a company. */
export function givenRightWarnings(company: Company, nowMs: number): { warnings: string[] } {
  const { withdrawPolicy } = companyAt(company, nowMs);
  return { warnings: [warning(coolDownMs(withdrawPolicy) / HOUR_MS)] };
}
