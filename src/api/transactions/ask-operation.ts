import type { OperationReport } from "../../company/operations/command-types.ts";
import type { RecheckOutcome } from "../../company/runtime/recheck-store.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { OperationOrder } from "../../domain/charges/operation.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import { refundOrderOf, type BookingContext } from "../payments/provider-order.ts";
import { requireTransaction, shownAt } from "./attempts/shown-at.ts";
import { dueDateOrder } from "./due-date.ts";

/** What a provider says of an operation, without being sent anything. */
export type OperationWord = OperationReport | { kind: "not_found" };

/**
 * Asks the provider that has its charge or payment about an operation. Sends and books nothing. `unknown` also where
 * its account is not connected.
 */
export async function askOperation(
  { env, deps, company }: BookingContext,
  order: OperationOrder,
): Promise<OperationWord> {
  const provider = await deps.providers(env).ofAccount(company, order.account, order.paymentMethod);
  if (provider === null) return { kind: "unknown" };
  const about = { provider: provider.name, companyId: company.id };
  if (order.kind === "refund" || order.kind === "return") {
    return callProvider(provider.findRefund(refundOrderOf(order)), about);
  }
  assert(order.transactionId !== null, `a ${order.kind} is of a transaction`);
  const row = await requireTransaction({ env, deps, company }, order.transactionId);
  const shown = await shownAt({ env, deps, company }, row, provider, order);
  if (shown === null) return { kind: "unknown" };
  if (order.kind === "due_date") return askDueDate({ env, deps, company }, shown, row, order);
  const charge = await callProvider(shown.findCharge(providerChargeId(row.id, row.attempt)), about);
  if (charge.kind !== "known") return charge;
  const isPaid = charge.payments.length > 0;
  const isDone = order.kind === "capture" ? isPaid : charge.status === "cancelled" && !isPaid;
  if (isDone) return { kind: "done" };
  const isOpen = charge.status === "open" || charge.status === "authorized";
  return isOpen && !isPaid
    ? { kind: "processing" }
    : { kind: "failed", reason: `The charge is ${isPaid ? "paid" : charge.status}.` };
}

async function askDueDate(
  { company, deps }: BookingContext,
  provider: Provider,
  row: TransactionRow,
  { dueDate }: OperationOrder,
): Promise<OperationWord> {
  const nowMs = deps.clock.now();
  const asked = dueDate === undefined ? null : dueDateOrder(company, row, dueDate.to, nowMs);
  if (asked === null || provider.dueDates === undefined) return { kind: "unknown" };
  const about = { provider: provider.name, companyId: company.id };
  const found = await callProvider(provider.dueDates.find(asked.order), about);
  switch (found.kind) {
    case "changed":
      return { kind: "done" };
    case "open":
      return { kind: "processing" };
    case "refused":
      return { kind: "failed", reason: found.reason };
    case "unknown":
      return found;
  }
}

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
    account.recordOperation({ companyId: company.id, id: found.id, report: said, reply: null }),
  );
  const isSame = (said.kind === "done") === (found.status === "DONE");
  return isSame ? "done" : "open";
}
