import type { Requester } from "../../domain/access/requester.ts";
import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import {
  ALLOWED_ACTIONS,
  isSameDecision,
  isCorrectionWithinAmount,
  paymentIdOfSubject,
  type Contradiction,
  type CorrectionDetails,
  type Proposal,
} from "../../domain/reconciliation/contradiction.ts";
import { correctionPosted } from "../../domain/ledger/ledger.ts";
import { withdrawIdOfSubject } from "../../domain/shared/event-subject.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type {
  ClaimedReturn,
  DecideContradiction,
  DecideContradictionAnswer,
} from "../rpc-types.ts";
import type { ContradictionStore } from "./contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { OperationCommands } from "../operations/operation-commands.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

/** Credits a suspended payment to a charge that expects one. */
interface SuspensePayments {
  creditSuspended(
    paymentId: string,
    terms: ChargeTerms,
    nowMs: number,
  ):
    | { kind: "credited" | "not_found" | "returned" | "disputed" }
    | { kind: "not_allowed"; status: ChargeStatus };
}

/** Books a failed or cancelled withdraw as paid; false if its status has changed since. */
interface ReversedPayouts {
  applyContradiction(id: number, to: "paid", nowMs: number): boolean;
}

/** Result of a decision; `not_possible` has written nothing. */
type ExecutionResult =
  | { kind: "done"; claimed: ClaimedReturn | null }
  | { kind: "not_possible"; reason: string };

const DONE: ExecutionResult = { kind: "done", claimed: null };

/**
 * Two operators end a contradiction (decision 0041): one proposes, another one sends the same
 * decision, and the commit that closes it also books it. Every method runs inside one
 * `transactionSync`.
 */
export class ContradictionCommands {
  readonly #contradictions: ContradictionStore;
  readonly #ledger: LedgerStore;
  readonly #charges: SuspensePayments;
  readonly #withdraws: ReversedPayouts;
  readonly #operations: Pick<OperationCommands, "requestReturn">;
  readonly #outbox: Pick<OutboxStore, "retrySetAside" | "dropSetAside">;

  constructor(deps: {
    contradictions: ContradictionStore;
    ledger: LedgerStore;
    charges: SuspensePayments;
    withdraws: ReversedPayouts;
    operations: Pick<OperationCommands, "requestReturn">;
    outbox: Pick<OutboxStore, "retrySetAside" | "dropSetAside">;
  }) {
    this.#contradictions = deps.contradictions;
    this.#ledger = deps.ledger;
    this.#charges = deps.charges;
    this.#withdraws = deps.withdraws;
    this.#operations = deps.operations;
    this.#outbox = deps.outbox;
  }

  /**
   * Executes a decision that another operator has proposed; any other decision is a new proposal.
   */
  decide(command: DecideContradiction, nowMs: number): DecideContradictionAnswer {
    const { number, decision, by } = command;
    const found = this.#contradictions.find(number);
    if (found === null) return { kind: "not_found" };
    if (found.decision !== null) {
      const isRetry = found.decision.agreedBy === by && isSameDecision(found.decision, decision);
      if (!isRetry) return { kind: "decided_before" };
      return { kind: "decided", contradiction: found, claimed: null };
    }
    const allowed = ALLOWED_ACTIONS[found.kind];
    if (!allowed.includes(decision.action)) return { kind: "action_not_allowed", allowed };
    if (!isCorrectionWithinAmount(found, decision)) {
      return {
        kind: "not_possible",
        reason: "The correction exceeds the amount of the contradiction",
      };
    }
    const { proposal } = found;
    if (proposal === null || !isSameDecision(proposal, decision)) {
      this.#contradictions.propose(found, decision, by, nowMs);
      return { kind: "proposed", contradiction: this.#require(number) };
    }
    if (proposal.by === by) return { kind: "own_proposal" };
    const outcome = this.#execute(found, proposal, command, nowMs);
    if (outcome.kind === "not_possible") return outcome;
    this.#contradictions.decide(found, proposal, by, nowMs);
    const { claimed } = outcome;
    return { kind: "decided", contradiction: this.#require(number), claimed };
  }

  #execute(
    found: Contradiction,
    proposal: Proposal,
    command: DecideContradiction,
    nowMs: number,
  ): ExecutionResult {
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
  ): ExecutionResult {
    assert(amount !== null && amount !== 0, "a correction has an amount");
    const funds = { available: this.#ledger.balance("available"), debt: this.#ledger.debt() };
    const details: CorrectionDetails = { contradiction: number, reason, proposedBy, agreedBy };
    const postings = correctionPosted(amount, funds);
    this.#ledger.post({ type: "correction", postings, details }, nowMs);
    return DONE;
  }

  #credit(
    { object }: Contradiction,
    { terms }: DecideContradiction,
    nowMs: number,
  ): ExecutionResult {
    assert(terms !== null, "a credit has the terms of its charge");
    const answer = this.#charges.creditSuspended(paymentOf(object), terms, nowMs);
    switch (answer.kind) {
      case "credited":
        return DONE;
      case "not_found":
        return { kind: "not_possible", reason: "The payment is no longer in suspense" };
      case "returned":
        return {
          kind: "not_possible",
          reason: "The payment is being returned or was returned already",
        };
      case "disputed":
        return { kind: "not_possible", reason: "The payer's bank disputes the payment" };
      case "not_allowed":
        return { kind: "not_possible", reason: `The charge is ${answer.status}` };
    }
  }

  #return({ object }: Contradiction, command: DecideContradiction, nowMs: number): ExecutionResult {
    const paymentId = paymentOf(object);
    const answer = this.#operations.requestReturn(
      { ...command, paymentId, requestedBy: operatorAsRequester(command.by) },
      nowMs,
    );
    if (answer.kind === "send" || answer.kind === "query") return { kind: "done", claimed: answer };
    if (answer.kind === "disputed") {
      return { kind: "not_possible", reason: "The payer's bank disputes the payment" };
    }
    const isInProgress = answer.kind === "answered" || answer.kind === "in_progress";
    return isInProgress ? DONE : { kind: "not_possible", reason: "The payment cannot be returned" };
  }

  /** Books a payout as paid that was failed or cancelled here but that the provider paid. */
  #apply({ object, finding }: Contradiction, nowMs: number): ExecutionResult {
    const withdrawId = withdrawIdOfSubject(object);
    const isPaid = finding.endsWith(":Paid");
    if (withdrawId === null || !isPaid) {
      return {
        kind: "not_possible",
        reason: "Only a payout that the provider reports as paid can be applied",
      };
    }
    const isApplied = this.#withdraws.applyContradiction(withdrawId, "paid", nowMs);
    return isApplied
      ? DONE
      : { kind: "not_possible", reason: "The status of the withdraw has changed since" };
  }

  #require(number: number): Contradiction {
    const contradiction = this.#contradictions.find(number);
    assert(contradiction !== null, `contradiction ${number} exists`);
    return contradiction;
  }
}

/** An operator, of whom a decision says only who. */
function operatorAsRequester(by: string): Requester {
  return { kind: "operator", id: by, name: by };
}

function paymentOf(object: string): string {
  const paymentId = paymentIdOfSubject(object);
  assert(paymentId !== null, "the contradiction is about a payment");
  return paymentId;
}
