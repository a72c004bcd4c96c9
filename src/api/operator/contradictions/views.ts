import type {
  ContradictionRow,
  OperatorEventRow,
} from "../../../db/reconciliation/contradictions.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import {
  contradictionId,
  type Contradiction,
  type Decision,
  type Proposal,
} from "../../../domain/reconciliation/contradiction.ts";

/** A contradiction as operators see it, from its object or from D1's projection. */
export function contradictionView(
  companyId: number,
  found: Pick<Contradiction, Exclude<keyof Contradiction, "finding">> | ContradictionRow,
) {
  const { number, kind, object, said, booked, amount, held, since, status } = found;
  const decision = found.decision ?? null;
  const proposal = found.proposal ?? null;
  return {
    id: contradictionId(companyId, number),
    kind,
    companyId,
    object,
    said,
    booked,
    amount,
    held,
    since: isoTime(since),
    status,
    proposal:
      proposal === null
        ? null
        : { ...decisionTerms(proposal), by: proposal.by, at: isoTime(proposal.at) },
    decision:
      decision === null
        ? null
        : {
            ...decisionTerms(decision),
            proposedBy: decision.by,
            proposedAt: isoTime(decision.at),
            agreedBy: decision.agreedBy,
            decidedAt: isoTime(decision.decidedAt),
          },
  };
}

function decisionTerms({ action, amount, transactionId, reason }: Proposal): Decision {
  return { action, amount, transactionId, reason };
}

/** An operator event as the API shows it. */
export function operatorEventView({ companyId, number, type, at, data }: OperatorEventRow) {
  return { companyId, number, type, at: isoTime(at), data };
}
