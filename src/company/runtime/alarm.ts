/** Never sooner than this after a commit, which drains by itself: an alarm that fires is a rescue. */
const ALARM_MIN_DELAY_MS = 1_000;

/** When the object must wake: the earliest of what is due, or null where nothing is. */
export function computeNextAlarm(nowMs: number, dueTimes: (number | null)[]): number | null {
  const due = dueTimes.filter((time) => time !== null);
  return due.length === 0 ? null : Math.max(nowMs + ALARM_MIN_DELAY_MS, Math.min(...due));
}
