import type { Cents } from "../../domain/shared/money.ts";
import type { Cause } from "../../domain/charges/charge-history.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore, StoredCharge } from "../charges/charge-store.ts";
import type {
  DisputeReport,
  DisputeSummary,
  RecordDispute,
  RecordDisputeAnswer,
} from "./command-types.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import { deadlineOf, reasonOf } from "../../domain/disputes/dispute.ts";
import { reportOfRest } from "./dispute-of-rest.ts";
import type { DisputeStore, StoredDispute } from "./dispute-store.ts";
import type { DisputeChange, DisputeTransitions } from "./dispute-transitions.ts";
import type { ExternalRefund, ExternalRefundStore } from "../operations/external-refund-store.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import { mergeHolds, type Holds } from "../ledger/holds.ts";
import { needsRecheck, type RecheckStore } from "../runtime/recheck-store.ts";
import type { ReleaseCommands } from "../releases/release-commands.ts";
import type { SuspenseDisputeStore } from "./suspense-dispute-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";

/**
 * A payer's bank asks money back: a dispute (for PIX a MED) blocks it until it is decided, a
 * chargeback has already taken it. Every method runs inside one `transactionSync`.
 */
export class DisputeCommands {
  readonly #charges: ChargeStore;
  readonly #disputes: DisputeStore;
  readonly #disputeTransitions: DisputeTransitions;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #releases: ReleaseCommands;
  readonly #suspenseDisputes: SuspenseDisputeStore;
  readonly #suspense: SuspenseCommands;
  readonly #refunds: ExternalRefundStore;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;
  readonly #operations: Pick<OperationStore, "listByTransaction">;

  constructor(deps: {
    charges: ChargeStore;
    disputes: DisputeStore;
    disputeTransitions: DisputeTransitions;
    transitions: ChargeTransitions;
    holds: Holds;
    releases: ReleaseCommands;
    suspenseDisputes: SuspenseDisputeStore;
    suspense: SuspenseCommands;
    externalRefunds: ExternalRefundStore;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
    operations: Pick<OperationStore, "listByTransaction">;
  }) {
    this.#charges = deps.charges;
    this.#disputes = deps.disputes;
    this.#disputeTransitions = deps.disputeTransitions;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#releases = deps.releases;
    this.#suspenseDisputes = deps.suspenseDisputes;
    this.#suspense = deps.suspense;
    this.#refunds = deps.externalRefunds;
    this.#rechecks = deps.rechecks;
    this.#contradictions = deps.contradictions;
    this.#operations = deps.operations;
  }

  /**
   * Books a provider's report of a dispute. The amount that the bank took is booked in full, from
   * `suspense` if the payment is unexpected, else from the company, even if it has refunded or spent
   * it. A dispute belongs to the charge that its payment was credited to; `terms` name the charge
   * of a dispute without a known payment. A report about no payment is a contradiction.
   */
  record({ report: given, terms }: RecordDispute, nowMs: number): RecordDisputeAnswer {
    const { paymentId } = given;
    const payment = paymentId === undefined ? null : this.#charges.findPayment(paymentId);
    const known = this.#disputes.find(given.id);
    const isKnown = known !== null || this.#suspenseDisputes.find(given.id) !== null;
    const refund = isKnown ? null : this.#refunds.find(given.id);
    if (refund !== null) return this.#contradictRefund(refund, given, nowMs);
    if (payment?.inSuspense === true) {
      const answer = this.#suspense.recordDispute(payment, given, nowMs);
      if (answer.kind === "recorded") this.#closeUnpaid(given.id, nowMs);
      return answer;
    }
    const transactionId = known?.transactionId ?? payment?.transactionId ?? null;
    const charge = this.#findCharge(transactionId, terms, nowMs);
    if (charge === null || charge.paidAmount === 0) return this.#recordUnpaid(charge, given, nowMs);
    const report = reportOfRest(given, known, charge, this.#operations);
    if (report === null) return { kind: "already" };
    if (known !== null && known.status !== "OPEN") {
      return this.#recordEnded(charge, known, report, nowMs);
    }
    if (known?.status === report.status) return this.#recordAmountChange(known, report, nowMs);
    const dispute =
      known === null ? newDispute(charge, report, nowMs) : withReportedDetails(known, report);
    switch (report.status) {
      case "OPEN":
        this.#open(charge, dispute, nowMs);
        break;
      case "WON":
        this.#won(charge, dispute, nowMs);
        break;
      case "LOST":
        this.#lost(charge, dispute, report.amount, nowMs);
        break;
    }
    if (report.status !== "OPEN") this.#rechecks.remove("dispute", report.id);
    else if (needsRecheck(charge.account)) this.#rechecks.add("dispute", report.id, nowMs);
    this.#closeUnpaid(report.id, nowMs);
    return { kind: "recorded" };
  }

  /** A dispute's status, account, and its transaction or payment; null if the id is unknown. */
  find(disputeId: string): DisputeSummary | null {
    const dispute = this.#disputes.find(disputeId);
    if (dispute !== null) {
      const { transactionId, status } = dispute;
      const { account, paymentId } = this.#charges.require(transactionId);
      const isOfPayment = paymentId !== null && this.#suspense.wasReassigned(paymentId);
      return isOfPayment
        ? { transactionId: null, paymentId, account, status }
        : { transactionId, paymentId: null, account, status };
    }
    const suspenseDispute = this.#suspenseDisputes.find(disputeId);
    const payment =
      suspenseDispute === null ? null : this.#charges.findPayment(suspenseDispute.paymentId);
    if (suspenseDispute === null || payment === null) return null;
    const { paymentId, status } = suspenseDispute;
    return { transactionId: null, paymentId, account: payment.account, status };
  }

  /** Whether a transaction has an open dispute. */
  isOpen(transactionId: string): boolean {
    return this.#disputes.open(transactionId).length > 0;
  }

  /**
   * Blocks up to `amount` more (centavos) for open disputes that hold less than their amount, after
   * a refused refund or a raised dispute.
   */
  increaseHold(transactionId: string, amount: Cents, nowMs: number): void {
    const underfunded = this.#disputes
      .open(transactionId)
      .filter(({ held, amount: disputed }) => held < disputed);
    if (underfunded.length === 0) return;
    // A part that fell due while it was held is released to the company first.
    this.#releases.releaseDue(nowMs);
    let remaining = amount;
    for (const dispute of underfunded) {
      const available = this.#holds.available(transactionId);
      const increase = Math.min(remaining, dispute.amount - dispute.held, available);
      if (increase === 0) continue;
      const added = this.#holds.place("dispute_opened", transactionId, increase, nowMs);
      const hold = mergeHolds(dispute.hold, added);
      this.#disputeTransitions.apply({ ...dispute, held: dispute.held + increase, hold }, nowMs);
      remaining -= increase;
    }
  }

  #findCharge(
    transactionId: string | null,
    terms: RecordDispute["terms"],
    nowMs: number,
  ): StoredCharge | null {
    if (transactionId !== null) return this.#charges.require(transactionId);
    return terms === null ? null : this.#charges.findOrInitial(terms, nowMs);
  }

  /** Records a dispute without a known payment. A lost amount is held. */
  #recordUnpaid(
    charge: StoredCharge | null,
    report: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer {
    const { id, paymentId, amount, status } = report;
    // A won dispute moved no money.
    if (status !== "WON") {
      this.#contradictions.open(
        {
          finding: unpaidFindingKey(id, status),
          kind: "dispute_status",
          object: charge?.transactionId ?? `payment:${paymentId ?? id}`,
          said: { disputeId: id, status, amount },
          booked: { paidAmount: 0 },
          amount,
          held: status === "LOST" ? amount : 0,
        },
        nowMs,
      );
    }
    return charge === null ? { kind: "not_found" } : { kind: "not_allowed", status: charge.status };
  }

  /** Closes the contradiction of a dispute that was reported before its payment. */
  #closeUnpaid(id: string, nowMs: number): void {
    for (const status of ["OPEN", "LOST"] as const) {
      this.#contradictions.close(unpaidFindingKey(id, status), "Its payment is known.", nowMs);
    }
  }

  /**
   * An open dispute is reported again. A higher amount is blocked; a lower one is a contradiction.
   */
  #recordAmountChange(
    known: StoredDispute,
    report: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer {
    const { amount, status } = report;
    const dispute = withReportedDetails(known, report);
    if (amount === known.amount) {
      if (known.number !== null && dispute.deadline === known.deadline) return { kind: "already" };
      this.#disputeTransitions.apply(dispute, nowMs);
      return { kind: "recorded" };
    }
    if (amount < known.amount) {
      return this.#openContradiction(known, { status, amount }, known.amount - amount, nowMs);
    }
    this.#disputeTransitions.apply({ ...dispute, amount }, nowMs);
    this.increaseHold(known.transactionId, amount - known.amount, nowMs);
    const charge = this.#charges.require(known.transactionId);
    this.#transitions.apply(charge, {}, causeOf({ ...known, amount }), null, nowMs);
    return { kind: "recorded" };
  }

  /** A report of a dispute that has ended. */
  #recordEnded(
    charge: StoredCharge,
    known: StoredDispute,
    { status, amount }: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer {
    // A lagging list may still report an ended dispute as open.
    if (status === "OPEN") return { kind: "already" };
    if (status === known.status) {
      if (status === "WON" || amount === known.amount) return { kind: "already" };
      return this.#openContradiction(
        known,
        { status, amount },
        Math.abs(amount - known.amount),
        nowMs,
      );
    }
    if (status === "LOST") {
      // The bank took the money after all, so it is booked.
      this.#lost(charge, known, amount, nowMs);
      return this.#openContradiction(known, { status, amount }, amount, nowMs);
    }
    if (known.kind !== "CHARGEBACK") {
      return this.#openContradiction(known, { status, amount }, known.amount, nowMs);
    }
    // A reversal of another amount is ambiguous: the rest may follow, or the excess have another
    // cause.
    if (amount !== known.amount) {
      return this.#openContradiction(known, { status, amount }, amount, nowMs);
    }
    this.#reverseChargeback(charge, known, nowMs);
    return { kind: "recorded" };
  }

  /**
   * Opens a contradiction to the booked dispute. Held: the amount that the bank took beyond the
   * books.
   */
  #openContradiction(
    known: StoredDispute,
    reported: Pick<DisputeReport, "status" | "amount">,
    amount: Cents,
    nowMs: number,
  ): RecordDisputeAnswer {
    const isOtherStatus = reported.status !== known.status;
    this.#contradictions.open(
      {
        finding: `dispute_status:${known.id}:${reported.status}:${reported.amount}`,
        kind: "dispute_status",
        object: known.transactionId,
        said: { disputeId: known.id, ...reported },
        booked: { status: known.status, amount: known.amount },
        amount,
        held: isOtherStatus ? 0 : Math.max(0, reported.amount - known.amount),
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /**
   * The same money was booked as an external refund, so it is not taken twice. Held: the bank's
   * excess.
   */
  #contradictRefund(
    refund: ExternalRefund,
    { id, status, amount }: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer {
    const { transactionId, paymentId } = refund;
    const excess = status === "LOST" ? Math.max(0, amount - refund.amount) : 0;
    this.#contradictions.open(
      {
        finding: `dispute_status:${id}:refund${excess === 0 ? "" : `:${amount}`}`,
        kind: "dispute_status",
        object: transactionId ?? `payment:${paymentId}`,
        said: { disputeId: id, status, amount },
        booked: { refundId: id, amount: refund.amount },
        amount,
        held: excess,
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /** The bank returns a chargeback after a successful second presentment. */
  #reverseChargeback(charge: StoredCharge, dispute: StoredDispute, nowMs: number): void {
    this.#holds.reverseChargeback(charge.transactionId, dispute.amount, nowMs);
    const won: DisputeChange = { ...dispute, status: "WON" };
    this.#disputeTransitions.apply(won, nowMs);
    this.#transitions.applyChargebackReversal(charge, causeOf(won), nowMs);
  }

  /** Blocks the disputed amount, as far as the company has it. */
  #open(charge: StoredCharge, dispute: DisputeChange, nowMs: number): void {
    const { transactionId } = charge;
    const held = Math.min(dispute.amount, this.#holds.available(transactionId));
    const hold =
      held === 0 ? null : this.#holds.place("dispute_opened", transactionId, held, nowMs);
    const opened: DisputeChange = { ...dispute, held, hold, status: "OPEN" };
    this.#disputeTransitions.apply(opened, nowMs);
    this.#transitions.apply(charge, {}, causeOf(opened), "transaction.disputed", nowMs);
  }

  #won(charge: StoredCharge, dispute: DisputeChange, nowMs: number): void {
    const { transactionId } = charge;
    const before = this.#releases.balances();
    if (dispute.hold !== null) {
      this.#holds.release("dispute_won", transactionId, dispute.hold, nowMs);
    }
    const won: DisputeChange = { ...dispute, held: 0, hold: null, status: "WON" };
    this.#disputeTransitions.apply(won, nowMs);
    this.#transitions.apply(charge, {}, causeOf(won), null, nowMs);
    const amount = dispute.hold?.available ?? 0;
    if (amount === 0) return;
    this.#releases.announce([{ transactionId, installment: 1, amount }], before, nowMs);
  }

  /** Takes the amount that the bank took, which may be less than it had asked for. */
  #lost(charge: StoredCharge, dispute: DisputeChange, amount: Cents, nowMs: number): void {
    const { transactionId } = charge;
    const { kind, hold } = dispute;
    const type = kind === "CHARGEBACK" ? "chargeback" : "dispute_lost";
    const isPartial = hold !== null && amount < dispute.held;
    if (isPartial) this.#holds.release("dispute_reduced", transactionId, hold, nowMs);
    this.#holds.clawBack(type, transactionId, amount, isPartial ? 0 : dispute.held, nowMs);
    const lost: DisputeChange = { ...dispute, amount, held: 0, hold: null, status: "LOST" };
    this.#disputeTransitions.apply(lost, nowMs);
    // Only PIX has the MED (BACEN).
    const isMed = kind === "DISPUTE" && charge.endToEndId !== null;
    const reason = isMed ? "MED" : "CHARGEBACK";
    this.#transitions.applyRefund(charge, amount, reason, causeOf(lost), nowMs);
  }
}

function causeOf({ id, kind, amount, status }: DisputeChange): Cause {
  return { kind: "dispute", id, dispute: kind, amount, status };
}

function unpaidFindingKey(id: string, status: DisputeReport["status"]): string {
  return `dispute_status:${id}:unpaid:${status}`;
}

/** A known dispute with the reason and the deadline of a report that has any. */
function withReportedDetails(known: StoredDispute, report: DisputeReport): StoredDispute {
  const reason = reasonOf(known.kind, report.reason ?? known.reason);
  return { ...known, reason, deadline: report.deadline ?? known.deadline };
}

function newDispute(charge: StoredCharge, report: DisputeReport, nowMs: number): DisputeChange {
  const reason = reasonOf(report.kind, report.reason);
  return {
    id: report.id,
    kind: report.kind,
    transactionId: charge.transactionId,
    amount: report.amount,
    held: 0,
    hold: null,
    status: report.status,
    reason,
    deadline: deadlineOf({ ...report, reason }, nowMs),
    createdAt: nowMs,
  };
}
