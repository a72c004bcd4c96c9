import type { AlarmRow, NoticeRow } from "../../../db/watch/alarms.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import type { Config } from "../../../config.ts";
import { REPEAT_AFTER_MS } from "./evaluate.ts";

/** What a target is told. */
export interface AlarmMessage {
  type: `alarm.${NoticeRow["kind"]}`;
  /** The same for each try of one message. */
  messageId: string;
  alarm: string;
  severity: AlarmRow["severity"];
  environment: string;
  since: string;
  resolvedAt: string | null;
  detail: string;
  runbook: string;
}

/** The page that says what to do: an address if one is set, else its path in the repository. */
export function runbookOf({ alarms }: Pick<Config, "alarms">, id: string): string {
  return `${alarms.runbookUrl ?? "docs/runbook"}/${id}.md`;
}

export function messageOf(
  config: Config,
  alarm: AlarmRow,
  kind: NoticeRow["kind"],
  nowMs: number,
): AlarmMessage {
  const { id, severity, since, resolvedAt, detail } = alarm;
  const repeat = kind === "firing" ? Math.floor((nowMs - since) / REPEAT_AFTER_MS) : 0;
  return {
    type: `alarm.${kind}`,
    messageId: `alm_${id}_${since}_${severity}_${kind}_${repeat}`,
    alarm: id,
    severity,
    environment: config.environment,
    since: isoTime(since),
    resolvedAt: isoTimeOrNull(resolvedAt),
    detail,
    runbook: runbookOf(config, id),
  };
}

/** A line that says which alarm, then what was found and what to do. */
export function textOf(message: AlarmMessage): { subject: string; text: string } {
  const { type, alarm, severity, environment, since, detail, runbook } = message;
  const state = type === "alarm.firing" ? severity.toUpperCase() : "RESOLVED";
  const subject = `[${state}] Centavo ${environment}: ${alarm}`;
  return { subject, text: `${subject}\n${detail}\nSince ${since}. What to do: ${runbook}` };
}
