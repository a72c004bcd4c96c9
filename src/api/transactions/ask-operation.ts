import type { OperationReport } from "../../company/rpc-types.ts";
import { providerOperationId, type OperationOrder } from "../../domain/charges/operation.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import { callProvider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";

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
    const refund = {
      refundId: providerOperationId(order.operationId),
      chargeId: order.transactionId === null ? null : providerChargeId(order.transactionId),
      paymentId: order.paymentId,
      amount: order.amount,
    };
    return callProvider(provider.findRefund(refund), about);
  }
  assert(order.transactionId !== null, `a ${order.kind} is of a transaction`);
  const charge = await callProvider(
    provider.findCharge(providerChargeId(order.transactionId)),
    about,
  );
  if (charge.kind !== "known") return charge;
  const isPaid = charge.payments.length > 0;
  const isDone = order.kind === "capture" ? isPaid : charge.status === "cancelled" && !isPaid;
  if (isDone) return { kind: "done" };
  const isOpen = charge.status === "open" || charge.status === "authorized";
  return isOpen && !isPaid
    ? { kind: "processing" }
    : { kind: "failed", reason: `The charge is ${isPaid ? "paid" : charge.status}.` };
}
