import { saoPauloDay, saoPauloNight } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** The newest withdraw's columns about its day and night. */
export type RunningSums = { created_at: number; day_sum: number; night_sum: number };

/** Centavos withdrawn on the day of `at` and in its night (0 by day), by the newest withdraw's sums. */
export function sumsAt(newest: RunningSums | null, at: number): { day: Cents; night: Cents } {
  if (newest === null) return { day: 0, night: 0 };
  const night = saoPauloNight(at);
  const isSameNight = night !== null && saoPauloNight(newest.created_at) === night;
  return {
    day: saoPauloDay(newest.created_at) < saoPauloDay(at) ? 0 : newest.day_sum,
    night: isSameNight ? newest.night_sum : 0,
  };
}
