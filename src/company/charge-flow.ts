import type { CardReport } from "../domain/card.ts";
import { canMoveCharge } from "../domain/charge-status.ts";
import { transactionEventType } from "../domain/event-types.ts";
import { feeOn } from "../domain/fees.ts";
import { chargePaid, paymentSuspended, type MovementType, type Posting } from "../domain/ledger.ts";
import type { Cents } from "../domain/money.ts";
import { releaseSchedule } from "../domain/release.ts";
import { operationCause, type Cause } from "../domain/trail.ts";
import { assert } from "../lib/assert.ts";
import type { ChargeMoves } from "./charge-moves.ts";
import type { ChargeStore, StoredCharge, StoredPayment } from "./charge-store.ts";
import type {
  MoveCharge,
  MoveChargeAnswer,
  SettlePayment,
  SettlePaymentAnswer,
  SuspendPayment,
} from "./commands.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { OperationStore } from "./operation-store.ts";
import type { ReleaseStore } from "./release-store.ts";

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

  constructor(parts: {
    charges: ChargeStore;
    moves: ChargeMoves;
    ledger: LedgerStore;
    releases: ReleaseStore;
    operations: OperationStore;
  }) {
    this.#charges = parts.charges;
    this.#moves = parts.moves;
    this.#ledger = parts.ledger;
    this.#releases = parts.releases;
    this.#operations = parts.operations;
  }

  /**
   * A payment the provider confirmed, known by its `paymentId`, which is credited at most once. Money
   * that no open charge expects is kept in `suspense`, never lost, never credited twice. A capture
   * under way that asked for as much has what it asked for.
   */
  settle(command: SettlePayment, nowMs: number): SettlePaymentAnswer {
    const { payment, terms } = command;
    assert(payment.amount > 0, "a payment moves money");
    if (this.#charges.findPayment(payment.paymentId) !== null) return { kind: "already" };
    const charge = this.#charges.find(terms, nowMs);
    const { transactionId } = terms;
    const expected = canMoveCharge(charge.status, "paid");
    const { paymentMethod } = charge;
    if (!expected) return this.#suspend({ ...payment, transactionId, paymentMethod }, nowMs);
    this.#charges.addPayment({ ...payment, transactionId, paymentMethod, suspended: false });
    this.#credit(charge, payment, nowMs);
    const change = {
      status: "paid",
      paidAt: payment.paidAt,
      paidAmount: payment.amount,
      endToEndId: payment.method === "PIX" ? payment.paymentId : null,
      paymentId: payment.paymentId,
      cancelReason: null,
      ...cardChange(charge, command.card),
    } as const;
    this.#moves.change(charge, change, paidBy(payment, true), "transaction.paid", nowMs);
    if (paymentMethod === "CREDIT_CARD") this.#captured(transactionId, payment.amount, nowMs);
    return { kind: "credited" };
  }

  /** A payment that matches no charge at all. */
  suspend(command: SuspendPayment, nowMs: number): SettlePaymentAnswer {
    const { payment, paymentMethod } = command;
    assert(payment.amount > 0, "a payment moves money");
    if (this.#charges.findPayment(payment.paymentId) !== null) return { kind: "already" };
    return this.#suspend({ ...payment, transactionId: null, paymentMethod }, nowMs);
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

  #suspend(payment: Omit<StoredPayment, "suspended">, nowMs: number): SettlePaymentAnswer {
    this.#charges.addPayment({ ...payment, suspended: true });
    const postings = paymentSuspended(payment.amount);
    this.#post("payment_suspended", payment.transactionId, postings, nowMs);
    this.#moves.note(payment.transactionId, paidBy(payment, false), nowMs);
    return { kind: "suspended" };
  }

  /** What came less the fee, each part in its time; what is due already is available at once. */
  #credit(charge: StoredCharge, payment: SettlePayment["payment"], nowMs: number): void {
    const fee = feeOn(payment.amount, charge.fee);
    const later = releaseSchedule({
      amount: payment.amount - fee,
      paymentMethod: charge.paymentMethod,
      installments: charge.installments,
      releaseDays: charge.releaseDays,
      paidAt: payment.paidAt,
    }).filter((part) => part.dueAt > nowMs);
    this.#releases.add(charge.transactionId, later);
    const postings = chargePaid({
      paid: payment.amount,
      fee,
      awaiting: later.reduce((sum, part) => sum + part.amount, 0),
      owed: this.#ledger.owed(),
    });
    this.#post("charge_paid", charge.transactionId, postings, nowMs);
  }

  #post(
    type: MovementType,
    transactionId: string | null,
    postings: Posting[],
    nowMs: number,
  ): void {
    const about = transactionId === null ? {} : { transactionId };
    this.#ledger.post({ type, postings, ...about }, nowMs);
  }
}

/** What the acquirer called the sale when it decided it stays, as the create's answer showed it. */
function cardChange(charge: StoredCharge, report: CardReport | undefined): Partial<StoredCharge> {
  const code = charge.card?.authorizationCode ?? charge.externalNsu;
  if (report === undefined || code !== null) return {};
  return { card: report.card, externalNsu: report.nsu, refusedReason: report.refusedReason };
}

function paidBy(
  { paymentId, amount, paidAt }: Pick<StoredPayment, "paymentId" | "amount" | "paidAt">,
  expected: boolean,
): Cause {
  return { kind: "payment", id: paymentId, amount, paidAt, expected };
}
