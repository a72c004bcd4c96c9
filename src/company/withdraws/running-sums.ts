import { saoPauloDay, saoPauloNight } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** The newest withdraw's columns about its day and night. */
export type RunningSums = {
  created_at: number;
  day_sum: number;
  night_sum: number;
  unapproved_sum: number;
};

/**
 * Centavos withdrawn on the day of `at`, the part of them that nobody approved, and those of its night (0 by day), by
 * the newest withdraw's sums.
 */
export function sumsAt(
  newest: RunningSums | null,
  at: number,
): Record<"day" | "unapproved" | "night", Cents> {
  if (newest === null) return { day: 0, unapproved: 0, night: 0 };
  const night = saoPauloNight(at);
  const isSameNight = night !== null && saoPauloNight(newest.created_at) === night;
  const isSameDay = saoPauloDay(newest.created_at) >= saoPauloDay(at);
  return {
    day: isSameDay ? newest.day_sum : 0,
    unapproved: isSameDay ? newest.unapproved_sum : 0,
    night: isSameNight ? newest.night_sum : 0,
  };
}
