import type { CardReport } from "../../methods/card/card.ts";
import { canMoveCharge, type PaymentMethod } from "../../domain/charges/charge-status.ts";
import { transactionEventType } from "../../domain/events/event-types.ts";
import { feeOn } from "../../domain/ledger/fees.ts";
import { chargePaid, suspenseCredited } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { releaseSchedule } from "../../domain/ledger/release.ts";
import { operationCause, paymentCause, type Cause } from "../../domain/charges/trail.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeMoves } from "./charge-moves.ts";
import type { ChargeStore, FoundPayment, StoredCharge, StoredPayment } from "./charge-store.ts";
import type {
  CreditSuspendedAnswer,
  MoveCharge,
  MoveChargeAnswer,
  SettlePayment,
  SettlePaymentAnswer,
  SuspendPayment,
} from "../commands.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import type { ReleaseStore } from "../releases/release-store.ts";
import type { SuspenseFlow } from "./suspense-flow.ts";

/** The account of payments whose provider has only ever had one. */
const FIRST_ACCOUNT = "first";

/**
 * What happens to charges. Every method runs inside one `transactionSync`: what it writes is there
 * as a whole or not at all, and nothing in it awaits.
 */
export class ChargeFlow {
  readonly #charges: ChargeStore;
  readonly #moves: ChargeMoves;
  readonly #ledger: LedgerStore;
  readonly #releases: ReleaseStore;
  readonly #operations: OperationStore;
  readonly #suspense: SuspenseFlow;
  readonly #contradictions: ContradictionStore;

  constructor(parts: {
    charges: ChargeStore;
    moves: ChargeMoves;
    ledger: LedgerStore;
    releases: ReleaseStore;
    operations: OperationStore;
    suspense: SuspenseFlow;
    contradictions: ContradictionStore;
  }) {
    this.#charges = parts.charges;
    this.#moves = parts.moves;
    this.#ledger = parts.ledger;
    this.#releases = parts.releases;
    this.#operations = parts.operations;
    this.#suspense = parts.suspense;
    this.#contradictions = parts.contradictions;
  }

  /**
   * A payment the provider confirmed, known by its `paymentId`, which is credited at most once. Money
   * that no open charge expects is kept in `suspense`, never lost, never credited twice. A capture
   * under way that asked for as much has what it asked for.
   */
  settle(command: SettlePayment, nowMs: number): SettlePaymentAnswer {
    const { payment, terms } = command;
    assert(payment.amount > 0, "a payment moves money");
    const known = this.#charges.findPayment(payment.paymentId);
    if (known !== null) return this.#settleKnown(command, known, nowMs);
    const charge = this.#charges.find(terms, nowMs);
    const { transactionId } = terms;
    const { paymentMethod } = charge;
    const account = payment.account ?? terms.account;
    const stored = { ...payment, account, transactionId, paymentMethod };
    if (!canMoveCharge(charge.status, "paid")) {
      this.#suspense.add(stored, nowMs);
      return { kind: "suspended" };
    }
    this.#charges.addPayment({ ...stored, suspended: false });
    this.#pay(charge, { ...stored, from: "provider" }, command.card, nowMs);
    return { kind: "credited" };
  }

  /** A payment that matches no charge at all. */
  suspend(command: SuspendPayment, nowMs: number): SettlePaymentAnswer {
    const { payment, paymentMethod } = command;
    assert(payment.amount > 0, "a payment moves money");
    const known = this.#charges.findPayment(payment.paymentId);
    if (known === null) {
      const account = payment.account ?? FIRST_ACCOUNT;
      this.#suspense.add({ ...payment, account, transactionId: null, paymentMethod }, nowMs);
      return { kind: "suspended" };
    }
    if (known.amount !== payment.amount) return this.#otherAmount(known, payment.amount, nowMs);
    return { kind: "already" };
  }

  /**
   * Credits a payment that was set aside to a charge that expects one, as a whole. The caller ends its
   * contradiction. `reported`: how it came and, of a card, what its acquirer says.
   */
  creditSuspended(
    paymentId: string,
    terms: ChargeTerms,
    nowMs: number,
    reported: { method?: PaymentMethod; card?: CardReport | undefined } = {},
  ): CreditSuspendedAnswer {
    const payment = this.#charges.findPayment(paymentId);
    if (payment === null || !payment.suspended) return { kind: "not_found" };
    const reason = this.#suspense.notCreditable(payment);
    if (reason !== null) return { kind: reason };
    const charge = this.#charges.find(terms, nowMs);
    if (!canMoveCharge(charge.status, "paid")) {
      return { kind: "not_allowed", status: charge.status };
    }
    this.#charges.nameCharge(paymentId, charge.transactionId, false);
    const method = reported.method ?? payment.paymentMethod;
    this.#pay(charge, { ...payment, method, from: "suspense" }, reported.card, nowMs);
    return { kind: "credited" };
  }

  /** What is said again of a payment: the same, or what contradicts it, or which charge it is for. */
  #settleKnown(command: SettlePayment, known: FoundPayment, nowMs: number): SettlePaymentAnswer {
    const { payment, terms } = command;
    const { transactionId } = terms;
    if (known.amount !== payment.amount) return this.#otherAmount(known, payment.amount, nowMs);
    const isNamed = known.transactionId !== null;
    if (isNamed && known.transactionId !== transactionId) {
      return this.#otherCharge(known, transactionId, nowMs);
    }
    if (!known.suspended) return { kind: "already" };
    const reported = { method: payment.method, card: command.card };
    const answer = this.creditSuspended(known.paymentId, terms, nowMs, reported);
    if (answer.kind === "credited") {
      this.#suspense.close(known.paymentId, "It was credited to its charge.", nowMs);
      return { kind: "credited" };
    }
    if (answer.kind === "returned" && !isNamed) {
      return this.#otherCharge(known, transactionId, nowMs);
    }
    if (isNamed) return { kind: "already" };
    this.#charges.nameCharge(known.paymentId, transactionId, true);
    this.#moves.note(transactionId, paymentCause(known, false), nowMs);
    return { kind: "suspended" };
  }

  /** Its first amount stays booked. What the company was given too much cannot be withdrawn. */
  #otherAmount(known: FoundPayment, said: Cents, nowMs: number): SettlePaymentAnswer {
    this.#contradictions.open(
      {
        finding: `payment_amount:${known.paymentId}:${said}`,
        kind: "payment_amount",
        object: `payment:${known.paymentId}`,
        said: { amount: said },
        booked: bookedOf(known),
        amount: Math.abs(known.amount - said),
        held: known.suspended ? 0 : Math.max(0, known.amount - said),
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /** It stays with the charge it was credited to. One that an operator credited elsewhere is settled. */
  #otherCharge(known: FoundPayment, transactionId: string, nowMs: number): SettlePaymentAnswer {
    if (!known.suspended && this.#suspense.wasDecided(known.paymentId)) return { kind: "already" };
    this.#contradictions.open(
      {
        finding: `payment_charge:${known.paymentId}:${transactionId}`,
        kind: "payment_charge",
        object: `payment:${known.paymentId}`,
        said: { transactionId },
        booked: bookedOf(known),
        amount: known.amount,
        held: known.suspended ? 0 : known.amount,
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /** A card that is authorized, or a charge that ended without money. Repeating it changes nothing. */
  move(command: MoveCharge, nowMs: number): MoveChargeAnswer {
    const { to, cancelReason } = command;
    const charge = this.#charges.find(command.terms, nowMs);
    if (charge.status === to) return { kind: "already" };
    if (!canMoveCharge(charge.status, to)) {
      return { kind: "not_allowed", status: charge.status };
    }
    const change = {
      status: to,
      cancelReason: cancelReason ?? null,
      ...cardChange(charge, command.card),
    };
    const cause = this.#causeOf(command);
    this.#moves.change(charge, change, cause, transactionEventType(to), nowMs);
    return { kind: "moved" };
  }

  /**
   * A charge that its provider calls cancelled while a client's cancel is under way has ended by that
   * cancel, whose own answer was lost or is still to come: it is done with this.
   */
  #causeOf({ to, cancelReason, terms }: MoveCharge): Cause {
    if (to === "authorized") return { kind: "authorization" };
    if (to === "failed" || to === "refused") return { kind: "refusal" };
    if (cancelReason === "EXPIRED") return { kind: "expiry" };
    const cancel = this.#operations.openMove(terms.transactionId, "cancel");
    if (cancel === null) return { kind: "provider_cancel" };
    return operationCause(this.#operations.end(cancel, null));
  }

  #captured(transactionId: string, amount: Cents, nowMs: number): void {
    const capture = this.#operations.openMove(transactionId, "capture");
    if (capture === null || capture.amount !== amount) return;
    this.#moves.note(transactionId, operationCause(this.#operations.end(capture, null)), nowMs);
  }

  /** A payment that its charge expects: credited, the charge paid and announced. */
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
      endToEndId: payment.method === "PIX" ? payment.paymentId : null,
      paymentId: payment.paymentId,
      account: payment.account,
      cancelReason: null,
      ...cardChange(charge, card),
    } as const;
    const cause = paymentCause(payment, true);
    this.#moves.change(charge, change, cause, "transaction.paid", nowMs);
    if (charge.paymentMethod === "CREDIT_CARD") {
      this.#captured(charge.transactionId, payment.amount, nowMs);
    }
  }

  /** What came less the fee, each part in its time; what is due already is available at once. */
  #credit(charge: StoredCharge, payment: CreditedPayment, nowMs: number): void {
    const { transactionId } = charge;
    const fee = feeOn(payment.amount, charge.fee);
    const later = releaseSchedule({
      amount: payment.amount - fee,
      paymentMethod: charge.paymentMethod,
      installments: charge.installments,
      releaseDays: charge.releaseDays,
      paidAt: payment.paidAt,
    }).filter((part) => part.dueAt > nowMs);
    this.#releases.add(transactionId, later);
    const credit = {
      paid: payment.amount,
      fee,
      awaiting: later.reduce((sum, part) => sum + part.amount, 0),
      owed: this.#ledger.owed(),
    };
    const details = {
      paymentId: payment.paymentId,
      paidAmount: payment.amount,
      fee,
      releases: later,
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

/** A payment that is credited, and the account of the ledger that its money comes from. */
type CreditedPayment = Pick<StoredPayment, "paymentId" | "amount" | "paidAt" | "account"> & {
  method: PaymentMethod;
  from: "provider" | "suspense";
};

function bookedOf({ amount, transactionId, suspended }: FoundPayment): Record<string, unknown> {
  return { amount, transactionId, suspended };
}

/** What the acquirer called the sale when it decided it stays, as the create's answer showed it. */
function cardChange(charge: StoredCharge, report: CardReport | undefined): Partial<StoredCharge> {
  const code = charge.card?.authorizationCode ?? charge.externalNsu;
  if (report === undefined || code !== null) return {};
  return { card: report.card, externalNsu: report.nsu, refusedReason: report.refusedReason };
}
