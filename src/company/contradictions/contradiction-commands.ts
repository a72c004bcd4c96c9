import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import {
  decisionObstacle,
  paymentIdOfSubject,
  type Contradiction,
  type CorrectionDetails,
  type Proposal,
} from "../../domain/reconciliation/contradiction.ts";
import { correctionPosted } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { withdrawIdOfSubject } from "../../domain/shared/event-subject.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { OperatorDecision } from "../../domain/operators/proposal.ts";
import type { ClaimedReturn } from "../operations/command-types.ts";
import type { OperatorEffect } from "../operators/command-types.ts";
import type { VersionedCommand } from "../runtime/versioned-command.ts";
import { endOf, paidAgainOf } from "../charges/payment-findings.ts";
import { chainOf, type ContradictionStore } from "./contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { OperationCommands } from "../operations/operation-commands.ts";
import type { ToldSums } from "../operations/told-sums.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { ToldAmounts } from "./told-amounts.ts";

/** Credits an unexpected payment to a charge that expects one. */
interface SuspensePayments {
  creditFromSuspense(
    paymentId: string,
    terms: ChargeTerms,
    nowMs: number,
  ):
    | { kind: "credited" | "not_found" | "returned" | "disputed" }
    | { kind: "not_allowed"; status: ChargeStatus };
}

interface Payouts {
  /** Books a failed or cancelled withdraw as paid; false if its status has changed since. */
  applyContradiction(id: number, to: "paid", nowMs: number): boolean;
  /** Centavos of a withdraw that the company has back; 0 for one that is unknown. */
  returnedOf(id: number): Cents;
}

/** Result of a decision; `not_possible` has written nothing. */
type ExecutionResult =
  | { kind: "decided"; claimed: ClaimedReturn | null }
  | { kind: "not_possible"; reason: string; givable?: Cents; takable?: Cents };

type ContradictionEffect = Extract<OperatorEffect, { kind: "contradiction" }>;

/** A decision with its operators, and the command that brought it. */
interface Decided {
  proposal: Proposal;
  by: OperatorDecision;
  terms: ChargeTerms | null;
  command: VersionedCommand;
}

const DONE: ExecutionResult = { kind: "decided", claimed: null };

/**
 * Two operators end a contradiction (decision 0041): the commit that closes it also books their
 * decision. Every method runs inside one `transactionSync`.
 */
export class ContradictionCommands {
  readonly #contradictions: ContradictionStore;
  readonly #ledger: LedgerStore;
  readonly #charges: SuspensePayments;
  readonly #withdraws: Payouts;
  readonly #operations: Pick<OperationCommands, "requestReturn">;
  readonly #toldSums: Pick<ToldSums, "leftOf" | "givable">;
  readonly #toldAmounts: Pick<ToldAmounts, "toCorrect" | "shortOf">;
  readonly #outbox: Pick<OutboxStore, "retryRejected" | "dropRejected">;

  constructor(deps: {
    contradictions: ContradictionStore;
    ledger: LedgerStore;
    charges: SuspensePayments;
    withdraws: Payouts;
    operations: Pick<OperationCommands, "requestReturn">;
    toldSums: Pick<ToldSums, "leftOf" | "givable">;
    toldAmounts: Pick<ToldAmounts, "toCorrect" | "shortOf">;
    outbox: Pick<OutboxStore, "retryRejected" | "dropRejected">;
  }) {
    this.#contradictions = deps.contradictions;
    this.#ledger = deps.ledger;
    this.#charges = deps.charges;
    this.#withdraws = deps.withdraws;
    this.#operations = deps.operations;
    this.#toldSums = deps.toldSums;
    this.#toldAmounts = deps.toldAmounts;
    this.#outbox = deps.outbox;
  }

  /** Books what two operators decided and ends the contradiction. */
  decide(
    { number, decision, terms }: ContradictionEffect,
    by: OperatorDecision,
    command: VersionedCommand,
    nowMs: number,
  ): ExecutionResult | { kind: "not_found" } {
    const found = this.#contradictions.find(number);
    if (found === null) return { kind: "not_found" };
    const obstacle = decisionObstacle(found, decision);
    if (obstacle !== null) return { kind: "not_possible", reason: obstacle.sentence };
    const proposal: Proposal = { ...decision, by: by.proposedBy.id, at: by.proposedAt };
    const outcome = this.#execute(found, { proposal, by, terms, command }, nowMs);
    if (outcome.kind === "decided")
      this.#contradictions.decide(found, proposal, by.approvedBy.id, nowMs);
    return outcome;
  }

  #execute(found: Contradiction, decided: Decided, nowMs: number): ExecutionResult {
    const { proposal, by } = decided;
    switch (proposal.action) {
      case "correct":
        return this.#correct(found, proposal, by.approvedBy.id, nowMs);
      case "credit":
        return this.#credit(found, decided, nowMs);
      case "return":
        return this.#return(found, decided, nowMs);
      case "apply":
        return this.#apply(found, nowMs);
      case "retry":
        this.#outbox.retryRejected(found.object);
        return DONE;
      case "dismiss":
        if (found.kind === "entry_set_aside") this.#outbox.dropRejected(found.object);
        return DONE;
    }
  }

  #correct(
    found: Contradiction,
    { amount, reason, by: proposedBy }: Proposal,
    agreedBy: string,
    nowMs: number,
  ): ExecutionResult {
    assert(amount !== null && amount !== 0, "a correction has an amount");
    if (amount > 0 && this.#hasComeBack(found)) {
      return { kind: "not_possible", reason: "The withdraw has come back since, and was credited" };
    }
    const left = amount < 0 ? this.#leftOf(found) : null;
    if (left !== null && -amount > left) {
      const why = "Less is left of the payment: some of it went back since, or is about to";
      return { kind: "not_possible", reason: why, takable: left };
    }
    const givable = amount > 0 ? this.#givableOf(found) : null;
    if (givable !== null && amount > givable) {
      const why =
        "Only what operators took of the payment and did not go back since is the company's";
      return { kind: "not_possible", reason: why, givable };
    }
    const { number } = found;
    const funds = { available: this.#ledger.balance("available"), debt: this.#ledger.debt() };
    const details: CorrectionDetails = { contradiction: number, reason, proposedBy, agreedBy };
    const postings = correctionPosted(amount, funds);
    this.#ledger.post({ type: "correction", postings, details }, nowMs);
    return DONE;
  }

  /** Centavos that may be taken of a payment whose house tells its charge's end or another amount; null of any other. */
  #leftOf(found: Contradiction): Cents | null {
    const { finding, object } = found;
    const paymentId = paymentIdOfSubject(object);
    if (paymentId === null) return null;
    const told = this.#toldAmounts.toCorrect(found);
    if (told === null && chainOf(finding) !== endOf(paymentId).finding) return null;
    const left = Math.max(0, this.#toldSums.leftOf(paymentId));
    if (told === null) return left;
    // What was given for a higher amount is beside the payment.
    return Math.min(Math.max(0, -told.left), Math.max(0, told.corrected) + left);
  }

  /** Centavos that may be given of a payment whose house changed its mind or its amount; null of any other finding. */
  #givableOf(found: Contradiction): Cents | null {
    const { finding, object } = found;
    const paymentId = paymentIdOfSubject(object);
    if (paymentId === null) return null;
    const told = this.#toldAmounts.toCorrect(found);
    if (told !== null) {
      const taken = Math.max(0, -told.corrected);
      const beyond = Math.max(0, told.left - taken);
      const ofTaken = Math.min(taken, Math.max(0, told.left));
      const short = Math.max(0, -told.left - told.corrected);
      return beyond + this.#toldSums.givable(paymentId, { taken: ofTaken, short });
    }
    const words = [endOf(paymentId), paidAgainOf(paymentId)].map((word) => word.finding);
    if (!words.includes(chainOf(finding))) return null;
    const given = this.#toldSums.givable(paymentId) - this.#toldAmounts.shortOf(paymentId);
    return Math.max(0, given);
  }

  /** Whether a paid withdraw that its provider reported as failed came back after that, by a report or a decision. */
  #hasComeBack({ object, finding, booked }: Contradiction): boolean {
    const withdrawId = withdrawIdOfSubject(object);
    if (withdrawId === null || !finding.endsWith(":Failed")) return false;
    const { returnedAmount } = booked;
    const before = typeof returnedAmount === "number" ? returnedAmount : 0;
    return this.#withdraws.returnedOf(withdrawId) > before;
  }

  #credit({ object }: Contradiction, { terms }: Decided, nowMs: number): ExecutionResult {
    assert(terms !== null, "a credit has the terms of its charge");
    const answer = this.#charges.creditFromSuspense(paymentOf(object), terms, nowMs);
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

  #return({ object }: Contradiction, { command, by }: Decided, nowMs: number): ExecutionResult {
    const { companyId, credentialsVersion } = command;
    const paymentId = paymentOf(object);
    const answer = this.#operations.requestReturn(
      {
        companyId,
        credentialsVersion,
        operationId: by.proposalId,
        paymentId,
        requestedBy: { kind: "operator", ...by.proposedBy },
      },
      nowMs,
    );
    if (answer.kind === "send" || answer.kind === "query")
      return { kind: "decided", claimed: answer };
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
}

function paymentOf(object: string): string {
  const paymentId = paymentIdOfSubject(object);
  assert(paymentId !== null, "the contradiction is about a payment");
  return paymentId;
}
