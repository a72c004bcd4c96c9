import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { inList } from "../in-list.ts";
import { acknowledgements, alarmNotices, alarms } from "../schema/watch/watch.ts";
import { runIdempotent } from "../storage-errors.ts";

export type AlarmRow = typeof alarms.$inferSelect;
export type NoticeRow = typeof alarmNotices.$inferSelect;
export type { StoredFinding } from "../schema/watch/watch.ts";
export type Acknowledgement = typeof acknowledgements.$inferSelect;

/** Every alarm that has ever fired: at most one row for each id. */
export async function listAlarms(env: Env): Promise<AlarmRow[]> {
  return directoryOf(env).select().from(alarms).orderBy(alarms.id);
}

export async function saveAlarm(env: Env, row: AlarmRow): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .insert(alarms)
      .values(row)
      .onConflictDoUpdate({ target: alarms.id, set: row })
      .run(),
  );
}

/** What each target was told last: at most one row for each alarm and target. */
export async function listNotices(env: Env): Promise<NoticeRow[]> {
  return directoryOf(env).select().from(alarmNotices).orderBy(alarmNotices.alarm);
}

export async function saveNotice(env: Env, row: NoticeRow): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .insert(alarmNotices)
      .values(row)
      .onConflictDoUpdate({ target: [alarmNotices.alarm, alarmNotices.target], set: row })
      .run(),
  );
}

/** The acknowledgements of some companies. */
export async function listAcknowledgements(
  env: Env,
  companyIds: number[],
): Promise<Map<number, Acknowledgement>> {
  if (companyIds.length === 0) return new Map();
  const rows = await directoryOf(env)
    .select()
    .from(acknowledgements)
    .where(inList(acknowledgements.companyId, companyIds));
  return new Map(rows.map((row) => [row.companyId, row]));
}

export async function saveAcknowledgement(env: Env, row: Acknowledgement): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .insert(acknowledgements)
      .values(row)
      .onConflictDoUpdate({ target: acknowledgements.companyId, set: row })
      .run(),
  );
}
