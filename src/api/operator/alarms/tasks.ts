import {
  listAlarms,
  listNotices,
  saveAlarm,
  saveNotice,
  type AlarmRow,
  type NoticeRow,
} from "../../../db/watch/alarms.ts";
import { deleteDeadLettersBefore } from "../../../db/watch/dead-letters.ts";
import { databaseLatencies } from "../../../db/watch/waiting.ts";
import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { flushProviderCalls } from "../../../providers/registry.ts";
import { operatorAnswers, takeSample } from "../status/answers.ts";
import { serviceFigures, type ServiceFigures } from "../status/figures.ts";
import { writeMetrics } from "../status/metrics.ts";
import { dueNotice, nextAlarm } from "./evaluate.ts";
import { messageOf } from "./message.ts";
import { targetsOf, TargetSilent, type Target } from "./send.ts";
import { databaseSilent, type Finding } from "./findings.ts";
import { ALARMS, type Alarm } from "./thresholds.ts";

const DEAD_LETTERS_KEPT_MS = 90 * 86_400_000;

const DIGEST = new Set(ALARMS.flatMap(({ id, isDigest }) => (isDigest === true ? [id] : [])));

type Findings = (alarm: Alarm) => Finding[] | null;

/**
 * Cron task: evaluates every alarm over the service's figures, and tells each target what it does not know yet. A
 * target that takes nothing is tried again next minute, and delays no other.
 */
export async function watchService(env: Env, deps: Dependencies): Promise<void> {
  const now = deps.platformClock.now();
  await flushProviderCalls(env, now);
  const figures = await readFigures(env, deps);
  await evaluateAlarms(env, await currentFindings(env, deps, figures), now);
  await notifyTargets(env, deps, now);
  await deleteDeadLettersBefore(env, now - DEAD_LETTERS_KEPT_MS);
  if (figures === null) return;
  // Last: no alarm waits for what only people ask.
  const answers = await operatorAnswers(env, now);
  writeMetrics(env, figures, answers);
  await takeSample(env, figures, answers);
}

/** Null if they cannot be read. */
async function readFigures(
  env: Env,
  { platformClock }: Dependencies,
): Promise<ServiceFigures | null> {
  try {
    return await serviceFigures(env, platformClock);
  } catch (error) {
    log("error", "figures_unreadable", errorFields(error));
    return null;
  }
}

/** What each alarm finds; null for an alarm whose figures cannot be read, which stays as it is. */
async function currentFindings(
  env: Env,
  { platformClock }: Dependencies,
  figures: ServiceFigures | null,
): Promise<Findings> {
  if (figures !== null) return ({ findings }) => findings(figures);
  const latencies = await databaseLatencies(env, () => platformClock.now());
  const silent = [...latencies].filter(([, latency]) => latency === null);
  const found = silent.map(([name]) => databaseSilent(name));
  return ({ id }) => (id === "database_silent" ? found : null);
}

async function evaluateAlarms(env: Env, findingsOf: Findings, nowMs: number): Promise<void> {
  const before = new Map((await listAlarms(env)).map((row) => [row.id, row]));
  for (const alarm of ALARMS) {
    const findings = findingsOf(alarm);
    if (findings === null) continue;
    const known = before.get(alarm.id) ?? null;
    const next = nextAlarm(known, alarm, findings, nowMs);
    if (next !== null && JSON.stringify(next) !== JSON.stringify(known)) await saveAlarm(env, next);
  }
}

async function notifyTargets(env: Env, deps: Dependencies, nowMs: number): Promise<void> {
  const targets = targetsOf(env, deps);
  if (targets.length === 0) return;
  const [rows, notices] = await Promise.all([listAlarms(env), listNotices(env)]);
  const due = targets.flatMap((target) =>
    rows.flatMap((alarm) => {
      const last = notices.find(
        (notice) => notice.alarm === alarm.id && notice.target === target.name,
      );
      const kind = dueNotice(alarm, last ?? null, nowMs, DIGEST.has(alarm.id));
      return kind === null ? [] : [{ target, alarm, kind, last: last ?? null }];
    }),
  );
  // One after the other for each target: a slow one then has one connection, not all.
  await Promise.all(
    targets.map(async ({ name }) => {
      for (const each of due.filter(({ target }) => target.name === name)) {
        if (!(await notify(env, each, nowMs))) break;
      }
    }),
  );
}

interface DueNotice {
  target: Target;
  alarm: AlarmRow;
  kind: NoticeRow["kind"];
  /** What the target was told last; null if nothing. */
  last: NoticeRow | null;
}

/** Returns whether the target answers, be it with a refusal. */
async function notify(
  env: Env,
  { target, alarm, kind, last }: DueNotice,
  nowMs: number,
): Promise<boolean> {
  const { id, since, severity } = alarm;
  try {
    await target.send(messageOf(configOf(env), { alarm, kind, last }, nowMs));
  } catch (error) {
    log("error", "alarm_not_sent", { ...errorFields(error), alarm: id, target: target.name });
    return !(error instanceof TargetSilent);
  }
  const told = alarm.resolvedAt === null ? alarm.findings : [];
  const notice = {
    alarm: id,
    target: target.name,
    kind,
    since,
    severity,
    sentAt: nowMs,
    told: told.map(({ about, text }) => ({ about, text })),
  };
  await saveNotice(env, notice);
  log("info", "alarm_sent", { alarm: id, target: target.name, kind });
  return true;
}
