import { RESTORE_FREEZE_REASON } from "../../domain/access/freeze.ts";
import type { ContradictionCommands } from "../contradictions/contradiction-commands.ts";
import type { OperationCommands } from "../operations/operation-commands.ts";
import { type OperationStore } from "../operations/operation-store.ts";
import type { ClaimedReturn, OperationReport } from "../operations/command-types.ts";
import type {
  DecideByOperators,
  DecideByOperatorsAnswer,
  FoundOperation,
} from "./command-types.ts";
import type { PayoutReport } from "../withdraws/command-types.ts";
import type { RecheckStore } from "../runtime/recheck-store.ts";
import type { PayoutCommands } from "../withdraws/payout-commands.ts";
import type { DecisionStore } from "./decision-store.ts";
import type { Freezes } from "./freezes.ts";

type Answer = Exclude<DecideByOperatorsAnswer, { kind: "version_conflict" }>;

const DECIDED: Answer = { kind: "decided", claimed: null };

/**
 * What two operators decide (decision 0041). The commit that books it also stores who decided, and why, under the
 * proposal's id: a repeat books nothing. Every method runs inside one `transactionSync`.
 */
export class OperatorCommands {
  readonly #decisions: DecisionStore;
  readonly #payouts: PayoutCommands;
  readonly #operations: OperationStore;
  readonly #operationCommands: OperationCommands;
  readonly #contradictions: ContradictionCommands;
  readonly #rechecks: RecheckStore;
  readonly #freezes: Freezes;

  constructor(deps: {
    decisions: DecisionStore;
    payouts: PayoutCommands;
    operations: OperationStore;
    operationCommands: OperationCommands;
    contradictions: ContradictionCommands;
    rechecks: RecheckStore;
    freezes: Freezes;
  }) {
    this.#decisions = deps.decisions;
    this.#payouts = deps.payouts;
    this.#operations = deps.operations;
    this.#operationCommands = deps.operationCommands;
    this.#contradictions = deps.contradictions;
    this.#rechecks = deps.rechecks;
    this.#freezes = deps.freezes;
  }

  /** Books a decision, once. A refusal writes nothing. */
  decide(command: DecideByOperators, nowMs: number): Answer {
    const { decision, attempt } = command;
    const { proposalId } = decision;
    const known = this.#decisions.findAttempt(proposalId);
    if (known !== null) {
      const claimed =
        known === attempt
          ? this.#operationCommands.findRepeated(proposalId)
          : this.#claimAgain(proposalId, nowMs);
      return { kind: "decided", claimed };
    }
    const answer = this.#execute(command, nowMs);
    if (answer.kind === "decided") this.#decisions.add(decision, attempt, nowMs);
    return answer;
  }

  /** Whether a proposal had its effect. */
  hasDecided(proposalId: string): boolean {
    return this.#decisions.findAttempt(proposalId) !== null;
  }

  /** An operation by its id at the provider; null if there is none. */
  findOperation(operationId: string): FoundOperation | null {
    const operation = this.#operations.findByOperationId(operationId);
    if (operation === null) return null;
    return {
      id: operation.id,
      order: this.#operations.orderOf(operation),
      status: operation.status,
    };
  }

  #execute(command: DecideByOperators, nowMs: number): Answer {
    const { effect, decision } = command;
    switch (effect.kind) {
      case "payout":
        return this.#payout(command, effect.id, effect.report, nowMs);
      case "operation":
        return this.#operation(command, effect.operationId, effect.report, nowMs);
      case "contradiction":
        return this.#contradictions.decide(effect, decision, command, nowMs);
      case "payment":
        return this.#return(command, effect.paymentId, nowMs);
      case "unfreeze": {
        const { reason, approvedBy, proposedAt } = decision;
        if (this.#freezes.wasFrozenSince(proposedAt)) {
          const why = "The company was frozen again after the proposal. Propose it anew";
          return { kind: "not_possible", reason: why };
        }
        this.#freezes.unfreeze({ reason, by: { kind: "operator", ...approvedBy } }, nowMs);
        return DECIDED;
      }
      case "restored": {
        const by = { kind: "operator" as const, ...decision.approvedBy };
        this.#freezes.set("for_restore", { reason: RESTORE_FREEZE_REASON, by }, nowMs);
        return DECIDED;
      }
    }
  }

  /** A payout decided without its provider is asked for on: a later report opens a contradiction. */
  #payout(command: DecideByOperators, id: number, report: PayoutReport, nowMs: number): Answer {
    const answer = this.#payouts.resolveManually(id, report, nowMs);
    switch (answer.kind) {
      case "not_found":
        return { kind: "not_found" };
      case "in_progress":
        return { kind: "not_possible", reason: "The payout is still in progress" };
      case "contradiction":
        return { kind: "not_possible", reason: `The withdraw is already ${answer.status}` };
      case "recorded":
        if (isWithoutProvider(command)) this.#rechecks.add("payout", String(id), nowMs);
        return DECIDED;
    }
  }

  /** As a payout. A charge is asked for by its own schedule, and a capture books no money. */
  #operation(
    command: DecideByOperators,
    operationId: string,
    report: OperationReport,
    nowMs: number,
  ): Answer {
    const found = this.#operations.findByOperationId(operationId);
    if (found === null) return { kind: "not_found" };
    const answer = this.#operationCommands.resolveManually(found.id, report, nowMs);
    switch (answer.kind) {
      case "not_found":
        return { kind: "not_found" };
      case "in_progress":
        return { kind: "not_possible", reason: "The operation is still in progress" };
      case "contradiction":
        return {
          kind: "not_possible",
          reason: `The operation is already ${answer.reply.outcome}`,
        };
      case "recorded": {
        const isRefund = found.kind === "refund" || found.kind === "return";
        if (isRefund && isWithoutProvider(command))
          this.#rechecks.add("operation", operationId, nowMs);
        return DECIDED;
      }
    }
  }

  #return(command: DecideByOperators, paymentId: string, nowMs: number): Answer {
    const { companyId, credentialsVersion, decision } = command;
    const answer = this.#operationCommands.requestReturn(
      {
        companyId,
        credentialsVersion,
        operationId: decision.proposalId,
        paymentId,
        requestedBy: { kind: "operator", ...decision.proposedBy },
      },
      nowMs,
    );
    if (answer.kind === "send" || answer.kind === "query")
      return { kind: "decided", claimed: answer };
    if (answer.kind === "answered" || answer.kind === "in_progress") return DECIDED;
    if (answer.kind === "not_found") return { kind: "not_found" };
    const reason =
      answer.kind === "disputed"
        ? "The payer's bank disputes this payment"
        : "The payment cannot be returned";
    return { kind: "not_possible", reason };
  }

  /** The return that a decision began and whose sender crashed, to go on with it; null if there is none. */
  #claimAgain(proposalId: string, nowMs: number): ClaimedReturn | null {
    const operation = this.#operations.findByOperationId(proposalId);
    if (operation === null) return null;
    const claim = this.#operationCommands.claim(operation.id, nowMs);
    return claim.kind === "query" || claim.kind === "send" ? claim : null;
  }
}

/** Whether the provider did not say the same when the decision was made. */
function isWithoutProvider({ decision }: DecideByOperators): boolean {
  return decision.provider.word !== "agreed";
}
