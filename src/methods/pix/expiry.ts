import type { PixDueTerms } from "../../domain/charges/payment-details.ts";
import { businessDayFrom, endOfDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
export const EXPIRY_DAYS = 1;
/** The longest time to pay a PIX, in days and in seconds. */
export const EXPIRY_DAYS_MAX = 365;
export const EXPIRY_SECONDS_MAX = EXPIRY_DAYS_MAX * (DAY_MS / SECOND_MS);
/**
 * The payer's bank moves due date and last day past the holidays of its state and town too, which are not known
 * here: two for each at most, with a weekend and a holiday of all banks between them.
 */
const HOLIDAY_MARGIN_DAYS = 7;

/**
 * When a PIX expires that may be paid for so long: epoch milliseconds, one day by default. Past it a
 * read shows the charge as cancelled (`expired-view.ts`), and the sweep ends it (`api/transactions/sweep/tasks.ts`).
 */
export function pixExpiresAt(
  nowMs: number,
  wait: { expiresInDays?: number | undefined; expiresInSeconds?: number | undefined } = {},
): number {
  const { expiresInDays = EXPIRY_DAYS, expiresInSeconds } = wait;
  return (
    nowMs + (expiresInSeconds === undefined ? expiresInDays * DAY_MS : expiresInSeconds * SECOND_MS)
  );
}

/**
 * When a PIX with a due date can be paid no longer (epoch ms): the end of the last day of its validity.
 * A due date and a last day without banks are the next day with them (BACEN Pix API, `validadeAposVencimento`).
 */
export function payableUntil({
  dueDate,
  validityAfterDue,
}: Pick<PixDueTerms, "dueDate" | "validityAfterDue">): number {
  return endOfDay(businessDayFrom(addDays(businessDayFrom(dueDate), validityAfterDue)));
}

/** When a PIX with a due date counts as expired (epoch ms): once no holiday can make it payable any more. */
export function dueExpiresAt(terms: Pick<PixDueTerms, "dueDate" | "validityAfterDue">): number {
  return payableUntil(terms) + HOLIDAY_MARGIN_DAYS * DAY_MS;
}

/** The PSP may let a code be paid for longer than ordered, such as to the end of the day. Epoch milliseconds. */
export function registeredExpiresAt(ordered: number | null, atPsp: number): number {
  return Math.max(ordered ?? 0, atPsp);
}
