import type { OperatorDecision } from "../../domain/operators/proposal.ts";

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
    this.#sql.exec(
      `INSERT INTO operator_decisions (proposal_id, action, target, proposed_by, proposed_at, approved_by,
         reason, approval_reason, evidence, provider, provider_answer, decided_at, attempt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      decision.proposalId,
      decision.action,
      decision.target,
      JSON.stringify(decision.proposedBy),
      decision.proposedAt,
      JSON.stringify(decision.approvedBy),
      decision.reason,
      decision.approvalReason,
      decision.evidence,
      provider.word,
      provider.said === null ? null : JSON.stringify(provider.said),
      nowMs,
      attempt,
    );
  }
}
