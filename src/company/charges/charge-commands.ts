import type { CardReport } from "../../domain/charges/payment-details.ts";
import type { RetryStanding } from "../../domain/cards/retry-rules.ts";
import { canTransitionCharge, type PaymentMethod } from "../../domain/charges/charge-status.ts";
import { transactionEventType } from "../../domain/events/event-types.ts";
import { feeOn } from "../../domain/ledger/fees.ts";
import { chargePaid, suspenseCredited } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { releaseSchedule } from "../../domain/ledger/release.ts";
import { operationCause, paymentCause, type Cause } from "../../domain/charges/charge-history.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { usedPaymentTime } from "../../domain/charges/payment-time.ts";
import { unexpectedRules } from "../../domain/charges/unexpected-payment.ts";
import { assert } from "../../lib/assert.ts";
import { methodOf } from "../../methods/registry.ts";
import type { CardAttempts } from "./card-attempts.ts";
import type { ChargeTransitions } from "./charge-transitions.ts";
import { cardDetailsChange } from "./card-details.ts";
import type { ChargeStore, PaymentRecord, StoredCharge } from "./charge-store.ts";
import type {
  CreditFromSuspenseAnswer,
  TransitionCharge,
  TransitionChargeAnswer,
  SettlePayment,
  SettlePaymentAnswer,
  BookUnexpected,
} from "./command-types.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { ToldAmounts } from "../contradictions/told-amounts.ts";
import type { Reservations } from "../links/reservations.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import { isPayableAnew } from "../operations/due-dates.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import type { ReleaseStore } from "../releases/release-store.ts";
import type { CyclePayments } from "../subscriptions/cycle-payments.ts";
import { hasEndToEndId, type CreditedPayment } from "./credited-payment.ts";
import { chargeFinding, endFinding, twinFinding } from "./payment-findings.ts";
import { unexpectedOn, type UnexpectedPaymentCommands } from "./unexpected-payment-commands.ts";
import type { SuspenseCommands } from "./suspense-commands.ts";
import type { UnexpectedPaymentStore } from "./unexpected-payment-store.ts";

/**
 * Books payments and statuses of charges. Every method runs inside one `transactionSync`; none
 * awaits.
 */
export class ChargeCommands {
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;
  readonly #ledger: LedgerStore;
  readonly #releases: ReleaseStore;
  readonly #operations: OperationStore;
  readonly #suspense: SuspenseCommands;
  readonly #cardAttempts: CardAttempts;
  readonly #contradictions: ContradictionStore;
  readonly #toldAmounts: ToldAmounts;
  readonly #unexpected: UnexpectedPaymentStore;
  readonly #unexpectedCommands: UnexpectedPaymentCommands;
  readonly #reservations: Reservations;
  readonly #cyclePayments: CyclePayments;

  constructor(deps: {
    charges: ChargeStore;
    transitions: ChargeTransitions;
    ledger: LedgerStore;
    releases: ReleaseStore;
    operations: OperationStore;
    suspense: SuspenseCommands;
    cardAttempts: CardAttempts;
    contradictions: ContradictionStore;
    toldAmounts: ToldAmounts;
    unexpected: UnexpectedPaymentStore;
    unexpectedCommands: UnexpectedPaymentCommands;
    reservations: Reservations;
    cyclePayments: CyclePayments;
  }) {
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
    this.#ledger = deps.ledger;
    this.#releases = deps.releases;
    this.#operations = deps.operations;
    this.#suspense = deps.suspense;
    this.#cardAttempts = deps.cardAttempts;
    this.#contradictions = deps.contradictions;
    this.#toldAmounts = deps.toldAmounts;
    this.#unexpected = deps.unexpected;
    this.#unexpectedCommands = deps.unexpectedCommands;
    this.#reservations = deps.reservations;
    this.#cyclePayments = deps.cyclePayments;
  }

  /**
   * Books a payment that the provider confirmed: at most one credit for each `paymentId`. What becomes
   * of one that the charge does not expect is the company's rule. A pending capture of the same amount
   * is done with it.
   */
  settle(command: SettlePayment, nowMs: number): SettlePaymentAnswer {
    const { payment, terms } = command;
    assert(payment.amount > 0, "a payment has a positive amount");
    const known = this.#charges.findPayment(payment.paymentId);
    if (known !== null) return this.#settleRepeated(command, known, nowMs);
    const twin = this.#twinOf(payment);
    if (twin !== null) return this.#contradictTwin(twin, payment, nowMs);
    const charge = this.#charges.findOrInitial(terms, nowMs);
    const { transactionId } = terms;
    const { paymentMethod } = charge;
    const account = payment.account ?? terms.account;
    const { paidBy = null } = payment;
    const stored = { ...payment, account, transactionId, paymentMethod, paidBy };
    const obstacle = this.#obstacleTo(transactionId);
    const { reason, rule } = unexpectedOn(charge, command, obstacle);
    if (reason !== null && (rule !== "credit" || !canTransitionCharge(charge.status, "paid"))) {
      const kept = { reason, rule };
      const answer = this.#unexpectedCommands.book(stored, charge, kept, command, nowMs);
      if (obstacle === "paid_otherwise") this.#endLost(transactionId, payment.paymentId, nowMs);
      return answer;
    }
    this.#charges.addPayment({ ...stored, inSuspense: false });
    this.#pay(charge, { ...stored, from: "provider" }, command.card, nowMs);
    if (reason !== null)
      this.#unexpected.announce(payment.paymentId, { reason, rule, status: "credited" }, nowMs);
    return { kind: "credited" };
  }

  #obstacleTo(transactionId: string): ReturnType<Reservations["obstacleTo"]> {
    return (
      this.#reservations.obstacleTo(transactionId) ?? this.#cyclePayments.obstacleTo(transactionId)
    );
  }

  /** Ends a charge whose money came after another one of its checkout or cycle was paid: it waits for nothing. */
  #endLost(transactionId: string, paymentId: string, nowMs: number): void {
    const charge = this.#charges.require(transactionId);
    const stored = this.#charges.findPayment(paymentId);
    if (!canTransitionCharge(charge.status, "cancelled") || stored === null) return;
    const change = { status: "cancelled", cancelReason: "REQUESTED" } as const;
    const cause = paymentCause(stored, false);
    this.#transitions.apply(charge, change, cause, "transaction.cancelled", nowMs);
  }

  /** Books a payment that matches no charge. */
  book(command: BookUnexpected, nowMs: number): SettlePaymentAnswer {
    const { payment, paymentMethod } = command;
    assert(payment.amount > 0, "a payment has a positive amount");
    const known = this.#charges.findPayment(payment.paymentId);
    const twin = known === null ? this.#twinOf(payment) : null;
    if (twin !== null) return this.#contradictTwin(twin, payment, nowMs);
    if (known === null) {
      const { paidBy = null } = payment;
      const stored = { ...payment, transactionId: null, paymentMethod, paidBy };
      const reason = "NO_CHARGE";
      const rule = unexpectedRules(command.rules)[reason];
      return this.#unexpectedCommands.book(stored, null, { reason, rule }, command, nowMs);
    }
    // The first amount stays booked.
    this.#toldAmounts.tell(known, payment.amount, payment.account, nowMs);
    if (known.amount !== payment.amount) return { kind: "contradiction" };
    return this.#unexpectedCommands.repeat(known, command);
  }

  /**
   * Credits an unexpected payment, in full, to a charge that expects one. The caller closes its
   * contradiction. `reported`: its method and, for a card, the acquirer's data.
   */
  creditFromSuspense(
    paymentId: string,
    terms: ChargeTerms,
    nowMs: number,
    reported: { method?: PaymentMethod; card?: CardReport | undefined } = {},
  ): CreditFromSuspenseAnswer {
    const payment = this.#charges.findPayment(paymentId);
    if (payment === null || !payment.inSuspense) return { kind: "not_found" };
    const reason = this.#suspense.creditBlocker(payment);
    if (reason !== null) return { kind: reason };
    const charge = this.#charges.findOrInitial(terms, nowMs);
    if (!canTransitionCharge(charge.status, "paid")) {
      return { kind: "not_allowed", status: charge.status };
    }
    this.#charges.assignCharge(paymentId, charge.transactionId, false);
    const method = reported.method ?? payment.paymentMethod;
    this.#pay(charge, { ...payment, method, from: "suspense" }, reported.card, nowMs);
    this.#unexpected.change(paymentId, "credited", nowMs);
    return { kind: "credited" };
  }

  /** A repeated report is a duplicate, a contradiction, or names an unexpected payment's charge. */
  #settleRepeated(
    command: SettlePayment,
    known: PaymentRecord,
    nowMs: number,
  ): SettlePaymentAnswer {
    const { payment, terms } = command;
    const { transactionId } = terms;
    const account = payment.account ?? terms.account;
    this.#toldAmounts.tell(known, payment.amount, account, nowMs);
    const hasCharge = known.transactionId !== null;
    const isOfOther = hasCharge && known.transactionId !== transactionId;
    // Another account may repeat an old word: the PIX list tells of a boleto's Pix, too.
    if (!known.inSuspense && !isOfOther && account === known.account)
      this.#transitions.paidAgain(known, nowMs);
    if (known.amount !== payment.amount) return { kind: "contradiction" };
    if (isOfOther) return this.#contradictCharge(known, transactionId, nowMs);
    if (!known.inSuspense) return { kind: "already" };
    const unexpected = this.#unexpected.find(known.paymentId);
    // Of its own charge the rule has decided; one without a charge may learn of it later.
    if (hasCharge && unexpected !== null && unexpected.reason !== "NO_CHARGE")
      return this.#unexpectedCommands.repeat(known, command);
    const reported = { method: payment.method, card: command.card };
    const answer = this.#isCreditedBy(command, nowMs)
      ? this.creditFromSuspense(known.paymentId, terms, nowMs, reported)
      : { kind: this.#suspense.creditBlocker(known) ?? ("not_allowed" as const) };
    if (answer.kind === "credited") {
      this.#suspense.close(known.paymentId, "It was credited to its charge.", nowMs);
      return { kind: "credited" };
    }
    if (answer.kind === "returned" && !hasCharge) {
      return this.#contradictCharge(known, transactionId, nowMs);
    }
    if (hasCharge) return { kind: "already" };
    this.#charges.assignCharge(known.paymentId, transactionId, true);
    this.#unexpected.recordCharge(known.paymentId, nowMs);
    this.#transitions.recordCause(transactionId, paymentCause(known, false), nowMs);
    return { kind: "unexpected" };
  }

  /** Whether the rules credit an unexpected payment to the charge that the provider now names. */
  #isCreditedBy(command: SettlePayment, nowMs: number): boolean {
    const charge = this.#charges.findOrInitial(command.terms, nowMs);
    const obstacle = this.#obstacleTo(charge.transactionId);
    return unexpectedOn(charge, command, obstacle).rule === "credit";
  }

  #twinOf({ paymentId, method }: SettlePayment["payment"]): PaymentRecord | null {
    return hasEndToEndId({ paymentId, method }) ? this.#charges.findTwin(paymentId) : null;
  }

  /** Nobody says whether letter case counts in an end-to-end id: it may be one payment, so it is no second credit. */
  #contradictTwin(
    twin: PaymentRecord,
    payment: SettlePayment["payment"],
    nowMs: number,
  ): SettlePaymentAnswer {
    this.#contradictions.open(twinFinding(twin, payment), nowMs);
    return { kind: "contradiction" };
  }

  /** A credited payment stays with its charge; no contradiction if somebody here chose that charge. */
  #contradictCharge(
    known: PaymentRecord,
    transactionId: string,
    nowMs: number,
  ): SettlePaymentAnswer {
    if (!known.inSuspense && this.#suspense.wasReassigned(known.paymentId))
      return { kind: "already" };
    this.#contradictions.open(chargeFinding(known, transactionId), nowMs);
    return { kind: "contradiction" };
  }

  /** Books a status that moves no money: authorized, refused, failed or cancelled. Idempotent. */
  transition(command: TransitionCharge, nowMs: number): TransitionChargeAnswer {
    const { to, cancelReason, dueDate } = command;
    const charge = this.#charges.findOrInitial(command.terms, nowMs);
    if (charge.status === to) return { kind: "already" };
    if (dueDate !== undefined && isPayableAnew(this.#operations, charge.transactionId, nowMs))
      return { kind: "not_allowed", status: charge.status };
    if (!canTransitionCharge(charge.status, to)) {
      const isChosen = (paymentId: string) => this.#suspense.wasReassigned(paymentId);
      const ended = endFinding(charge, command, isChosen);
      if (ended !== null) this.#transitions.calledEnded(charge, ended, nowMs);
      return { kind: "not_allowed", status: charge.status };
    }
    // Before its reservation is given back, which knows by whom it was held.
    const standing =
      to === "refused"
        ? this.#cardDecided(charge, "declined", nowMs, command)
        : to === "authorized"
          ? this.#cardDecided(charge, "approved", nowMs)
          : null;
    if (to === "failed") this.#cardAttempts.ended(charge.transactionId);
    const change = {
      status: to,
      cancelReason: cancelReason ?? null,
      failureReason: command.failureReason ?? null,
      ...cardDetailsChange(charge, command.card, standing),
    };
    const cause = this.#causeOf(command);
    this.#transitions.apply(charge, change, cause, transactionEventType(to), nowMs);
    // Another charge of its checkout was paid while the acquirer decided: nobody will take the hold.
    if (
      to === "authorized" &&
      this.#reservations.obstacleTo(charge.transactionId) === "paid_otherwise"
    )
      this.#transitions.cancelLost(command.terms, nowMs);
    return { kind: "transitioned" };
  }

  /** Of a declined card, how it stands for another attempt. */
  #cardDecided(
    { transactionId, amount }: StoredCharge,
    outcome: "approved" | "declined",
    nowMs: number,
    { card: report, cardHash }: Pick<TransitionCharge, "card" | "cardHash"> = {},
  ): RetryStanding | null {
    const payer = this.#reservations.payerOf(transactionId);
    const brand = report?.card?.brand ?? "unknown";
    const refusal = report?.networkRefusal ?? { code: null, advice: null };
    const card = cardHash ?? null;
    const decision = { transactionId, outcome, card, amount, brand, refusal, ...payer };
    return this.#cardAttempts.decided(decision, nowMs);
  }

  /**
   * A cancelled charge ends the client's pending cancel too: its own answer was lost or is late.
   */
  #causeOf({ to, cancelReason, terms }: TransitionCharge): Cause {
    if (to === "authorized") return { kind: "authorization" };
    if (to === "failed" || to === "refused") return { kind: "refusal" };
    if (cancelReason === "EXPIRED") return { kind: "expiry" };
    const cancel = this.#operations.findPending(terms.transactionId, "cancel");
    if (cancel === null) return { kind: "provider_cancel" };
    return operationCause(this.#operations.end(cancel, null));
  }

  #endPendingCapture(transactionId: string, amount: Cents, nowMs: number): void {
    const capture = this.#operations.findPending(transactionId, "capture");
    if (capture === null || capture.amount !== amount) return;
    this.#transitions.recordCause(
      transactionId,
      operationCause(this.#operations.end(capture, null)),
      nowMs,
    );
  }

  /** Credits an expected payment, and marks and announces its charge as paid. */
  #pay(
    charge: StoredCharge,
    payment: CreditedPayment,
    card: CardReport | undefined,
    nowMs: number,
  ): void {
    this.#credit(charge, payment, nowMs);
    const change = {
      status: "paid",
      paidAt: payment.paidAt,
      paidAmount: payment.amount,
      endToEndId: hasEndToEndId(payment) ? payment.paymentId : null,
      paymentId: payment.paymentId,
      account: payment.account,
      paidBy: payment.paidBy,
      payerMatch: payment.payerMatch ?? "unknown",
      failureReason: null,
      cancelReason: null,
      ...cardDetailsChange(charge, card),
    } as const;
    const cause = paymentCause(payment, true);
    this.#transitions.apply(charge, change, cause, "transaction.paid", nowMs);
    if (methodOf(charge.paymentMethod).initiation === "pull") {
      this.#endPendingCapture(charge.transactionId, payment.amount, nowMs);
      this.#cardDecided(charge, "approved", nowMs);
    }
  }

  /** Credits the payment less its fee; a part that is due already is available at once. */
  #credit(charge: StoredCharge, payment: CreditedPayment, nowMs: number): void {
    const { transactionId } = charge;
    const fee = feeOn(payment.amount, charge.fee);
    const pendingReleases = releaseSchedule({
      amount: payment.amount - fee,
      parts: methodOf(charge.paymentMethod).releaseParts(charge.installments),
      releaseDays: charge.releaseDays,
      paidAt: usedPaymentTime(payment.paidAt, nowMs),
    }).filter((part) => part.dueAt > nowMs);
    this.#releases.add(transactionId, pendingReleases);
    const credit = {
      paid: payment.amount,
      fee,
      awaiting: pendingReleases.reduce((sum, part) => sum + part.amount, 0),
      debt: this.#ledger.debt(),
    };
    const details = {
      paymentId: payment.paymentId,
      paidAmount: payment.amount,
      fee,
      releases: pendingReleases,
    };
    if (payment.from === "provider") {
      const postings = chargePaid(credit);
      this.#ledger.post({ type: "charge_paid", postings, transactionId, details }, nowMs);
    } else {
      const postings = suspenseCredited(credit);
      this.#ledger.post({ type: "suspense_credited", postings, transactionId, details }, nowMs);
    }
  }
}
