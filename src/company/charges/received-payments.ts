import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { FindReceivedPayments, ReceivedPayments } from "./payment-types.ts";
import type { ChargeStore, PaymentRecord } from "./charge-store.ts";
import type { ChargeTransitions } from "./charge-transitions.ts";
import {
  RECEIVED_MINUTES,
  type ReceivedPayment,
  type ReceivedStatus,
} from "../../domain/charges/received-payment.ts";

/** Movements that one question reads at most. */
const MOVEMENTS_READ = 10_000;
/** Unexpected payments that one question reads at most. */
const IN_SUSPENSE_READ = 200;
/** Payments that one question answers at most. */
const PAYMENTS_SHOWN = 20;

interface Services {
  stores: { charges: ChargeStore; ledger: LedgerStore };
  chargeTransitions: ChargeTransitions;
}

/**
 * Payments that arrived, as the ledger knows them: by their end-to-end id (BACEN), or of an amount around a
 * minute. Reads a bounded number of rows, whatever the company has.
 */
export function findReceivedPayments(
  services: Services,
  query: FindReceivedPayments,
): ReceivedPayments {
  const { charges, ledger } = services.stores;
  if ("endToEndId" in query) {
    const payment = charges.findPayment(query.endToEndId);
    return { payments: payment === null ? [] : [received(services, payment)], isWhole: true };
  }
  const { amount, at } = query;
  const from = at - RECEIVED_MINUTES.before;
  const until = at + RECEIVED_MINUTES.after;
  const credited = ledger.paymentsBetween(
    amount,
    from,
    until + RECEIVED_MINUTES.booking,
    MOVEMENTS_READ,
  );
  const inSuspense = charges.paymentsInSuspense("", IN_SUSPENSE_READ);
  const found = [
    ...credited.ids.flatMap((id) => charges.findPayment(id) ?? []),
    ...inSuspense.filter((payment) => payment.amount === amount),
  ].filter(({ paidAt }) => paidAt >= from && paidAt < until);
  return {
    payments: found.slice(0, PAYMENTS_SHOWN).map((payment) => received(services, payment)),
    isWhole:
      credited.isWhole && inSuspense.length < IN_SUSPENSE_READ && found.length <= PAYMENTS_SHOWN,
  };
}

function received(services: Services, payment: PaymentRecord): ReceivedPayment {
  const { paymentId, transactionId, paymentMethod, amount, paidAt, paidBy } = payment;
  return {
    paymentId,
    transactionId,
    paymentMethod,
    amount,
    paidAt,
    paidBy,
    status: statusOf(services, payment),
  };
}

function statusOf({ stores, chargeTransitions }: Services, payment: PaymentRecord): ReceivedStatus {
  const { inSuspense, transactionId, amount, returnedAmount } = payment;
  if (inSuspense) return returnedAmount >= amount ? "returned" : "kept";
  const charge = transactionId === null ? null : stores.charges.findStored(transactionId);
  if (charge === null) return "credited";
  if (chargeTransitions.stateOf(charge).dispute?.status === "OPEN") return "disputed";
  if (charge.refundedAmount === 0) return "credited";
  return charge.refundedAmount < charge.paidAmount ? "partly_returned" : "returned";
}
