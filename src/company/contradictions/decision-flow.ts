import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import {
  ACTIONS_OF,
  isSameDecision,
  isWithinQuestion,
  paymentOfObject,
  type Contradiction,
  type CorrectionDetails,
  type Proposal,
} from "../../domain/reconciliation/contradiction.ts";
import { corrected } from "../../domain/ledger/ledger.ts";
import { withdrawOfObject } from "../../domain/shared/object-id.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { ClaimedReturn, DecideContradiction, DecideContradictionAnswer } from "../commands.ts";
import type { ContradictionStore } from "./contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { OperationFlow } from "../operations/operation-flow.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

/** Credits a payment that was set aside to a charge that expects one. */
interface SuspensePayments {
  creditSuspended(
    paymentId: string,
    terms: ChargeTerms,
    nowMs: number,
  ):
    | { kind: "credited" | "not_found" | "returned" | "disputed" }
    | { kind: "not_allowed"; status: ChargeStatus };
}

/** Books a withdraw as paid that was undone here; false where it has moved on. */
interface UndonePayouts {
  applyContradiction(id: number, to: "paid", nowMs: number): boolean;
}

/** What came of carrying a decision out. Where it was not possible, nothing was written. */
type CarriedOut =
  | { kind: "done"; claimed: ClaimedReturn | null }
  | { kind: "not_possible"; reason: string };

const DONE: CarriedOut = { kind: "done", claimed: null };

/**
 * How a contradiction ends: one operator proposes, another one agrees by saying the same, and what that
 * books is booked in the commit that closes it. Every method runs inside one `transactionSync`.
 */
export class DecisionFlow {
  readonly #contradictions: ContradictionStore;
  readonly #ledger: LedgerStore;
  readonly #charges: SuspensePayments;
  readonly #withdraws: UndonePayouts;
  readonly #operations: Pick<OperationFlow, "requestReturn">;
  readonly #outbox: Pick<OutboxStore, "retrySetAside" | "dropSetAside">;

  constructor(parts: {
    contradictions: ContradictionStore;
    ledger: LedgerStore;
    charges: SuspensePayments;
    withdraws: UndonePayouts;
    operations: Pick<OperationFlow, "requestReturn">;
    outbox: Pick<OutboxStore, "retrySetAside" | "dropSetAside">;
  }) {
    this.#contradictions = parts.contradictions;
    this.#ledger = parts.ledger;
    this.#charges = parts.charges;
    this.#withdraws = parts.withdraws;
    this.#operations = parts.operations;
    this.#outbox = parts.outbox;
  }

  /** The first operator's word is a proposal, and so is any other than the proposal that stands. */
  decide(command: DecideContradiction, nowMs: number): DecideContradictionAnswer {
    const { number, decision, by } = command;
    const found = this.#contradictions.find(number);
    if (found === null) return { kind: "not_found" };
    if (found.decision !== null) {
      const isRepeat = found.decision.agreedBy === by && isSameDecision(found.decision, decision);
      if (!isRepeat) return { kind: "decided_before" };
      return { kind: "decided", contradiction: found, claimed: null };
    }
    const allowed = ACTIONS_OF[found.kind];
    if (!allowed.includes(decision.action)) return { kind: "action_not_allowed", allowed };
    if (!isWithinQuestion(found, decision)) {
      return { kind: "not_possible", reason: "It corrects more than is in question" };
    }
    const { proposal } = found;
    if (proposal === null || !isSameDecision(proposal, decision)) {
      this.#contradictions.propose(found, decision, by, nowMs);
      return { kind: "proposed", contradiction: this.#require(number) };
    }
    if (proposal.by === by) return { kind: "own_proposal" };
    const outcome = this.#carryOut(found, proposal, command, nowMs);
    if (outcome.kind === "not_possible") return outcome;
    this.#contradictions.decide(found, proposal, by, nowMs);
    const { claimed } = outcome;
    return { kind: "decided", contradiction: this.#require(number), claimed };
  }

  #carryOut(
    found: Contradiction,
    proposal: Proposal,
    command: DecideContradiction,
    nowMs: number,
  ): CarriedOut {
    switch (proposal.action) {
      case "correct":
        return this.#correct(found, proposal, command.by, nowMs);
      case "credit":
        return this.#credit(found, command, nowMs);
      case "return":
        return this.#return(found, command, nowMs);
      case "apply":
        return this.#apply(found, nowMs);
      case "retry":
        this.#outbox.retrySetAside(found.object);
        return DONE;
      case "dismiss":
        if (found.kind === "entry_set_aside") this.#outbox.dropSetAside(found.object);
        return DONE;
    }
  }

  #correct(
    { number }: Contradiction,
    { amount, reason, by: proposedBy }: Proposal,
    agreedBy: string,
    nowMs: number,
  ): CarriedOut {
    assert(amount !== null && amount !== 0, "a correction says how much");
    const has = { available: this.#ledger.balance("available"), owed: this.#ledger.owed() };
    const details: CorrectionDetails = { contradiction: number, reason, proposedBy, agreedBy };
    const postings = corrected(amount, has);
    this.#ledger.post({ type: "correction", postings, details }, nowMs);
    return DONE;
  }

  #credit({ object }: Contradiction, { terms }: DecideContradiction, nowMs: number): CarriedOut {
    assert(terms !== null, "a credit names its charge");
    const answer = this.#charges.creditSuspended(paymentOf(object), terms, nowMs);
    switch (answer.kind) {
      case "credited":
        return DONE;
      case "not_found":
        return { kind: "not_possible", reason: "The payment is no longer set aside" };
      case "returned":
        return { kind: "not_possible", reason: "The payment goes back, or has gone back" };
      case "disputed":
        return { kind: "not_possible", reason: "The payer's bank asks the payment back" };
      case "not_allowed":
        return { kind: "not_possible", reason: `The charge is ${answer.status}` };
    }
  }

  #return({ object }: Contradiction, command: DecideContradiction, nowMs: number): CarriedOut {
    const paymentId = paymentOf(object);
    const answer = this.#operations.requestReturn({ ...command, paymentId }, nowMs);
    if (answer.kind === "send" || answer.kind === "ask") return { kind: "done", claimed: answer };
    if (answer.kind === "disputed") {
      return { kind: "not_possible", reason: "The payer's bank asks the payment back" };
    }
    const isUnderWay = answer.kind === "answered" || answer.kind === "in_progress";
    return isUnderWay ? DONE : { kind: "not_possible", reason: "The payment cannot be returned" };
  }

  /** Books again what was undone here and is paid there. */
  #apply({ object, finding }: Contradiction, nowMs: number): CarriedOut {
    const withdrawId = withdrawOfObject(object);
    const isPaid = finding.endsWith(":Paid");
    if (withdrawId === null || !isPaid) {
      return {
        kind: "not_possible",
        reason: "Only a payout that was paid after all can be applied",
      };
    }
    const isApplied = this.#withdraws.applyContradiction(withdrawId, "paid", nowMs);
    return isApplied ? DONE : { kind: "not_possible", reason: "The withdraw has moved on" };
  }

  #require(number: number): Contradiction {
    const contradiction = this.#contradictions.find(number);
    assert(contradiction !== null, `contradiction ${number} is there`);
    return contradiction;
  }
}

function paymentOf(object: string): string {
  const paymentId = paymentOfObject(object);
  assert(paymentId !== null, "a payment set aside is a payment");
  return paymentId;
}
