import type { AlarmRow, NoticeRow, StoredFinding } from "../../../db/watch/alarms.ts";
import type { Finding } from "./findings.ts";
import type { Alarm } from "./thresholds.ts";

const MINUTE_MS = 60_000;
/** A finding is over once it was not found for this long, so that one that comes and goes is one finding. */
const CLEAR_AFTER_MS = 2 * MINUTE_MS;
/** A target hears of an alarm again after this. */
export const REPEAT_AFTER_MS = 4 * 60 * MINUTE_MS;
/** What concerns one merchant is told once a day. */
const DIGEST_EVERY_MS = 24 * 60 * MINUTE_MS;
/** Findings in a message; the status has all. */
export const FINDINGS_SHOWN = 10;
const DETAIL_MAX = 2_000;
/** Findings that an alarm keeps: more would say no more. */
const FINDINGS_KEPT = 100;

/** The alarm after an evaluation; null if it neither fires nor has fired. */
export function nextAlarm(
  before: AlarmRow | null,
  { id, severity }: Pick<Alarm, "id" | "severity">,
  found: Finding[],
  nowMs: number,
): AlarmRow | null {
  const firing = before?.resolvedAt === null ? before : null;
  if (firing === null && found.length === 0) return null;
  const findings = nextFindings(firing?.findings ?? [], found, nowMs);
  if (firing === null || found.length > 0) {
    const detail = detailOf(found.map(({ text }) => text));
    const since = firing?.since ?? nowMs;
    return { id, severity, detail, findings, since, clearSince: null, resolvedAt: null };
  }
  const clearSince = firing.clearSince ?? nowMs;
  const resolvedAt = nowMs - clearSince >= CLEAR_AFTER_MS ? nowMs : null;
  return { ...firing, severity, findings, clearSince, resolvedAt };
}

/** What was found now, and what was found within the last two minutes. */
function nextFindings(known: StoredFinding[], found: Finding[], nowMs: number): StoredFinding[] {
  const sinceOf = new Map(known.map(({ about, since }) => [about, since]));
  const current = found.map(({ about, text }) => ({
    about,
    text,
    since: sinceOf.get(about) ?? nowMs,
    clearSince: null,
  }));
  const isCurrent = new Set(found.map(({ about }) => about));
  const fading = known.flatMap((finding) => {
    if (isCurrent.has(finding.about)) return [];
    const clearSince = finding.clearSince ?? nowMs;
    return nowMs - clearSince >= CLEAR_AFTER_MS ? [] : [{ ...finding, clearSince }];
  });
  return [...current, ...fading].slice(0, FINDINGS_KEPT);
}

/** Findings, one a line, as far as a message shows them. */
function detailOf(findings: string[]): string {
  const others = findings.length - FINDINGS_SHOWN;
  const shown = findings.slice(0, FINDINGS_SHOWN).join("\n");
  return (others > 0 ? `${shown}\nand ${others} more` : shown).slice(0, DETAIL_MAX);
}

/**
 * What a target has still to be told of an alarm; null if it knows. An alarm that gains a finding is told again; one of
 * the digest once a day, and its end is not told.
 */
export function dueNotice(
  alarm: AlarmRow,
  last: NoticeRow | null,
  nowMs: number,
  isDigest = false,
): NoticeRow["kind"] | null {
  const isOver = alarm.resolvedAt !== null;
  if (isDigest) {
    const isDue = last === null || nowMs - last.sentAt >= DIGEST_EVERY_MS;
    return isDue && !isOver ? "firing" : null;
  }
  const knows = last !== null && last.since === alarm.since;
  if (isOver) return knows && last.kind === "firing" ? "resolved" : null;
  if (!knows || last.kind !== "firing" || last.severity !== alarm.severity) return "firing";
  if (changesOf(alarm, last).gained.length > 0) return "firing";
  return nowMs - last.sentAt >= REPEAT_AFTER_MS ? "firing" : null;
}

/** The findings that a target does not know yet, those that it knows and that stay, and those that are over. */
export function changesOf(alarm: AlarmRow, last: NoticeRow | null) {
  const told = last?.told ?? [];
  const isTold = new Set(told.map(({ about }) => about));
  const findings = alarm.resolvedAt === null ? alarm.findings : [];
  const isThere = new Set(findings.map(({ about }) => about));
  return {
    gained: findings.filter(({ about }) => !isTold.has(about)),
    still: findings.filter(({ about }) => isTold.has(about)),
    over: told.filter(({ about }) => !isThere.has(about)),
  };
}
