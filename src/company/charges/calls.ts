import { CHARGE_HISTORY_MAX } from "../../domain/charges/charge-history.ts";
import type { ChargeHistory } from "../../domain/charges/timeline.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import {
  commitAndDrain,
  commitIfCurrentAndDrain,
  find,
  fromClient,
  read,
} from "../runtime/declare-call.ts";
import type { CardAttempts } from "./card-attempts.ts";
import type { ChargeCommands } from "./charge-commands.ts";
import { MOVEMENTS_KEPT, type ChargeStore } from "./charge-store.ts";
import type { ChargeTransitions } from "./charge-transitions.ts";
import type {
  AdmitCardAttempt,
  CancelLostCharge,
  SettlePayment,
  BookUnexpected,
  TransitionCharge,
} from "./command-types.ts";
import type { PaymentDecisions } from "./payment-decisions.ts";
import type { DecidePayment, FindReceivedPayments } from "./payment-types.ts";
import { findReceivedPayments } from "./received-payments.ts";
import type { SuspenseCommands } from "./suspense-commands.ts";

interface Services {
  stores: { charges: ChargeStore; ledger: LedgerStore };
  charges: ChargeCommands;
  chargeTransitions: ChargeTransitions;
  cardAttempts: CardAttempts;
  paymentDecisions: PaymentDecisions;
  suspense: SuspenseCommands;
  toldSums: RefundableCharges;
}

/** What may still be refunded of a charge, in centavos; null of one without a payment. */
interface RefundableCharges {
  refundableOf(transactionId: string): Cents | null;
}

/** The calls about charges and payments. */
export const chargeCalls = {
  settlePayment: commitAndDrain(({ charges }: Services, command: SettlePayment, now) =>
    charges.settle(command, now),
  ),

  bookUnexpectedPayment: commitAndDrain(({ charges }: Services, command: BookUnexpected, now) =>
    charges.book(command, now),
  ),

  /** Returns or credits an unexpected payment, for the merchant or by its rule. */
  decidePayment: commitIfCurrentAndDrain(
    ({ paymentDecisions }: Services, command: DecidePayment, now) =>
      paymentDecisions.decide(command, now),
  ),

  /** Whether a card may be sent to an acquirer. Counted in memory only; writes nothing. */
  admitCardAttempt: fromClient(
    find(({ cardAttempts }: Services, attempt: AdmitCardAttempt, now) =>
      cardAttempts.admit(attempt, now),
    ),
  ),

  transitionCharge: commitAndDrain(({ charges }: Services, command: TransitionCharge, now) =>
    charges.transition(command, now),
  ),

  /** Cancels a charge in place of which another one was paid, or that is owed no more; its provider is told by due work. */
  cancelLostCharge: commitAndDrain(
    ({ chargeTransitions }: Services, { terms }: CancelLostCharge, now) =>
      chargeTransitions.cancelLost(terms, now),
  ),

  /** A charge's state, which D1's projection may lag behind; null before its first transition. */
  findCharge: find(
    ({ stores, chargeTransitions }: Services, transactionId: string): ChargeState | null => {
      const charge = stores.charges.findStored(transactionId);
      return charge === null ? null : chargeTransitions.stateOf(charge);
    },
  ),

  /** The account that took a charge's payment; null before one is credited. Asked by Workers of the release before only. */
  accountOfPayment: find(({ stores }: Services, transactionId: string): string | null => {
    const charge = stores.charges.findStored(transactionId);
    return charge === null || charge.paidAt === null ? null : charge.account;
  }),

  /** A charge's changes with their causes, and its newest `limit` movements. */
  history: fromClient(read(historyOf)),

  /** The transactions that payments were credited to, by the payments' ids; those of none are left out. */
  transactionsOfPayments: find(
    ({ stores }: Services, paymentIds: string[]): Record<string, string> =>
      Object.fromEntries(
        paymentIds.flatMap((id) => {
          const transactionId = stores.charges.findPayment(id)?.transactionId ?? null;
          return transactionId === null ? [] : [[id, transactionId]];
        }),
      ),
  ),

  findPaymentInSuspense: find(({ suspense }: Services, paymentId: string) =>
    suspense.find(paymentId),
  ),

  /** Unexpected payments after an id, ascending. */
  listPaymentsInSuspense: find(
    ({ suspense }: Services, { after, limit }: { after: string; limit: number }) =>
      suspense.list(after, limit),
  ),

  /** Payments that arrived, as the ledger knows them. */
  findReceivedPayments: fromClient(
    find((services: Services, query: FindReceivedPayments) =>
      findReceivedPayments(services, query),
    ),
  ),
};

function historyOf(
  { stores, toldSums }: Services,
  { transactionId, limit }: { transactionId: string; limit: number },
): ChargeHistory {
  const charge = stores.charges.findStored(transactionId);
  const numbers = charge?.movements ?? [];
  const entries = charge?.trail ?? [];
  return {
    eventSequence: charge?.eventSequence ?? 0,
    entries,
    movements: stores.ledger.bySequence(numbers.slice(-limit)),
    hasMore:
      numbers.length > limit ||
      numbers.length >= MOVEMENTS_KEPT ||
      entries.length === CHARGE_HISTORY_MAX,
    refundable: toldSums.refundableOf(transactionId),
  };
}
