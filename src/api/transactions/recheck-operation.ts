import type { RecheckOutcome } from "../../company/rpc-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { askOperation } from "./ask-operation.ts";

/**
 * Asks the provider about a refund or return that operators decided without it, until it says the same. Another
 * word corrects it or opens a contradiction.
 */
export async function recheckOperation(
  env: Env,
  deps: BookingContext["deps"],
  company: Company,
  operationId: string,
): Promise<RecheckOutcome> {
  const found = await callCompany(env, company.id, (account) => account.findOperation(operationId));
  if (found === null) return "done";
  const said = await askOperation({ env, deps, company }, found.order);
  if (said.kind === "unknown") return "unknown";
  if (said.kind !== "done" && said.kind !== "failed") return "open";
  await callCompany(env, company.id, (account) =>
    account.recordOperation(company.id, found.id, said, null),
  );
  const isSame = (said.kind === "done") === (found.status === "DONE");
  return isSame ? "done" : "open";
}
