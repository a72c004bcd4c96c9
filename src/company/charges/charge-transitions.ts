import {
  canTransitionCharge,
  canReverseChargeback,
  isEndedCharge,
  type ChargeStatus,
  type RefundReason,
} from "../../domain/charges/charge-status.ts";
import type { TransactionEventType } from "../../domain/events/event-types.ts";
import { paymentDayOf } from "../../domain/ledger/daily-totals.ts";
import type { ChangedBoleto } from "../../domain/charges/payment-details.ts";
import type { Cents } from "../../domain/shared/money.ts";
import {
  appendHistory,
  operationCause,
  type Cause,
  type ChargeHistoryEntry,
} from "../../domain/charges/charge-history.ts";
import type { ChargeState, ChargeTerms, Refund } from "../../domain/charges/transaction.ts";
import { systemRandom } from "../../domain/shared/clock.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import { assert } from "../../lib/assert.ts";
import {
  paymentIdOf,
  type ChargeStore,
  type PaymentRecord,
  type StoredCharge,
} from "./charge-store.ts";
import { endOf, paidAgainFinding, paidAgainOf } from "./payment-findings.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import type { ToldAmounts } from "../contradictions/told-amounts.ts";
import type { Reservations } from "../links/reservations.ts";
import type { DisputeStore } from "../disputes/dispute-store.ts";
import type { ExternalRefundStore } from "../operations/external-refund-store.ts";
import type { DailyTotalsStore } from "../ledger/daily-totals-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { EventNumbers, MetaStore } from "../storage/meta-store.ts";
import { NEW_OPERATION } from "../operations/new-operation.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { CycleStore } from "../subscriptions/cycle-store.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { SubscriptionTransitions } from "../subscriptions/subscription-transitions.ts";

/**
 * The only way to change a charge. Stores its row with the next version, its movements and the
 * cause, counts its movements in the daily totals, and adds the state and its event, if any, to the
 * outbox. Runs inside one `transactionSync`.
 */
export class ChargeTransitions {
  readonly #charges: ChargeStore;
  readonly #contradictions: ContradictionStore;
  readonly #toldAmounts: ToldAmounts;
  readonly #operations: OperationStore;
  readonly #externalRefunds: ExternalRefundStore;
  readonly #disputes: DisputeStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;
  readonly #ledger: LedgerStore;
  readonly #dailyTotals: DailyTotalsStore;
  readonly #reservations: Reservations;
  readonly #cycles: CycleStore;
  readonly #subscriptions: SubscriptionStore;
  readonly #subscriptionTransitions: SubscriptionTransitions;

  constructor(deps: {
    charges: ChargeStore;
    contradictions: ContradictionStore;
    toldAmounts: ToldAmounts;
    operations: OperationStore;
    externalRefunds: ExternalRefundStore;
    disputes: DisputeStore;
    meta: MetaStore;
    outbox: OutboxStore;
    ledger: LedgerStore;
    dailyTotals: DailyTotalsStore;
    reservations: Reservations;
    cycles: CycleStore;
    subscriptions: SubscriptionStore;
    subscriptionTransitions: SubscriptionTransitions;
  }) {
    this.#charges = deps.charges;
    this.#contradictions = deps.contradictions;
    this.#toldAmounts = deps.toldAmounts;
    this.#operations = deps.operations;
    this.#externalRefunds = deps.externalRefunds;
    this.#disputes = deps.disputes;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
    this.#ledger = deps.ledger;
    this.#dailyTotals = deps.dailyTotals;
    this.#reservations = deps.reservations;
    this.#cycles = deps.cycles;
    this.#subscriptions = deps.subscriptions;
    this.#subscriptionTransitions = deps.subscriptionTransitions;
  }

  /**
   * Changes a charge; null as `eventType` announces nothing. The caller stores refunds and disputes
   * and posts movements first, because the new state and its history contain them. `boleto`: as it is since; only D1
   * keeps it.
   */
  apply(
    charge: StoredCharge,
    { boleto, ...change }: Partial<StoredCharge> & { boleto?: ChangedBoleto },
    cause: Cause,
    eventType: TransactionEventType | null,
    nowMs: number,
  ): void {
    const status = change.status ?? charge.status;
    const isReversed = eventType === "transaction.chargeback_reversed";
    const isAllowed =
      status === charge.status ||
      canTransitionCharge(charge.status, status) ||
      (isReversed && canReverseChargeback(charge.status, status));
    assert(isAllowed, `a charge cannot change from ${charge.status} to ${status}`);
    const sequence = charge.eventSequence + (eventType === null ? 0 : 1);
    const movements = this.#ledger.takeUncounted(charge.transactionId);
    const daily = this.#dailyTotals.add(charge.paymentMethod, movements);
    const changed: StoredCharge = {
      ...charge,
      ...change,
      bookedDay: paymentDayOf(movements) ?? charge.bookedDay,
      version: charge.version + 1,
      updatedAt: nowMs,
      eventSequence: sequence,
      movements: this.#movementsOf(charge),
    };
    const state = this.stateOf(changed);
    const event =
      eventType === null
        ? null
        : { type: eventType, sequence, ...this.#eventNumbers(charge, state, nowMs) };
    const trail = this.#historyWith(charge, status, cause, event, nowMs);
    this.#charges.save({ ...changed, trail });
    this.#outbox.add(
      {
        kind: "transaction",
        transactionId: changed.transactionId,
        state,
        event:
          event === null ? null : { ...event, previousStatus: charge.status, timestamp: nowMs },
        ...(daily.length === 0 ? {} : { daily }),
        ...(boleto === undefined ? {} : { boleto }),
      },
      nowMs,
    );
    const { transactionId, paidAmount } = changed;
    const counted = { transactionId, from: charge.status, to: status, paidAmount };
    for (const other of this.#reservations.chargeChanged(counted, nowMs))
      this.cancelLost(other, nowMs);
    if (isEndedCharge(status) && status !== charge.status) this.#hastenDebit(transactionId, nowMs);
  }

  /** A cycle that is paid by hand is told of at once: its debit can be cancelled until the evening before. */
  #hastenDebit(transactionId: string, nowMs: number): void {
    const cycle = this.#cycles.ofAnyCharge(transactionId);
    if (cycle === null) return;
    const isPaidLate =
      cycle.status !== "open" &&
      cycle.status !== "paid" &&
      this.#charges.findStored(transactionId)?.status === "paid";
    const subscription = this.#subscriptions.find(cycle.subscriptionId);
    // Money that comes after the end of its cycle is that cycle's: the next step closes it as paid.
    if (isPaidLate && subscription !== null) {
      const change = { cycle: { ...cycle, status: "open" as const } };
      this.#subscriptionTransitions.apply(subscription, change, null, nowMs);
    }
    this.#subscriptions.hasten(cycle.subscriptionId, nowMs);
  }

  /**
   * Cancels a charge because another one of its checkout was paid. Its provider is told by due work, which voids
   * a card's hold. A card that is still undecided is cancelled once its acquirer has authorized it; its payment
   * would be unexpected.
   */
  cancelLost(terms: ChargeTerms, nowMs: number): void {
    const charge = this.#charges.findOrInitial(terms, nowMs);
    if (!canTransitionCharge(charge.status, "cancelled")) return;
    const { transactionId, paymentMethod, account } = charge;
    const pending = this.#operations.findPending(transactionId, "cancel");
    const cancel =
      pending ??
      this.#operations.insert({
        ...NEW_OPERATION,
        operationId: newUuid(systemRandom),
        kind: "cancel",
        transactionId,
        paymentMethod,
        account,
        createdAt: nowMs,
        nextCheckAt: nowMs,
      });
    const change = { status: "cancelled", cancelReason: "REQUESTED" } as const;
    this.apply(charge, change, operationCause(cancel), "transaction.cancelled", nowMs);
  }

  /** Ends a charge that nobody paid before its end, unless it has ended. */
  expire(terms: ChargeTerms, nowMs: number): void {
    const charge = this.#charges.findOrInitial(terms, nowMs);
    if (!canTransitionCharge(charge.status, "cancelled")) return;
    const change = { status: "cancelled", cancelReason: "EXPIRED" } as const;
    this.apply(charge, change, { kind: "expiry" }, "transaction.cancelled", nowMs);
  }

  #eventNumbers(before: StoredCharge, state: ChargeState, nowMs: number): EventNumbers {
    const bytes = before.textBytes + jsonBytes(state);
    const endsCharge = !isEndedCharge(before.status) && isEndedCharge(state.status);
    const isOfLinks = endsCharge && this.#reservations.countsCharge(before.transactionId);
    return this.#meta.nextEvent({
      nowMs,
      bytes,
      endsCharge: endsCharge && !isOfLinks,
      // Its end without money was counted with it.
      isCounted: !isOfLinks || state.status === "paid",
    });
  }

  /**
   * Adds a cause to the history of a charge that does not change. No effect on an unknown charge.
   */
  recordCause(transactionId: string | null, cause: Cause, nowMs: number): void {
    const charge = transactionId === null ? null : this.#charges.findStored(transactionId);
    if (charge === null) return;
    const trail = this.#historyWith(charge, charge.status, cause, null, nowMs);
    this.#charges.save({ ...charge, trail, movements: this.#movementsOf(charge) });
  }

  /**
   * Adds a returned amount (centavos) and announces it. On a charge that is not `paid` only the
   * cause is recorded.
   */
  applyRefund(
    charge: StoredCharge,
    amount: Cents,
    refundReason: RefundReason,
    cause: Cause,
    nowMs: number,
  ): void {
    const refundedAmount = Math.min(charge.paidAmount, charge.refundedAmount + amount);
    if (charge.status !== "paid") {
      this.apply(charge, {}, cause, null, nowMs);
    } else if (refundedAmount < charge.paidAmount) {
      this.apply(charge, { refundedAmount }, cause, "transaction.partially_refunded", nowMs);
    } else {
      const change = { status: "refunded", refundedAmount, refundReason } as const;
      this.apply(charge, change, cause, "transaction.refunded", nowMs);
      const paymentId = paymentIdOf(charge);
      const reason = "All of it went back.";
      this.#contradictions.closeAll(endOf(paymentId), reason, nowMs);
      this.#contradictions.closeAll(paidAgainOf(paymentId), reason, nowMs);
      this.#toldAmounts.allWentBack({ paymentId, amount: charge.paidAmount }, nowMs);
    }
  }

  /** The house of a paid charge says that it ended, by a finding. That it said paid again is over. */
  calledEnded(charge: StoredCharge, ended: Finding, nowMs: number): void {
    const opposite = paidAgainOf(paymentIdOf(charge));
    const reason = "Its house says ended again.";
    this.#contradictions.closeByOpposite(opposite, ended.finding, reason, nowMs);
    this.#contradictions.openAnew(ended, opposite.finding, nowMs);
  }

  /**
   * The house of a payment says paid again. Operators are asked about what they took when it said ended, once until it says
   * that again, unless the charge is refunded: a report of that tells the payment, too. Where they took nothing, its word is
   * only kept, so that a later one of the end is news.
   */
  paidAgain(payment: PaymentRecord, nowMs: number): void {
    const { paymentId, transactionId } = payment;
    const charge = transactionId === null ? null : this.#charges.findStored(transactionId);
    if (charge?.status !== "paid") return;
    const ended = endOf(paymentId);
    if (this.#contradictions.findByKey(ended.finding) === null) return;
    const paidAgain = paidAgainOf(paymentId);
    const reason = "Its house says paid again.";
    this.#contradictions.closeByOpposite(ended, paidAgain.finding, reason, nowMs);
    const corrected = this.#contradictions.accountedByAll(ended.finding, paidAgain.finding);
    const isDecided = this.#contradictions.isDecidedSince(ended.finding, paidAgain.finding);
    if (corrected === 0 && !isDecided) return;
    this.#contradictions.openAnew(paidAgainFinding(payment, corrected), ended.finding, nowMs);
    if (corrected === 0)
      this.#contradictions.closeAll(paidAgain, "Operators took nothing of it.", nowMs);
  }

  /** Reverses a chargeback: the refunded amount becomes the sum of the other refunds. */
  applyChargebackReversal(charge: StoredCharge, cause: Cause, nowMs: number): void {
    const { transactionId, paidAmount } = charge;
    const refundedTotal =
      this.#operations.refundedTotal(transactionId) +
      this.#externalRefunds.total(transactionId) +
      this.#disputes.lostTotal(transactionId);
    const refundedAmount = Math.min(paidAmount, refundedTotal);
    const change: Partial<StoredCharge> =
      refundedAmount === paidAmount ? {} : { status: "paid", refundedAmount, refundReason: null };
    this.apply(charge, change, cause, "transaction.chargeback_reversed", nowMs);
  }

  /** A charge's mutable state, as D1 and the API show it. */
  stateOf(charge: StoredCharge): ChargeState {
    return {
      status: charge.status,
      version: charge.version,
      updatedAt: charge.updatedAt,
      paidAt: charge.paidAt,
      paidAmount: charge.paidAmount,
      bookedDay: charge.bookedDay,
      refundedAmount: charge.refundedAmount,
      endToEndId: charge.endToEndId,
      paidBy: charge.paidBy,
      payerMatch: charge.payerMatch,
      failureReason: charge.failureReason,
      externalNsu: charge.externalNsu,
      card: charge.card,
      refusedReason: charge.refusedReason,
      cancelReason: charge.cancelReason,
      refundReason: charge.refundReason,
      refunds: this.#refundsOf(charge),
      dispute: this.#disputes.newestOf(charge.transactionId),
    };
  }

  /** Refunds by operations and at the PSP, oldest first. */
  #refundsOf({ transactionId, paidAmount }: StoredCharge): Refund[] {
    const requested = this.#operations.refundsOf(transactionId);
    const external = paidAmount === 0 ? [] : this.#externalRefunds.refundsOf(transactionId);
    if (external.length === 0) return requested;
    return [...requested, ...external].toSorted((one, other) => one.createdAt - other.createdAt);
  }

  /** Its movements, including those of this commit. */
  #movementsOf(charge: StoredCharge): number[] {
    return [...new Set([...charge.movements, ...this.#ledger.postedFor(charge.transactionId)])];
  }

  #historyWith(
    charge: StoredCharge,
    to: ChargeStatus,
    cause: Cause,
    announced: ChargeHistoryEntry["event"],
    nowMs: number,
  ): ChargeHistoryEntry[] {
    const movement = this.#ledger.newestMovement();
    const event =
      announced === null
        ? null
        : {
            type: announced.type,
            companySequence: announced.companySequence,
            sequence: announced.sequence,
          };
    return appendHistory(charge.trail, {
      at: nowMs,
      from: charge.status,
      to,
      cause,
      movement,
      event,
    });
  }
}
