import type { AlarmRow, NoticeRow } from "../../../db/watch/alarms.ts";
import type { Alarm } from "./thresholds.ts";

const MINUTE_MS = 60_000;
/** An alarm is over once nothing was found for this long, so that one that comes and goes is one alarm. */
const CLEAR_AFTER_MS = 2 * MINUTE_MS;
/** A target hears of an alarm again after this. */
export const REPEAT_AFTER_MS = 4 * 60 * MINUTE_MS;
/** Findings in a message; the status has all. */
const FINDINGS_SHOWN = 10;
const DETAIL_MAX = 2_000;

/** The alarm after an evaluation; null if it neither fires nor has fired. */
export function nextAlarm(
  before: AlarmRow | null,
  { id, severity }: Pick<Alarm, "id" | "severity">,
  findings: string[],
  nowMs: number,
): AlarmRow | null {
  const isOn = before !== null && before.resolvedAt === null;
  if (findings.length > 0) {
    const since = isOn ? before.since : nowMs;
    return { id, severity, detail: detailOf(findings), since, clearSince: null, resolvedAt: null };
  }
  if (!isOn) return null;
  const clearSince = before.clearSince ?? nowMs;
  const resolvedAt = nowMs - clearSince >= CLEAR_AFTER_MS ? nowMs : null;
  return { ...before, clearSince, resolvedAt };
}

function detailOf(findings: string[]): string {
  const others = findings.length - FINDINGS_SHOWN;
  const shown = findings.slice(0, FINDINGS_SHOWN).join("\n");
  return (others > 0 ? `${shown}\nand ${others} more` : shown).slice(0, DETAIL_MAX);
}

/** What a target has still to be told of an alarm; null if it knows. */
export function dueNotice(
  alarm: AlarmRow,
  last: NoticeRow | null,
  nowMs: number,
): NoticeRow["kind"] | null {
  const knows = last !== null && last.since === alarm.since;
  if (alarm.resolvedAt !== null) return knows && last.kind === "firing" ? "resolved" : null;
  if (!knows || last.kind !== "firing" || last.severity !== alarm.severity) return "firing";
  return nowMs - last.sentAt >= REPEAT_AFTER_MS ? "firing" : null;
}
