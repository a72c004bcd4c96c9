import { z } from "@hono/zod-openapi";
import { findOperator } from "../../db/operator/operators.ts";
import { companyAt } from "../../domain/access/company-guards.ts";
import { personClientId } from "../../domain/access/person.ts";
import type { Company } from "../../domain/shared/company.ts";
import { coolDownMs } from "../../domain/withdraws/withdraw-policy.ts";
import type { AppContext } from "../../http/context.ts";

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

/**
 * The chain of a right that the operator of a request gives. With the person whom he is in the console, who may have a
 * role in the company too: he approves nothing that is asked for with what he gave.
 */
export async function givenByOperator(c: AppContext): Promise<string[]> {
  const { clientId } = c.get("operator");
  const userId = (await findOperator(c.env, clientId))?.userId ?? null;
  return userId === null ? [clientId] : [clientId, personClientId({ userId })];
}
