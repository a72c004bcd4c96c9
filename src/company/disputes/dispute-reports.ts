import type { Cause } from "../../domain/charges/charge-history.ts";
import { deadlineOf, reasonOf } from "../../domain/disputes/dispute.ts";
import type { StoredCharge } from "../charges/charge-store.ts";
import type { DisputeReport } from "./command-types.ts";
import type { StoredDispute } from "./dispute-store.ts";
import type { DisputeChange } from "./dispute-transitions.ts";

/** Why a charge changes with its dispute. */
export function causeOf({ id, kind, amount, status }: DisputeChange): Cause {
  return { kind: "dispute", id, dispute: kind, amount, status };
}

/** A known dispute with the reason and the deadline of a report that has any. */
export function withReportedDetails(known: StoredDispute, report: DisputeReport): StoredDispute {
  const reason = reasonOf(known.kind, report.reason ?? known.reason);
  return { ...known, reason, deadline: report.deadline ?? known.deadline };
}

/** A dispute that has ended: nothing is blocked for it. `covered`: what of a lost one was not taken (centavos). */
export function endedDispute(
  dispute: DisputeChange,
  ended: Pick<DisputeChange, "status" | "amount" | "covered">,
): DisputeChange {
  return { ...dispute, ...ended, held: 0, hold: null };
}

/** A dispute as its first report has it, without a hold. */
export function newDispute(
  charge: StoredCharge,
  report: DisputeReport,
  nowMs: number,
): DisputeChange {
  const reason = reasonOf(report.kind, report.reason);
  return {
    id: report.id,
    kind: report.kind,
    transactionId: charge.transactionId,
    amount: report.amount,
    held: 0,
    hold: null,
    covered: null,
    status: report.status,
    reason,
    deadline: deadlineOf({ ...report, reason }, nowMs),
    createdAt: nowMs,
  };
}
