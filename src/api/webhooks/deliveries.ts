import type { Company } from "../../domain/company.ts";
import { deliveryId, parseDeliveryId } from "../../domain/delivery.ts";
import type { Env } from "../../env.ts";
import { requireOwnCompany } from "../../http/auth.ts";
import { notFound } from "../../http/problems.ts";
import {
  deliveriesBefore,
  findDelivery,
  newestDelivery,
  resendDelivery,
  type DeliveryRow,
} from "../events/repository.ts";

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

/**
 * Sends a delivery again, under the same `webhook-id`. Where its object has had a newer event since,
 * that one is sent: an old state never goes after a newer one. Throws 404 and 403.
 */
export async function resend(
  env: Env,
  company: Company,
  id: string,
  nowMs: number,
): Promise<DeliveryRow> {
  const ref = parseDeliveryId(id);
  if (ref === null) throw notFound("delivery");
  requireOwnCompany(company, ref.companyId);
  const asked = await findDelivery(env, ref);
  if (asked === null) throw notFound("delivery");
  const newest = (await newestDelivery(env, asked)) ?? asked;
  const due = await resendDelivery(env, newest, nowMs);
  await env.WEBHOOKS.send({ deliveryId: deliveryId(due) });
  return due;
}
