import { APPROVING_OPERATOR } from "../callers.ts";
import { isAcknowledged, type Journal } from "../journal.ts";
import type { Observed, ProposalSeen } from "../observe.ts";
import { decisionsOf } from "./check-decisions.ts";

/** The statuses of a withdraw of which operators decided an outcome: a paid one may come back later. */
const DECIDED: Record<string, string[]> = { done: ["Paid", "Returned"], failed: ["Failed"] };
/** The receiving bank never decides a withdraw whose amount ends so: only operators do. */
const NEVER_DECIDED = 98;

/**
 * Each acknowledged proposal and each acknowledged decision about one is there; none was approved by nobody, or twice
 * about one withdraw; what was decided about a withdraw is its status.
 */
export function proposalProblems(journal: Journal, observed: Observed): string[] {
  const { companyId, proposals, withdraws } = observed;
  const problems: string[] = [];
  const decisionsOn = decisionsOf(journal, companyId, "proposal");
  const ids = new Set(proposals.map(({ id }) => id));
  for (const { answer, subject } of journal.of(companyId, "proposal").filter(isAcknowledged)) {
    const { id } = answer.data;
    if (!ids.has(id)) problems.push(`lost: proposal ${id} about ${subject}`);
  }
  const statusOf = new Map(withdraws.map(({ id, status }) => [`withdraw:${id}`, status]));
  const approvedTargets = new Set<string>();
  for (const { id, target, request, status, decidedBy } of proposals) {
    const { approved, refused, mayBeApproved } = decisionsOn(id);
    const isApproved = status === "approved" && decidedBy === APPROVING_OPERATOR;
    if (approved.length > 0 && !isApproved) {
      problems.push(`lost: proposal ${id}, which was approved, is ${status} by ${decidedBy}`);
    }
    if (refused.length > 0 && status !== "refused") {
      problems.push(`lost: proposal ${id}, which was refused, is ${status}`);
    }
    if (status !== "approved") continue;
    if (!mayBeApproved) problems.push(`doubled: nobody approved proposal ${id}`);
    const isAgain = approvedTargets.has(target);
    approvedTargets.add(target);
    // A payment whose return the bank refused is decided again; each of its returns is counted by its movements.
    if (isAgain && !target.startsWith("payment:")) {
      problems.push(`doubled: ${target} was decided twice`);
    }
    const fitting = DECIDED[request.outcome ?? ""] ?? [];
    const seen = statusOf.get(target);
    if (seen !== undefined && !fitting.includes(seen)) {
      problems.push(`lost: ${target}, which was decided ${request.outcome}, is ${seen}`);
    }
  }
  return problems;
}

/**
 * A withdraw that its bank never decides ended only where operators decided it. `isOver`: all requests are answered,
 * so that no approval is half done.
 */
export function undecidedProblems(journal: Journal, observed: Observed, isOver: boolean): string[] {
  const { companyId, proposals, withdraws } = observed;
  const problems: string[] = [];
  const decisionsOn = decisionsOf(journal, companyId, "proposal");
  const decides = ({ id, target, status }: ProposalSeen, withdraw: number) =>
    target === `withdraw:${withdraw}` &&
    (status === "approved" || (!isOver && decisionsOn(id).mayBeApproved));
  for (const { id, amount, status } of withdraws) {
    const hasEnded = status === "Paid" || status === "Failed";
    if (amount % 100 !== NEVER_DECIDED || !hasEnded) continue;
    if (proposals.some((proposal) => decides(proposal, id))) continue;
    problems.push(`doubled: withdraw ${id} is ${status}, which nobody decided`);
  }
  if (!isOver) return problems;
  for (const { id, target, status, decidedBy } of proposals) {
    if (status !== "pending" || decidedBy === null) continue;
    problems.push(`lost: the approval of proposal ${id} about ${target} was never finished`);
  }
  return problems;
}
