import { startOfNextDay } from "../shared/business-day.ts";
import type { Cents } from "../shared/money.ts";

/** What an application may withdraw: so much a day, to these keys, until then. */
export interface Mandate {
  /** Centavos a day (America/Sao_Paulo); null for no limit of its own. */
  dailyLimit: number | null;
  /** Canonical PIX keys; null for every key that the company allows. */
  pixKeys: string[] | null;
  /** Unix milliseconds; null for no end. */
  until: number | null;
}

/** Why an application's mandate refuses a withdraw. Amounts in centavos, times in epoch milliseconds. */
export type MandateRefusal =
  | { kind: "mandate_ended"; endedAt: number }
  | { kind: "mandate_key_not_listed" }
  | { kind: "mandate_limit_exceeded"; limit: Cents; used: Cents; possibleFrom: number | null };

/**
 * Every refusal of a withdraw by a mandate; none without a mandate. `usedToday` (centavos), called only if
 * the mandate has a limit, is what the application withdrew on the day of `at` and did not get back.
 */
export function refusalsByMandate(
  mandate: Mandate | null,
  { amount, pixKey, at }: { amount: Cents; pixKey: string; at: number },
  usedToday: () => Cents,
): MandateRefusal[] {
  if (mandate === null) return [];
  const refusals: MandateRefusal[] = [];
  const { dailyLimit, pixKeys, until } = mandate;
  if (until !== null && at >= until) refusals.push({ kind: "mandate_ended", endedAt: until });
  if (pixKeys !== null && !pixKeys.includes(pixKey)) {
    refusals.push({ kind: "mandate_key_not_listed" });
  }
  const used = dailyLimit === null ? 0 : usedToday();
  if (dailyLimit !== null && used + amount > dailyLimit) {
    const possibleFrom = amount > dailyLimit ? null : startOfNextDay(at);
    refusals.push({ kind: "mandate_limit_exceeded", limit: dailyLimit, used, possibleFrom });
  }
  return refusals;
}
