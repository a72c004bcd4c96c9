import type { OperatorDecision } from "../../domain/operators/proposal.ts";
import { Table } from "../storage/table.ts";

type DecisionRow = {
  proposal_id: string;
  action: string;
  target: string;
  proposed_by: string;
  proposed_at: number;
  approved_by: string;
  reason: string;
  approval_reason: string;
  evidence: string | null;
  provider: string;
  provider_answer: string | null;
  decided_at: number;
  attempt: string;
};

const DECISIONS = new Table<DecisionRow>("operator_decisions");

/** What two operators decided, by their proposal's id. Every method that writes runs inside one `transactionSync`. */
export class DecisionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The call with which the proposal had its effect; null if it had none yet. */
  findAttempt(proposalId: string): string | null {
    const [row] = this.#sql
      .exec<{ attempt: string }>(
        "SELECT attempt FROM operator_decisions WHERE proposal_id = ?",
        proposalId,
      )
      .toArray();
    return row?.attempt ?? null;
  }

  add(decision: OperatorDecision, attempt: string, nowMs: number): void {
    const { provider } = decision;
    DECISIONS.insert(this.#sql, {
      proposal_id: decision.proposalId,
      action: decision.action,
      target: decision.target,
      proposed_by: JSON.stringify(decision.proposedBy),
      proposed_at: decision.proposedAt,
      approved_by: JSON.stringify(decision.approvedBy),
      reason: decision.reason,
      approval_reason: decision.approvalReason,
      evidence: decision.evidence,
      provider: provider.word,
      provider_answer: provider.said === null ? null : JSON.stringify(provider.said),
      decided_at: nowMs,
      attempt,
    });
  }
}
