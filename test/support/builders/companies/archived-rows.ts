import { archiveRows } from "../../../../src/api/operator/row-archive/tasks.ts";
import type { Env } from "../../../../src/config.ts";
import { SINGLE_STEP } from "../../../../src/domain/shared/cron-step.ts";
import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import { copyCharge } from "../charges/copied-charges.ts";
import { MARKED_PIX } from "../charges/marked-payer.ts";
import { givenTransaction, pay } from "../charges/transaction.ts";
import { givenCompany, waitUntilDrained } from "./company.ts";
import { env, type TestCompany } from "./env.ts";

const DAY_MS = 24 * 60 * 60_000;
/** About fourteen months: one more than rows stay in D1. */
const AGE_MS = 430 * DAY_MS;

/** The statement by which charges leave D1. */
export const LEAVING = /update "transactions" set[^;]*"archive_file"/;

interface PaidCharges {
  request?: Record<string, unknown>;
  clock?: Clock;
}

/** A company with paid charges, oldest first. */
export async function givenPaidCharges(
  count: number,
  { request = MARKED_PIX, clock = systemClock }: PaidCharges = {},
) {
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/hook" });
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const { id } = await givenTransaction(company, request);
    await pay(company, id);
    ids.push(id);
  }
  await waitUntilDrained(company);
  return { company, ids };
}

/** Runs SQL in D1, past the service. */
export async function runInD1<Row = any>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

/** Makes what D1 has of a company's charges and events fourteen months old, with all deliveries done. */
export async function ageRows({ id }: TestCompany): Promise<void> {
  const bound = (sql: string, ...values: unknown[]) => env.DB.prepare(sql).bind(...values, id);
  await env.DB.batch([
    bound("UPDATE transactions SET created_at = created_at - ? WHERE company_id = ?", AGE_MS),
    bound("UPDATE events SET created_at = created_at - ? WHERE company_id = ?", AGE_MS),
    bound(
      `UPDATE deliveries SET status = 'delivered', next_attempt_at = NULL
       WHERE next_attempt_at IS NOT NULL AND company_id = ?`,
    ),
  ]);
}

/** Runs the cron's task for one company, as its turn. */
export function runRowArchive(
  { id }: TestCompany,
  from: Env = env,
  now = Date.now(),
): Promise<void> {
  return archiveRows(from, { platformClock: { now: () => now } }, { ...SINGLE_STEP, state: [id] });
}

/** Lets all closed charges of a company, and its events, leave D1. */
export async function archiveAll(company: TestCompany): Promise<void> {
  await ageRows(company);
  await runRowArchive(company);
}

/** The names of a company's files, oldest first. */
export async function filesOf(
  { id }: TestCompany,
  kind: "transactions" | "events",
): Promise<string[]> {
  const { objects } = await env.ARCHIVE!.list({ prefix: `${kind}/${id}/` });
  return objects.map(({ key }) => key);
}

/** When the oldest of a company's rows was made that should have left D1 and have not; null if all have. */
export async function oldestLateOf({ id }: TestCompany): Promise<number | null> {
  return env.DB.prepare(
    `SELECT min(at) AS late FROM (
       SELECT oldest_late_at AS at FROM archive_progress WHERE company_id = ?1
       UNION ALL SELECT late_at FROM archive_waiting WHERE company_id = ?1)`,
  )
    .bind(id)
    .first<number>("late");
}

/** The text of all files of a company. */
export async function archivedText(company: TestCompany): Promise<string> {
  const names = [
    ...(await filesOf(company, "transactions")),
    ...(await filesOf(company, "events")),
  ];
  const texts = await Promise.all(
    names.map(async (name) => (await env.ARCHIVE!.get(name))?.text() ?? ""),
  );
  return texts.join("");
}

/** An archive, some of whose methods are others. */
export function withBucket(changed: Partial<R2Bucket>): Env {
  const archive = env.ARCHIVE!;
  const bucket: R2Bucket = Object.assign(Object.create(archive), {
    get: archive.get.bind(archive),
    put: archive.put.bind(archive),
    list: archive.list.bind(archive),
    delete: archive.delete.bind(archive),
    ...changed,
  });
  return { ...env, ARCHIVE: bucket };
}

/** An archive that takes no file of such a name. */
export function refusing(part: string): Env {
  return withBucket({
    put: ((name: string, text: string, options?: R2PutOptions) =>
      name.includes(part)
        ? Promise.reject(new Error("R2 refuses it"))
        : env.ARCHIVE!.put(name, text, options)) as R2Bucket["put"],
  });
}

/** An archive whose files cannot be read. */
export function withoutFiles(): Env {
  return withBucket({ get: () => Promise.reject(new Error("R2 is down")) });
}

/** Makes charges of as many months, the newest of them fourteen months old. */
export async function spreadOverMonths(company: TestCompany, months: number): Promise<void> {
  const newest = Date.now() - 430 * DAY_MS;
  const monthOf = (seq: number) => newest - (months - seq) * 31 * DAY_MS;
  await env.DB.prepare("UPDATE transactions SET created_at = ? WHERE company_id = ?")
    .bind(monthOf(1), company.id)
    .run();
  for (let seq = 2; seq <= months; seq++) {
    await copyCharge(company, seq, { created_at: monthOf(seq) });
  }
}
