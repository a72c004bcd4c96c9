import type { AppContext } from "../../http/context.ts";

/** Whether the operator sees payers' data, PIX keys and documents in full: the role `read` sees them masked. */
export function seesPayers(c: AppContext): boolean {
  return c.get("operator").role !== "read";
}
