const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 1;
/** The longest time to pay a PIX, in days. */
export const EXPIRY_DAYS_MAX = 365;

/** When a PIX expires that may be paid for so many days: epoch milliseconds, one day by default. */
export function pixExpiresAt(nowMs: number, days: number | undefined): number {
  return nowMs + (days ?? EXPIRY_DAYS) * DAY_MS;
}

/** The PSP may let a code be paid for longer than ordered, such as to the end of the day. Epoch milliseconds. */
export function registeredExpiresAt(ordered: number | null, atPsp: number): number {
  return Math.max(ordered ?? 0, atPsp);
}
