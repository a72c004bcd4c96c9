import { startOfNextDay } from "../shared/business-day.ts";
import type { Cents } from "../shared/money.ts";

/** What an application may withdraw: so much a day, to these keys, until then. */
export interface SpendingLimits {
  /** Centavos a day (America/Sao_Paulo); null for no limit of its own. */
  dailyLimit: number | null;
  /** Canonical PIX keys; null for every key that the company allows. */
  pixKeys: string[] | null;
  /** Unix milliseconds; null for no end. */
  until: number | null;
}

/** Why an application's spending limits refuse a withdraw. Amounts in centavos, times in epoch milliseconds. */
export type SpendingLimitsRefusal =
  | { kind: "spending_limits_ended"; endedAt: number }
  | { kind: "spending_limits_key_not_listed" }
  | { kind: "spending_limits_exceeded"; limit: Cents; used: Cents; possibleFrom: number | null };

/**
 * Every refusal of a withdraw by spending limits; none without them. `usedToday` (centavos), called only if
 * they name a day's, is what the application withdrew on the day of `at` and did not get back.
 */
export function refusalsBySpendingLimits(
  spendingLimits: SpendingLimits | null,
  { amount, pixKey, at }: { amount: Cents; pixKey: string; at: number },
  usedToday: () => Cents,
): SpendingLimitsRefusal[] {
  if (spendingLimits === null) return [];
  const refusals: SpendingLimitsRefusal[] = [];
  const { dailyLimit, pixKeys, until } = spendingLimits;
  if (until !== null && at >= until)
    refusals.push({ kind: "spending_limits_ended", endedAt: until });
  if (pixKeys !== null && !pixKeys.includes(pixKey)) {
    refusals.push({ kind: "spending_limits_key_not_listed" });
  }
  const used = dailyLimit === null ? 0 : usedToday();
  if (dailyLimit !== null && used + amount > dailyLimit) {
    const possibleFrom = amount > dailyLimit ? null : startOfNextDay(at);
    refusals.push({ kind: "spending_limits_exceeded", limit: dailyLimit, used, possibleFrom });
  }
  return refusals;
}
