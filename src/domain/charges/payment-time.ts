const DAY_MS = 24 * 60 * 60_000;
/** A bank's clock may be ahead, but not by more than this. */
const AHEAD_MAX_MS = DAY_MS;
/** A PSP lists 98 days (a payment may be asked back for 90, BACEN): a year is no payment of today. */
const BACK_MAX_MS = 365 * DAY_MS;

/**
 * The time of a payment for releases and amounts due: as its PSP says it, else, where that is more than a day
 * ahead or a year back, the time at which it was booked. What the PSP said is still stored and shown.
 */
export function usedPaymentTime(saidAt: number, bookedAt: number): number {
  const isCredible = saidAt <= bookedAt + AHEAD_MAX_MS && saidAt >= bookedAt - BACK_MAX_MS;
  return isCredible ? saidAt : bookedAt;
}
