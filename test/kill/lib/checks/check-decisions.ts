import { isAcknowledged, isOpen, type Intent, type Journal, type Kind } from "../journal.ts";
import type { Observed } from "../observe.ts";

/** What the client knows of the decisions about one thing. */
export interface Decisions {
  approved: Intent[];
  refused: Intent[];
  /** Whether one without an answer may have had its effect, too. */
  mayBeApproved: boolean;
  mayBeRefused: boolean;
}

type Decided = "withdraw" | "refund" | "proposal";

/** The decisions about each thing of a kind, by its id. */
export function decisionsOf(
  journal: Journal,
  companyId: number,
  decided: Decided,
): (subject: string | number) => Decisions {
  const of = (kind: Kind) => Map.groupBy(journal.of(companyId, kind), ({ subject }) => subject);
  const approvals = of(`${decided}_approve`);
  const refusals = of(`${decided}_refuse`);
  return (subject) => {
    const [approve = [], refuse = []] = [approvals.get(subject), refusals.get(subject)];
    const approved = approve.filter(isAcknowledged);
    const refused = refuse.filter(isAcknowledged);
    return {
      approved,
      refused,
      mayBeApproved: approved.length > 0 || approve.some(isOpen),
      mayBeRefused: refused.length > 0 || refuse.some(isOpen),
    };
  };
}

/**
 * Each acknowledged approval or refusal of a refund, return or withdraw is there, no thing is decided twice, and
 * nothing that waits was sent.
 */
export function decisionProblems(journal: Journal, observed: Observed): string[] {
  return [...exitProblems(journal, observed), ...withdrawProblems(journal, observed)];
}

function exitProblems(journal: Journal, { companyId, waiting }: Observed): string[] {
  const problems: string[] = [];
  const decisionsOn = decisionsOf(journal, companyId, "refund");
  const decided = journal.of(companyId, "refund_approve", "refund_refuse");
  for (const id of new Set(decided.map(({ subject }) => String(subject)))) {
    const { approved, refused } = decisionsOn(id);
    const times = approved.length + refused.length;
    if (times > 1) problems.push(`doubled: refund ${id} was decided ${times} times`);
    if (times > 0 && waiting.includes(id)) {
      problems.push(`lost: the decision of refund ${id}, which still waits`);
    }
  }
  return problems;
}

function withdrawProblems(journal: Journal, { companyId, withdraws }: Observed): string[] {
  const problems: string[] = [];
  const decisionsOn = decisionsOf(journal, companyId, "withdraw");
  const cancels = journal.of(companyId, "withdraw_cancel");
  const requests = new Map(journal.of(companyId, "withdraw").map((intent) => [intent.key, intent]));
  for (const { id, key, status, approval } of withdraws) {
    const { approved, refused, mayBeApproved, mayBeRefused } = decisionsOn(id);
    const times = approved.length + refused.length;
    const is = `withdraw ${id} is ${status} and its approval ${approval}`;
    if (times > 1) problems.push(`doubled: withdraw ${id} was decided ${times} times`);
    if (approved.length > 0 && approval !== "approved") problems.push(`lost: approved ${is}`);
    if (refused.length > 0 && approval !== "refused") problems.push(`lost: refused ${is}`);
    if (approval === "approved" && !mayBeApproved) {
      problems.push(`doubled: nobody approved withdraw ${id}`);
    }
    const isCancelled = cancels.some(
      (intent) => intent.subject === id && (isAcknowledged(intent) || isOpen(intent)),
    );
    if (approval === "refused" && !mayBeRefused && !isCancelled) {
      problems.push(`doubled: nobody refused withdraw ${id}`);
    }
    const isStopped = approval === "pending" || approval === "refused";
    const fits = approval === "pending" ? "Awaiting" : "Cancelled";
    if (isStopped && status !== fits) problems.push(`wrong: ${is}`);
    const asked = requests.get(key)?.answer?.approval;
    if (asked === "pending" && approval === "none") problems.push(`lost: waiting ${is}`);
  }
  return problems;
}
