import type { DeliverySummary } from "../../../db/projection/event-rows.ts";
import { visibleEventTypes } from "../../../domain/events/event-scopes.ts";
import { EVENT_TYPES } from "../../../domain/events/event-types.ts";
import type { Env } from "../../../config.ts";
import { deliveriesBefore, findSubjects } from "../../events/repository.ts";
import type { EventReader } from "../../events/service.ts";

/** Deliveries read per call if not all are shown: a page may be short while more follow. */
const SCAN_MAX = 500;
/** Targets of an event, so that the last event of a full window may be incomplete. */
const TARGETS_MAX = 2;

/**
 * A page of the company's deliveries, newest first, without those of events whose object's scope is missing.
 * Those of one event are on the same page.
 */
export async function pageOfDeliveries(
  env: Env,
  reader: EventReader,
  request: {
    after?: number | undefined;
    limit: number;
    status?: DeliverySummary["status"] | undefined;
  },
): Promise<{ rows: DeliverySummary[]; after: number | null }> {
  const { limit, status } = request;
  const before = request.after ?? Number.MAX_SAFE_INTEGER;
  const isWhole = status === undefined && seesAllEvents(reader);
  const window = isWhole ? limit + TARGETS_MAX : SCAN_MAX;
  const scanned = await deliveriesBefore(env, reader.company.id, before, window);
  const shown = new Set(await visibleDeliveries(env, reader, scanned));
  const isTruncated = scanned.length === window;
  const rows: DeliverySummary[] = [];
  let last: number | null = null;
  let hasMore = isTruncated;
  for (const eventDeliveries of groupCompleteEvents(scanned, isTruncated)) {
    if (rows.length >= limit) {
      hasMore = true;
      break;
    }
    rows.push(
      ...eventDeliveries.filter(
        (row) => shown.has(row) && (status === undefined || row.status === status),
      ),
    );
    last = eventDeliveries[0]?.companySequence ?? last;
  }
  return { rows, after: hasMore ? last : null };
}

/** The deliveries of events whose object's scope the reader has. */
async function visibleDeliveries(
  env: Env,
  reader: EventReader,
  scanned: DeliverySummary[],
): Promise<DeliverySummary[]> {
  if (seesAllEvents(reader)) return scanned;
  const numbers = scanned.map(({ companySequence }) => companySequence);
  const subjects = await findSubjects(env, reader.company.id, numbers);
  const visible = visibleEventTypes(reader.scopes);
  return scanned.filter(({ companySequence }) => {
    const type = subjects.get(companySequence)?.type;
    return type !== undefined && visible.has(type);
  });
}

function seesAllEvents({ scopes }: EventReader): boolean {
  return visibleEventTypes(scopes).size === EVENT_TYPES.length;
}

/** Deliveries grouped by event, without the last event if the window was truncated. */
export function groupCompleteEvents<Row extends DeliverySummary>(
  rows: Row[],
  isTruncated: boolean,
): Row[][] {
  const byEvent = [...Map.groupBy(rows, (row) => row.companySequence).values()];
  return isTruncated ? byEvent.slice(0, -1) : byEvent;
}
