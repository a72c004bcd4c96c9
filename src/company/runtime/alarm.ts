/** A commit drains by itself, so the alarm waits at least this long after it. */
const ALARM_MIN_DELAY_MS = 1_000;

/** When the object must wake (epoch ms): the earliest due time, or null if there is none. */
export function computeNextAlarm(nowMs: number, dueTimes: (number | null)[]): number | null {
  const due = dueTimes.filter((time) => time !== null);
  return due.length === 0 ? null : Math.max(nowMs + ALARM_MIN_DELAY_MS, Math.min(...due));
}
