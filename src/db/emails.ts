import { and, asc, between, desc, eq, gte, inArray, lt, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Env } from "../config.ts";
import { allShards, databaseFor, type Database } from "./client.ts";
import type { FanOut, ShardRow } from "./sharding/fan-out.ts";
import { EMAIL_KINDS, emails } from "./schema/people/emails.ts";
import { runIdempotent } from "./storage-errors.ts";

/** An e-mail that is due or was sent. Times in Unix milliseconds. */
export type EmailRow = typeof emails.$inferSelect;

/** What a new e-mail is about, and who gets it. */
export type NewEmail = Pick<EmailRow, "companyId" | "id" | "kind" | "subject" | "userId"> & {
  /** When it is sent; left out for at once. */
  at?: number;
};

/** The statement that makes an e-mail due. One that is there stays as it is. */
export function insertEmail(db: Database, email: NewEmail, nowMs: number): BatchItem<"sqlite"> {
  const { at = nowMs, ...values } = email;
  return db
    .insert(emails)
    .values({
      ...values,
      status: "due",
      attempts: 0,
      nextAttemptAt: at,
      createdAt: nowMs,
      updatedAt: nowMs,
    })
    .onConflictDoNothing();
}

/** The e-mails that are due, longest due first. */
export function dueEmails(
  fanOut: FanOut,
  nowMs: number,
  limit: number,
): Promise<ShardRow<EmailRow>[]> {
  return fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select()
      .from(emails)
      .where(
        and(
          // A literal, as the index has it.
          sql`${emails.status} = 'due'`,
          lte(emails.nextAttemptAt, nowMs),
          isLocal(emails.companyId),
        ),
      )
      .orderBy(asc(emails.nextAttemptAt))
      .limit(limit),
  );
}

/**
 * Takes an e-mail for an attempt until `leaseUntil`. False if another run has it, which sends it too: an attempt that a
 * crash cut off is made again after the lease.
 */
export async function claimEmail(
  env: Env,
  email: EmailRow,
  { nowMs, leaseUntil }: { nowMs: number; leaseUntil: number },
): Promise<boolean> {
  const claimed = await databaseFor(env, email.companyId)
    .update(emails)
    .set({ attempts: email.attempts + 1, nextAttemptAt: leaseUntil, updatedAt: nowMs })
    .where(and(isEmail(email), eq(emails.status, "due"), eq(emails.attempts, email.attempts)))
    .returning({ id: emails.id });
  return claimed.length > 0;
}

/**
 * Writes how an attempt ended: `due` again at a later time, or an end. With it, the e-mails that follow from it. Changes
 * nothing of an e-mail that another run has taken since, nor of one that is sent, which can only have failed.
 */
export async function recordEmail(
  env: Env,
  email: EmailRow,
  outcome: Pick<EmailRow, "status" | "nextAttemptAt" | "updatedAt">,
  following: NewEmail[] = [],
): Promise<void> {
  const db = databaseFor(env, email.companyId);
  const inserts = following.map((each) => insertEmail(db, each, outcome.updatedAt));
  const isOpen = outcome.status === "failed" ? undefined : eq(emails.status, "due");
  const update = db
    .update(emails)
    .set(outcome)
    .where(and(isOfAttempt(email), isOpen));
  await runIdempotent(() => db.batch([update, ...inserts]));
}

/** Makes e-mails of one company due, at once or at their time. */
export async function planEmails(env: Env, planned: NewEmail[], nowMs: number): Promise<void> {
  const [first, ...others] = planned;
  if (first === undefined) return;
  const db = databaseFor(env, first.companyId);
  await runIdempotent(() =>
    db.batch([
      insertEmail(db, first, nowMs),
      ...others.map((each) => insertEmail(db, each, nowMs)),
    ]),
  );
}

/**
 * Records an e-mail as sent before it is, so that it is sent at most once. False if another run has taken it since this
 * one claimed it.
 */
export async function recordBeforeSending(
  env: Env,
  email: EmailRow,
  nowMs: number,
): Promise<boolean> {
  const recorded = await databaseFor(env, email.companyId)
    .update(emails)
    .set({ status: "sent", updatedAt: nowMs })
    .where(and(isOfAttempt(email), eq(emails.status, "due")))
    .returning({ id: emails.id });
  return recorded.length > 0;
}

/** Deletes e-mails that ended before a time, the first few of each database. */
export async function deleteEnded(fanOut: FanOut, before: number, limit: number): Promise<void> {
  await fanOut.query(({ db, isLocal }) => {
    // A literal, as the index has it.
    const hasEnded = sql`status <> 'due' AND updated_at < ${before}`;
    return db.run(sql`DELETE FROM ${emails} WHERE (company_id, id) IN (
      SELECT company_id, id FROM ${emails} WHERE ${and(hasEnded, isLocal(emails.companyId))}
      ORDER BY updated_at LIMIT ${limit})`);
  });
}

/**
 * The e-mails that were given up since a time: how many, counted up to `limit` in each database, of which kinds, and
 * when the newest was. Reads only these. Those beyond `until` are of sandbox companies whose clock was moved.
 */
export async function failedEmails(
  env: Env,
  { since, until }: { since: number; until: number },
  limit: number,
) {
  const { kind, updatedAt, status, companyId } = emails;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ kind, at: updatedAt })
        .from(emails)
        // A literal, as the index has it.
        .where(and(sql`${status} = 'failed'`, between(updatedAt, since, until), isLocal(companyId)))
        .orderBy(desc(updatedAt))
        .limit(limit),
    ),
  );
  const rows = found.flat();
  const count = (of: EmailRow["kind"]) => rows.filter((row) => row.kind === of).length;
  return {
    failed: rows.length,
    kinds: EMAIL_KINDS.map((name) => ({ kind: name, failed: count(name) })),
    newestAt: rows.length === 0 ? null : Math.max(...rows.map(({ at }) => at)),
  };
}

/** The reminders that were sent about a charge, or could not be, by the day of each; `prefix` begins their ids. */
export function remindersOf(db: Database, companyId: number, prefix: string) {
  return db
    .select({ at: emails.updatedAt, status: sql<"sent" | "failed">`${emails.status}` })
    .from(emails)
    .where(
      and(
        eq(emails.companyId, companyId),
        gte(emails.id, prefix),
        lt(emails.id, `${prefix}~`),
        inArray(emails.status, ["sent", "failed"]),
      ),
    )
    .orderBy(asc(emails.id));
}

function isEmail({ companyId, id }: Pick<EmailRow, "companyId" | "id">) {
  return and(eq(emails.companyId, companyId), eq(emails.id, id));
}

/** Whether an e-mail is still of the attempt for which it was claimed as it was. */
function isOfAttempt(email: EmailRow) {
  return and(isEmail(email), eq(emails.attempts, email.attempts + 1));
}
