import type { Cents } from "../../domain/shared/money.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore, StoredCharge } from "../charges/charge-store.ts";
import type {
  DisputeReport,
  DisputeSummary,
  RecordDispute,
  RecordDisputeAnswer,
} from "./command-types.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import {
  otherReport,
  refundedAtProvider,
  takenAgain,
  unpaidDispute,
  unpaidFindingKey,
} from "./dispute-findings.ts";
import { operationCause } from "../../domain/charges/charge-history.ts";
import { reportOfRest, type RestReport } from "./dispute-of-rest.ts";
import { causeOf, endedDispute, newDispute, withReportedDetails } from "./dispute-reports.ts";
import type { InsteadRefunds } from "./instead-refunds.ts";
import { refundableAmount } from "../operations/refund-limit.ts";
import type { StoredOperation } from "../operations/operation-store.ts";
import type { ToldSums } from "../operations/told-sums.ts";
import { assert } from "../../lib/assert.ts";
import type { DisputeStore, StoredDispute } from "./dispute-store.ts";
import type { DisputeChange, DisputeTransitions } from "./dispute-transitions.ts";
import type { ExternalRefundStore } from "../operations/external-refund-store.ts";
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
  readonly #instead: InsteadRefunds;
  readonly #toldSums: Pick<ToldSums, "refundsOf" | "covered">;

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
    insteadRefunds: InsteadRefunds;
    toldSums: Pick<ToldSums, "refundsOf" | "covered">;
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
    this.#instead = deps.insteadRefunds;
    this.#toldSums = deps.toldSums;
  }

  /**
   * Books a provider's report of a dispute. The amount that the bank took is booked in full, from
   * `suspense` if the payment is unexpected, else from the company, even if it has refunded or spent
   * it. A dispute belongs to the charge that its payment was credited to; `terms` name the charge
   * of a dispute without a known payment. A report about no payment is a contradiction.
   */
  record(command: RecordDispute, nowMs: number): RecordDisputeAnswer {
    const { report: given, terms } = command;
    const { paymentId } = given;
    const payment = paymentId === undefined ? null : this.#charges.findPayment(paymentId);
    const known = this.#disputes.find(given.id);
    const isKnown = known !== null || this.#suspenseDisputes.find(given.id) !== null;
    const refund = isKnown ? null : this.#refunds.find(given.id);
    if (refund !== null) {
      this.#contradictions.open(refundedAtProvider(refund, given), nowMs);
      return { kind: "contradiction" };
    }
    if (payment?.inSuspense === true) {
      const answer = this.#suspense.recordDispute(payment, given, nowMs);
      if (answer.kind === "recorded") this.#closeUnpaid(given.id, nowMs);
      return answer;
    }
    const transactionId = known?.transactionId ?? payment?.transactionId ?? null;
    const charge = this.#findCharge(transactionId, terms, nowMs);
    if (charge === null || charge.paidAmount === 0) return this.#recordUnpaid(charge, given, nowMs);
    const rest = reportOfRest(given, known, charge, this.#toldSums);
    if (rest.kind === "nothing") return { kind: "already" };
    if (rest.kind === "refunded") return this.#openContradiction(takenAgain(charge, given), nowMs);
    if (rest.kind === "undecided") return this.#recordUndecided(charge, known, rest, nowMs);
    const { report } = rest;
    const beside = known === null ? null : this.#recordBeside(known, report, nowMs);
    if (beside === "again") return this.record(command, nowMs);
    if (beside !== null) return beside;
    if (known !== null && known.status !== "OPEN") {
      return this.#recordEnded(charge, known, report, nowMs);
    }
    if (known?.status === report.status) return this.#recordAmountChange(known, report, nowMs);
    const dispute =
      known === null ? newDispute(charge, report, nowMs) : withReportedDetails(known, report);
    if (report.status === "OPEN") this.#open(charge, dispute, nowMs);
    else if (report.status === "WON") this.#won(charge, dispute, nowMs);
    else this.#lost(charge, dispute, report.amount, nowMs);
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

  /**
   * A refund instead of a dispute has ended. Of a failed one the money goes back to its dispute, or to the company if
   * that was won; if the bank said meanwhile that it took the money, that decides now: it is taken once. So it does for
   * any other refund whose money the bank said that it took.
   */
  refundEnded(refund: StoredOperation, nowMs: number): void {
    const { insteadOf, transactionId, bankTook, hold } = refund;
    if (insteadOf === null) return this.#besideEnded(refund, nowMs);
    const known = this.#disputes.find(insteadOf);
    assert(known !== null && transactionId !== null && hold !== null, "it has a dispute");
    if (refund.status === "DONE") {
      if (bankTook !== null) this.#instead.endBeside(known, bankTook, nowMs);
      return;
    }
    const dispute =
      bankTook === null && known.status !== "OPEN"
        ? known
        : this.#instead.giveHoldBack(refund, known, nowMs);
    if (dispute === known) this.#holds.release("refund_failed", transactionId, hold, nowMs);
    const charge = this.#charges.require(transactionId);
    this.#transitions.apply(charge, {}, operationCause(refund), null, nowMs);
    if (bankTook === null) return;
    this.#lost(this.#charges.require(transactionId), dispute, bankTook, nowMs);
    this.#rechecks.remove("dispute", dispute.id);
  }

  /**
   * Blocks up to `amount` more (centavos) for open disputes that hold less than their amount, after
   * a refused refund or a raised dispute.
   */
  increaseHold(transactionId: string, amount: Cents, nowMs: number): void {
    const underfunded = this.#disputes
      .open(transactionId)
      .filter((dispute) => this.#instead.uncovered(dispute) > 0);
    if (underfunded.length === 0) return;
    // A part that fell due while it was held is released to the company first.
    this.#releases.releaseDue(nowMs);
    let remaining = amount;
    for (const dispute of underfunded) {
      const available = this.#holds.available(transactionId);
      const increase = Math.min(remaining, this.#instead.uncovered(dispute), available);
      if (increase === 0) continue;
      const added = this.#holds.place("dispute_opened", transactionId, increase, nowMs);
      const hold = mergeHolds(dispute.hold, added);
      this.#disputeTransitions.apply({ ...dispute, held: dispute.held + increase, hold }, nowMs);
      remaining -= increase;
    }
  }

  /**
   * A report of a dispute that has a refund in its place; null if that changes nothing. `again`: the refund was
   * cancelled, and the report is booked as any other.
   */
  #recordBeside(
    known: StoredDispute,
    { status, amount }: DisputeReport,
    nowMs: number,
  ): RecordDisputeAnswer | "again" | null {
    if (status === "WON" && this.#instead.isTaken(known)) {
      return this.#openContradiction(otherReport(known, { status, amount }, known.amount), nowMs);
    }
    const taken = status === "LOST" ? this.#instead.take(known, amount, nowMs) : null;
    switch (taken) {
      case null:
        return null;
      case "refund_cancelled":
        return "again";
      case "refund_in_progress":
        return { kind: "recorded" };
      case "known":
        return { kind: "already" };
      case "refund_done":
        this.#instead.endBeside(known, amount, nowMs);
        return { kind: "contradiction" };
    }
  }

  /** A chargeback took what refunds without an answer do not give back: it is open until they end. */
  #recordUndecided(
    charge: StoredCharge,
    known: StoredDispute | null,
    { report, refunds, left }: Extract<RestReport, { kind: "undecided" }>,
    nowMs: number,
  ): RecordDisputeAnswer {
    const isNew = this.#instead.noteTaken(refunds);
    if (known?.status === "OPEN") return { kind: isNew ? "recorded" : "already" };
    this.#open(charge, newDispute(charge, report, nowMs), nowMs, left);
    this.#closeUnpaid(report.id, nowMs);
    if (known === null) return { kind: "recorded" };
    return this.#openContradiction(otherReport(known, report, report.amount), nowMs);
  }

  /** Books what the bank said it took of a payment, once the refunds of it have ended: what they did not give back. */
  #besideEnded({ transactionId }: StoredOperation, nowMs: number): void {
    const dispute = transactionId === null ? null : this.#instead.takenBeside(transactionId);
    if (dispute === null) return;
    const charge = this.#charges.require(dispute.transactionId);
    const amount = refundableAmount(charge, []);
    if (amount === 0) return this.#instead.endBeside(dispute, dispute.amount, nowMs);
    this.#lost(charge, dispute, amount, nowMs);
    this.#rechecks.remove("dispute", dispute.id);
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
    // A won dispute moved no money.
    if (report.status !== "WON") {
      this.#contradictions.open(unpaidDispute(report, charge?.transactionId ?? null), nowMs);
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
      return this.#openContradiction(
        otherReport(known, { status, amount }, known.amount - amount),
        nowMs,
      );
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
    const differs = (by: Cents) =>
      this.#openContradiction(otherReport(known, { status, amount }, by), nowMs);
    if (status === known.status) {
      if (status === "WON" || amount === known.amount) return { kind: "already" };
      return differs(Math.abs(amount - known.amount));
    }
    if (status === "LOST") {
      // The bank took the money after all, so it is booked.
      this.#lost(charge, known, amount, nowMs);
      return differs(amount);
    }
    if (known.kind !== "CHARGEBACK") return differs(known.amount);
    // A reversal of another amount is ambiguous: the rest may follow, or the excess have another cause. So is one of what
    // was not taken: operators know what a correction took.
    const covered = known.covered ?? this.#toldSums.covered(charge, amount);
    if (amount !== known.amount || covered > 0) return differs(amount);
    this.#reverseChargeback(charge, known, nowMs);
    return { kind: "recorded" };
  }

  #openContradiction(finding: Finding, nowMs: number): RecordDisputeAnswer {
    this.#contradictions.open(finding, nowMs);
    return { kind: "contradiction" };
  }

  /** The bank returns a chargeback after a successful second presentment. */
  #reverseChargeback(charge: StoredCharge, dispute: StoredDispute, nowMs: number): void {
    this.#holds.reverseChargeback(charge.transactionId, dispute.amount, nowMs);
    const won: DisputeChange = { ...dispute, status: "WON", covered: null };
    this.#disputeTransitions.apply(won, nowMs);
    this.#transitions.applyChargebackReversal(charge, causeOf(won), nowMs);
  }

  /** Blocks the disputed amount, or what refunds leave of it (centavos), as far as the company has it. */
  #open(charge: StoredCharge, dispute: DisputeChange, nowMs: number, left = dispute.amount): void {
    const { transactionId } = charge;
    const held = Math.min(left, this.#holds.available(transactionId));
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
    const won = endedDispute(dispute, { ...dispute, status: "WON", covered: null });
    this.#disputeTransitions.apply(won, nowMs);
    this.#instead.forgetTaken(transactionId);
    this.#transitions.apply(charge, {}, causeOf(won), null, nowMs);
    const amount = dispute.hold?.available ?? 0;
    if (amount === 0) return;
    this.#releases.announce([{ transactionId, installment: 1, amount }], before, nowMs);
  }

  /**
   * Takes the amount that the bank took, which may be less than it had asked for. What operators took at
   * its charge's end counts as charged back, and is not taken again.
   */
  #lost(charge: StoredCharge, dispute: DisputeChange, amount: Cents, nowMs: number): void {
    const { transactionId } = charge;
    const { kind, hold } = dispute;
    const type = kind === "CHARGEBACK" ? "chargeback" : "dispute_lost";
    const covered = this.#toldSums.covered(charge, amount);
    const taken = amount - covered;
    const isPartial = hold !== null && taken < dispute.held;
    if (isPartial) this.#holds.release("dispute_reduced", transactionId, hold, nowMs);
    const blocked = isPartial ? 0 : dispute.held;
    if (taken > 0) this.#holds.clawBack(type, transactionId, taken, blocked, nowMs);
    const lost = endedDispute(dispute, { status: "LOST", amount, covered });
    this.#disputeTransitions.apply(lost, nowMs);
    // Only PIX has the MED (BACEN).
    const isMed = kind === "DISPUTE" && charge.endToEndId !== null;
    const reason = isMed ? "MED" : "CHARGEBACK";
    this.#transitions.applyRefund(charge, amount, reason, causeOf(lost), nowMs);
  }
}
