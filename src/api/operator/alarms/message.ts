import type { AlarmRow, NoticeRow } from "../../../db/watch/alarms.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import type { Config } from "../../../config.ts";
import { changesOf, FINDINGS_SHOWN, REPEAT_AFTER_MS } from "./evaluate.ts";

/** What a target is told. */
export interface AlarmMessage {
  type: `alarm.${NoticeRow["kind"] | "test"}`;
  /** The same for each try of one message. */
  messageId: string;
  alarm: string;
  severity: AlarmRow["severity"];
  environment: string;
  since: string;
  resolvedAt: string | null;
  detail: string;
  /** The findings that this target was not told of before, that stay, and that are over. */
  new: string[];
  still: string[];
  over: string[];
  runbook: string;
}

/** The page that says what to do: an address if one is set, else its path in the repository. */
export function runbookOf({ alarms }: Pick<Config, "alarms">, id: string): string {
  return `${alarms.runbookUrl ?? "docs/runbook"}/${id}.md`;
}

export function messageOf(
  config: Config,
  { alarm, kind, last }: { alarm: AlarmRow; kind: NoticeRow["kind"]; last: NoticeRow | null },
  nowMs: number,
): AlarmMessage {
  const { id, severity, since, resolvedAt, detail, findings } = alarm;
  const repeat = kind === "firing" ? Math.floor((nowMs - since) / REPEAT_AFTER_MS) : 0;
  const newest = Math.max(since, ...findings.map((finding) => finding.since));
  const { gained, still, over } = changesOf(alarm, last?.since === since ? last : null);
  return {
    type: `alarm.${kind}`,
    messageId: `alm_${id}_${since}_${severity}_${kind}_${repeat}_${newest}`,
    alarm: id,
    severity,
    environment: config.environment,
    since: isoTime(since),
    resolvedAt: isoTimeOrNull(resolvedAt),
    detail,
    new: textsOf(gained),
    still: textsOf(still),
    over: textsOf(over),
    runbook: runbookOf(config, id),
  };
}

function textsOf(findings: { text: string }[]): string[] {
  return findings.slice(0, FINDINGS_SHOWN).map(({ text }) => text);
}

/** A line that says which alarm, then what is new, what stays and what is over, and what to do. */
export function textOf(message: AlarmMessage): { subject: string; text: string } {
  const { type, alarm, severity, environment, since, runbook } = message;
  const state = { firing: severity.toUpperCase(), resolved: "RESOLVED", test: "TEST" }[
    type.slice("alarm.".length) as NoticeRow["kind"] | "test"
  ];
  const subject = `[${state}] Centavo ${environment}: ${alarm}`;
  const parts = [
    ["", message.new],
    ["Still: ", message.still],
    ["Over: ", message.over],
  ] as const;
  const lines = parts.flatMap(([word, texts]) => texts.map((text) => `${word}${text}`));
  return {
    subject,
    text: [subject, ...lines, `Since ${since}. What to do: ${runbook}`].join("\n"),
  };
}
