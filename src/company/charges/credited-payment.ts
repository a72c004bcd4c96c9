import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { PayerMatch } from "../../domain/charges/transaction.ts";
import { isEndToEndId } from "../../domain/psp/psp-ids.ts";
import { methodOf } from "../../methods/registry.ts";
import type { StoredPayment } from "./charge-store.ts";

/** Whether a payment's id is its PIX end-to-end id: a boleto's provider knows its Pix by an id of its own. */
export function hasEndToEndId({
  method,
  paymentId,
}: Pick<CreditedPayment, "method" | "paymentId">) {
  return methodOf(method).hasEndToEndId && isEndToEndId(paymentId);
}

/** A payment to credit, and the ledger account that its money comes from. */
export type CreditedPayment = Pick<
  StoredPayment,
  "paymentId" | "amount" | "paidAt" | "account" | "paidBy"
> & {
  method: PaymentMethod;
  payerMatch?: PayerMatch | undefined;
  from: "provider" | "suspense";
};
