import type { DeliverySummary } from "../../../db/projection/event-rows.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Env } from "../../../config.ts";
import { deliveriesBefore } from "../../events/repository.ts";

/** Deliveries read per call if a status is requested: a page may be short while more follow. */
const SCAN_MAX = 500;
/** Targets of an event, so that the last event of a full window may be incomplete. */
const TARGETS_MAX = 2;

/** A page of a company's deliveries, newest first; those of one event are on the same page. */
export async function pageOfDeliveries(
  env: Env,
  company: Company,
  request: {
    after?: number | undefined;
    limit: number;
    status?: DeliverySummary["status"] | undefined;
  },
): Promise<{ rows: DeliverySummary[]; after: number | null }> {
  const { limit, status } = request;
  const before = request.after ?? Number.MAX_SAFE_INTEGER;
  const window = status === undefined ? limit + TARGETS_MAX : SCAN_MAX;
  const scanned = await deliveriesBefore(env, company.id, before, window);
  const isTruncated = scanned.length === window;
  const rows: DeliverySummary[] = [];
  let last: number | null = null;
  let hasMore = isTruncated;
  for (const eventDeliveries of groupCompleteEvents(scanned, isTruncated)) {
    if (rows.length >= limit) {
      hasMore = true;
      break;
    }
    rows.push(...eventDeliveries.filter((row) => status === undefined || row.status === status));
    last = eventDeliveries[0]?.companySequence ?? last;
  }
  return { rows, after: hasMore ? last : null };
}

/** Deliveries grouped by event, without the last event if the window was truncated. */
export function groupCompleteEvents<Row extends DeliverySummary>(
  rows: Row[],
  isTruncated: boolean,
): Row[][] {
  const byEvent = [...Map.groupBy(rows, (row) => row.companySequence).values()];
  return isTruncated ? byEvent.slice(0, -1) : byEvent;
}
