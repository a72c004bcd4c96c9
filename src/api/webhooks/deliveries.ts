import type { Company } from "../../domain/company.ts";
import type { Env } from "../../env.ts";
import { deliveriesIn, type DeliveryRow } from "../../db/event-rows.ts";
import { eventsBefore } from "../events/repository.ts";

/** Events one call reads where a status is asked for: a page may be short while more follows. */
const SCAN_MAX = 500;

/** A page of a company's deliveries, newest first, those of one event together. */
export async function pageOfDeliveries(
  env: Env,
  company: Company,
  request: {
    after?: number | undefined;
    limit: number;
    status?: DeliveryRow["status"] | undefined;
  },
): Promise<{ rows: DeliveryRow[]; after: number | null }> {
  const { limit, status } = request;
  const before = request.after ?? Number.MAX_SAFE_INTEGER;
  const window = status === undefined ? limit + 1 : SCAN_MAX;
  const scanned = await eventsBefore(env, company.id, before, window);
  const rows: DeliveryRow[] = [];
  let last: number | null = null;
  for (const event of scanned) {
    if (rows.length >= limit) return { rows, after: last };
    const deliveries = deliveriesIn(event).toReversed();
    rows.push(...deliveries.filter((row) => status === undefined || row.status === status));
    last = event.companySequence;
  }
  return { rows, after: scanned.length < window ? null : last };
}
