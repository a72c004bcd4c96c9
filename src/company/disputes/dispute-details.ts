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

/** The names of the columns, in the order of `detailValues`. */
export const DETAIL_COLUMNS =
  "number, reason, deadline, evidence, updated_at, version, event_sequence";
/** Sets them in an upsert. */
export const SET_DETAILS = DETAIL_COLUMNS.split(", ")
  .map((column) => `${column} = excluded.${column}`)
  .join(", ");

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

/** The values of `DETAIL_COLUMNS`. */
export function detailValues(details: DisputeDetails): (string | number | null)[] {
  return [
    details.number,
    details.reason,
    details.deadline,
    details.evidence === null ? null : JSON.stringify(details.evidence),
    details.updatedAt,
    details.version,
    details.eventSequence,
  ];
}
