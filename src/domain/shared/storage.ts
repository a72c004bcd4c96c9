/** What the platform lets a D1 database hold, and an object: 10 GB each. */
const STORAGE_LIMIT_BYTES = 10_000_000_000;
/** From here on operators are told: weeks remain to move companies or to open another one. */
const WARNING_BYTES = 0.7 * STORAGE_LIMIT_BYTES;
/**
 * From here on no new charge is begun. What remains is for what must not be refused: payments of charges
 * that are open, refunds, withdraws, events.
 */
const STOP_BYTES = 0.9 * STORAGE_LIMIT_BYTES;
/** Below this charges begin again: far enough from where they stop that they do not do so in turn. */
const RESUME_BYTES = 0.85 * STORAGE_LIMIT_BYTES;

export function isFilling(bytes: number): boolean {
  return bytes >= WARNING_BYTES;
}

/** Whether new charges are stopped, given whether they were. */
export function areChargesStopped(bytes: number, wereStopped: boolean): boolean {
  return bytes >= (wereStopped ? RESUME_BYTES : STOP_BYTES);
}

/** Of the limit, a whole number. */
export function percentFull(bytes: number): number {
  return Math.floor((bytes / STORAGE_LIMIT_BYTES) * 100);
}

/** What operators are told of an object that fills. */
export function storageEventData(companyId: number, bytes: number): Record<string, unknown> {
  return { companyId, bytes, limit: STORAGE_LIMIT_BYTES, percent: percentFull(bytes) };
}

/** Why a company's new charges are stopped, as a bit each of `companies.charges_stopped`. */
export const STOP_REASON_BITS = { object: 1, database: 2 };
