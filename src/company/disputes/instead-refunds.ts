import { operationCause } from "../../domain/charges/charge-history.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import { mergeHolds, type Hold, type Holds } from "../ledger/holds.ts";
import type { OperationEnds } from "../operations/operation-ends.ts";
import type { OperationStore, StoredOperation } from "../operations/operation-store.ts";
import type { DisputeStore, StoredDispute } from "./dispute-store.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { RecheckStore } from "../runtime/recheck-store.ts";
import { takenBesideRefund } from "./dispute-findings.ts";
import { causeOf } from "./dispute-reports.ts";
import type { DisputeChange, DisputeTransitions } from "./dispute-transitions.ts";

/** `dispute`: what the refund stands instead of; null for any other refund. */
type AskedInstead =
  | { kind: "possible"; dispute: StoredDispute | null }
  | { kind: "disputed" | "dispute_not_open" | "refunded_instead" }
  | { kind: "not_disputed_amount"; disputed: Cents };

/** The bank says that it took this much for a dispute that has a refund in its place. */
export type TakenBeside = "refund_cancelled" | "refund_in_progress" | "known" | "refund_done";

/**
 * Refunds that stand instead of an open dispute: the company gives back what the payer's bank asks for, before that
 * takes it. The blocked money goes from the dispute to the refund, and comes back if that fails, so that it is in
 * one of the two at any time. Every method runs inside one `transactionSync`.
 */
export class InsteadRefunds {
  readonly #disputes: DisputeStore;
  readonly #disputeTransitions: DisputeTransitions;
  readonly #operations: OperationStore;
  readonly #ends: OperationEnds;
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    disputes: DisputeStore;
    disputeTransitions: DisputeTransitions;
    operations: OperationStore;
    operationEnds: OperationEnds;
    charges: ChargeStore;
    transitions: ChargeTransitions;
    holds: Holds;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
  }) {
    this.#disputes = deps.disputes;
    this.#disputeTransitions = deps.disputeTransitions;
    this.#operations = deps.operations;
    this.#ends = deps.operationEnds;
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#rechecks = deps.rechecks;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Whether the disputes of a transaction allow a refund. Instead of one: exactly its amount (centavos; null asks for
   * it), while it is open and the only open one, and has no refund in its place yet.
   */
  ask(transactionId: string, insteadOf: string | null, amount: Cents | null): AskedInstead {
    const open = this.#disputes.open(transactionId);
    if (insteadOf === null) {
      return open.length > 0 ? { kind: "disputed" } : { kind: "possible", dispute: null };
    }
    const dispute = open.find(({ id }) => id === insteadOf);
    if (dispute === undefined) return { kind: "dispute_not_open" };
    if (open.length > 1) return { kind: "disputed" };
    if (this.#operations.findInsteadOf(dispute) !== null) return { kind: "refunded_instead" };
    if (amount !== null && amount !== dispute.amount) {
      return { kind: "not_disputed_amount", disputed: dispute.amount };
    }
    return { kind: "possible", dispute };
  }

  /** The hold of a refund: the dispute's, and what that lacks of the amount (centavos), which is there. */
  takeHold(dispute: StoredDispute, amount: Cents, nowMs: number): Hold {
    const { transactionId, held, hold } = dispute;
    assert(held <= amount, "a dispute holds no more than it asks back");
    this.#disputeTransitions.apply({ ...dispute, held: 0, hold: null }, nowMs);
    if (hold !== null && held === amount) return hold;
    const added = this.#holds.place("refund_requested", transactionId, amount - held, nowMs);
    return mergeHolds(hold, added);
  }

  /** Why a refund may not be approved any more, as far as disputes go; null if it may. */
  approvalBlocker(transactionId: string, insteadOf: string | null): string | null {
    const open = this.#disputes.open(transactionId);
    if (insteadOf !== null && !open.some(({ id }) => id === insteadOf)) {
      return "The dispute that it stands instead of has ended";
    }
    const others = open.filter(({ id }) => id !== insteadOf);
    return others.length > 0 ? "The transaction has an open dispute" : null;
  }

  /** What of a dispute's amount is neither blocked for it nor in a refund in its place, in centavos. */
  uncovered(dispute: StoredDispute): Cents {
    const refund = this.#operations.findInsteadOf(dispute);
    return Math.max(0, dispute.amount - dispute.held - (refund?.amount ?? 0));
  }

  /** Whether the bank said that it took the money of a dispute while a refund in its place has no end yet. */
  isTaken(dispute: StoredDispute): boolean {
    const refund = this.#operations.findInsteadOf(dispute);
    return refund !== null && refund.bankTook !== null;
  }

  /**
   * The bank says that it took `amount` (centavos) for a dispute. Null if that has no refund in its place. A refund
   * that nobody has sent is cancelled. One that may have been sent keeps the money until its end, which decides.
   */
  take(dispute: StoredDispute, amount: Cents, nowMs: number): TakenBeside | null {
    const refund = this.#operations.findInsteadOf(dispute);
    if (refund === null) return null;
    if (refund.status === "DONE") return dispute.status === "LOST" ? "known" : "refund_done";
    if (refund.sentAt === null) {
      this.#cancel(refund, dispute, nowMs);
      return "refund_cancelled";
    }
    if (refund.bankTook !== null) return "known";
    this.#operations.update({ ...refund, bankTook: amount });
    return "refund_in_progress";
  }

  /** Gives a failed refund's money back to its dispute, whose newest state it returns. */
  giveHoldBack(refund: StoredOperation, dispute: StoredDispute, nowMs: number): StoredDispute {
    assert(refund.hold !== null, "a refund has a hold");
    const held = dispute.held + refund.amount;
    const hold = mergeHolds(dispute.hold, refund.hold);
    this.#disputeTransitions.apply({ ...dispute, held, hold }, nowMs);
    const returned = this.#disputes.find(dispute.id);
    assert(returned !== null, "the dispute is there");
    return returned;
  }

  /**
   * The payer has the refund, and the bank says that it took the money too: that is booked once, and operators find out
   * whether it left twice. Held: all that the bank says it took.
   */
  endBeside(known: StoredDispute, amount: Cents, nowMs: number): void {
    const { id, transactionId, hold } = known;
    if (hold !== null) this.#holds.release("dispute_reduced", transactionId, hold, nowMs);
    const lost: DisputeChange = { ...known, held: 0, hold: null, status: "LOST" };
    this.#disputeTransitions.apply(lost, nowMs);
    const charge = this.#charges.require(transactionId);
    this.#transitions.apply(charge, {}, causeOf(lost), null, nowMs);
    this.#rechecks.remove("dispute", id);
    this.#contradictions.open(takenBesideRefund(known, amount), nowMs);
  }

  /**
   * Remembers that the bank says it took the money of refunds that were sent: their end decides, and nobody sends them
   * again. False where that is known.
   */
  noteTaken(refunds: readonly StoredOperation[]): boolean {
    const unknown = refunds.filter(({ bankTook }) => bankTook === null);
    for (const refund of unknown) this.#operations.update({ ...refund, bankTook: refund.amount });
    return unknown.length > 0;
  }

  /** A chargeback was won: its bank took nothing of refunds that have no end yet. */
  forgetTaken(transactionId: string): void {
    for (const refund of this.#taken(transactionId)) {
      if (refund.status === "PENDING") this.#operations.update({ ...refund, bankTook: null });
    }
  }

  /** The lost chargeback that refunds of `noteTaken` decide; null while one of them has no end, or where it has ended. */
  takenBeside(transactionId: string): StoredDispute | null {
    const dispute = this.#disputes.open(transactionId).find(({ kind }) => kind === "CHARGEBACK");
    const isUndecided = this.#taken(transactionId).some(({ status }) => status === "PENDING");
    return isUndecided ? null : (dispute ?? null);
  }

  #taken(transactionId: string): StoredOperation[] {
    return this.#operations
      .listByTransaction("refund", transactionId)
      .filter(({ bankTook, insteadOf }) => bankTook !== null && insteadOf === null);
  }

  #cancel(refund: StoredOperation, dispute: StoredDispute, nowMs: number): void {
    const approval = refund.approval === "pending" ? "refused" : refund.approval;
    const reason = "The bank took the money of the dispute first.";
    const ended = this.#ends.end({ ...refund, approval }, { kind: "failed", reason });
    if (dispute.status === "OPEN") this.giveHoldBack(refund, dispute, nowMs);
    else {
      assert(refund.hold !== null, "a refund has a hold");
      this.#holds.release("refund_failed", dispute.transactionId, refund.hold, nowMs);
    }
    const charge = this.#charges.require(dispute.transactionId);
    this.#transitions.apply(charge, {}, operationCause(ended), null, nowMs);
  }
}
