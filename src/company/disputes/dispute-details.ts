import { reasonOf, type DisputeReason, type DisputeRecord } from "../../domain/disputes/dispute.ts";
import type { Evidence } from "../../domain/disputes/evidence.ts";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";

/** What both tables of disputes have beside the money. */
export interface DisputeDetails extends Pick<
  DisputeRecord,
  "reason" | "deadline" | "evidence" | "updatedAt" | "version"
> {
  /** Null in a row from before disputes were numbered, until its next change. */
  number: number | null;
  /** Events of the dispute so far. */
  eventSequence: number;
}

/** The columns of `DisputeDetails`, null where a row is from before them. */
export type DisputeDetailsRow = {
  number: number | null;
  reason: DisputeReason | null;
  deadline: number | null;
  evidence: string | null;
  created_at: number;
  updated_at: number | null;
  version: number;
  event_sequence: number;
};

/** Sets the columns of `toDetailsRow` in an upsert. */
export const SET_DETAILS = `number = excluded.number, reason = excluded.reason,
  deadline = excluded.deadline, evidence = excluded.evidence, updated_at = excluded.updated_at,
  version = excluded.version, event_sequence = excluded.event_sequence`;

export function detailsOf(kind: DisputeKind, row: DisputeDetailsRow): DisputeDetails {
  return {
    number: row.number,
    reason: row.reason ?? reasonOf(kind, undefined),
    deadline: row.deadline,
    evidence: row.evidence === null ? null : (JSON.parse(row.evidence) as Evidence),
    updatedAt: row.updated_at ?? row.created_at,
    version: row.version,
    eventSequence: row.event_sequence,
  };
}

export function toDetailsRow(details: DisputeDetails): Omit<DisputeDetailsRow, "created_at"> {
  return {
    number: details.number,
    reason: details.reason,
    deadline: details.deadline,
    evidence: details.evidence === null ? null : JSON.stringify(details.evidence),
    updated_at: details.updatedAt,
    version: details.version,
    event_sequence: details.eventSequence,
  };
}
