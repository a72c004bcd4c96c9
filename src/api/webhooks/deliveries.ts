import type { Company } from "../../domain/company.ts";
import type { Env } from "../../env.ts";
import { deliveriesBefore, type DeliveryRow } from "../events/repository.ts";

/** Deliveries one call reads where a status is asked for: a page may be short while more follows. */
const SCAN_MAX = 500;

/** A page of a company's deliveries, newest first. */
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
  const window = status === undefined ? limit + TARGETS_MAX : SCAN_MAX;
  const scanned = await deliveriesBefore(env, company.id, before, window);
  // The last event may have a second delivery behind the window: it is left to the next page.
  const cut = scanned.length < window ? 0 : (scanned.at(-1)?.companySequence ?? 0);
  const rows: DeliveryRow[] = [];
  let last: number | null = null;
  for (const row of scanned) {
    if (row.companySequence === cut || (rows.length >= limit && row.companySequence !== last)) {
      return { rows, after: last };
    }
    if (status === undefined || row.status === status) rows.push(row);
    last = row.companySequence;
  }
  return { rows, after: null };
}

/** Deliveries of one event: to the transaction's own URL and to the company's. */
const TARGETS_MAX = 2;
