import { heldByContradictions, holdableAmount } from "./books.ts";
import {
  record,
  resumeOperation,
  type BankResult,
  type Script,
  type Trouble,
} from "./operations.ts";
import { refundableAmount } from "./refunds.ts";
import { APPROVAL_WINDOW_MS, type Operation, type State } from "./state.ts";

/**
 * `POST /refunds/{id}/approve|refuse` by another application: succeeds while it waits for it. An approved one is
 * sent at once, unless the answer to the decision was lost.
 */
export function decideRefund(
  state: State,
  operation: Operation,
  decision: "approve" | "refuse",
  { key, script, trouble }: { key: string | null; script: Script<BankResult>; trouble: Trouble },
): string {
  const name = `${decision} ${key}`;
  const known = key === null ? undefined : state.refundDecisionKeys.get(name);
  if (known !== undefined) {
    if (trouble === "died after request") return "INTERNAL_ERROR";
    return known === operation ? "200 replayed" : "IDEMPOTENCY_KEY_REUSED";
  }
  expireRefund(state, operation);
  const refusal = refusalOfDecision(state, operation, decision);
  if (refusal !== null) return trouble === "died after request" ? "INTERNAL_ERROR" : refusal;
  if (key !== null) state.refundDecisionKeys.set(name, operation);
  if (decision === "refuse") failWaiting(state, operation);
  else operation.approval = "approved";
  if (trouble === "died after request") return "INTERNAL_ERROR";
  if (trouble === "request lost" && key !== null) return "200 replayed";
  if (decision === "approve") resumeOperation(state, operation, script, "none");
  return "200";
}

function refusalOfDecision(
  state: State,
  { kind, status, approval, charge, amount }: Operation,
  decision: "approve" | "refuse",
): string | null {
  if (status !== "PENDING" || approval !== "pending") return "INVALID_STATE";
  if (decision === "refuse") return null;
  if (state.frozen) return "COMPANY_FROZEN";
  // What is left without the waiting refund must cover what contradictions hold.
  if (kind === "return") return null;
  if (holdableAmount(state, charge) < heldByContradictions(state)) return "INVALID_STATE";
  // A bank may have paid the refunds that wait for no approval.
  const sent = state.operations.filter((each) => each.approval !== "pending");
  const left = refundableAmount(state, charge, sent);
  const isGone = charge.status !== "paid" || left < amount;
  const isDisputed = charge.disputes.some((each) => each.status === "OPEN");
  return isGone || isDisputed ? "INVALID_STATE" : null;
}

/** The object's own work ends refunds that nobody approved in time. */
export function expireRefunds(state: State): void {
  for (const operation of state.operations) expireRefund(state, operation);
}

function expireRefund(state: State, operation: Operation): void {
  const isOver = operation.createdAt + APPROVAL_WINDOW_MS <= state.now;
  if (operation.approval === "pending" && isOver) failWaiting(state, operation);
}

function failWaiting(state: State, operation: Operation): void {
  operation.approval = "refused";
  record(state, operation, "failed");
}
