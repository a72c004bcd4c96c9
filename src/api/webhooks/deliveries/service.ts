import type { DeliverySummary } from "../../../db/projection/event-rows.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Env } from "../../../config.ts";
import { deliveriesBefore } from "../../events/repository.ts";

/** Deliveries one call reads where a status is asked for: a page may be short while more follows. */
const SCAN_MAX = 500;
/** An event goes to two targets at most, so the last event of a full window may lack one. */
const TARGETS_MAX = 2;

/** A page of a company's deliveries, newest first, those of one event together. */
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

/** Deliveries by their events; without the last event where the window may have cut it. */
export function groupCompleteEvents<Row extends DeliverySummary>(
  rows: Row[],
  isTruncated: boolean,
): Row[][] {
  const byEvent = [...Map.groupBy(rows, (row) => row.companySequence).values()];
  return isTruncated ? byEvent.slice(0, -1) : byEvent;
}
