/** Cloudflare's limit for a D1 database and for a Durable Object: 10 GB each. */
const STORAGE_LIMIT_BYTES = 10_000_000_000;
/** Operators get an event from here on: weeks remain to move companies to another database. */
const WARNING_BYTES = 0.7 * STORAGE_LIMIT_BYTES;
/** No new charges from here on. The rest is for payments of open charges, refunds, withdraws and events. */
const STOP_BYTES = 0.9 * STORAGE_LIMIT_BYTES;
/** New charges resume below this, well below `STOP_BYTES` so that the state does not flip back and forth. */
const RESUME_BYTES = 0.85 * STORAGE_LIMIT_BYTES;

/** Whether operators must be warned. */
export function isFilling(bytes: number): boolean {
  return bytes >= WARNING_BYTES;
}

/**
 * Days until new charges are stopped, if a storage grows on as since an earlier measurement. Null if it does not grow,
 * or if less than a day has passed, of which nothing can be concluded.
 */
export function daysUntilStopped(
  bytes: number,
  before: { bytes: number; days: number },
): number | null {
  const grown = bytes - before.bytes;
  if (before.days < 1 || grown <= 0) return null;
  return Math.floor((Math.max(0, STOP_BYTES - bytes) / grown) * before.days);
}

/** Whether new charges are stopped, given whether they were stopped before. */
export function areChargesStopped(bytes: number, wereStopped: boolean): boolean {
  return bytes >= (wereStopped ? RESUME_BYTES : STOP_BYTES);
}

/** Percent of the limit, rounded down. */
export function percentFull(bytes: number): number {
  return Math.floor((bytes / STORAGE_LIMIT_BYTES) * 100);
}

/** The data of `storage.filling`. */
export function storageEventData(companyId: number, bytes: number): Record<string, unknown> {
  return { companyId, bytes, limit: STORAGE_LIMIT_BYTES, percent: percentFull(bytes) };
}

/** The bits of `companies.charges_stopped`: which storage is nearly full, and whether operators froze charges. */
export const STOP_REASON_BITS = { object: 1, database: 2, freeze: 4 };
export const STORAGE_STOP_BITS = STOP_REASON_BITS.object | STOP_REASON_BITS.database;
