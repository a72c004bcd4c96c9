import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Env } from "../config.ts";
import { databaseFor, type Database } from "./client.ts";
import type { FanOut, ShardRow } from "./sharding/fan-out.ts";
import { emails } from "./schema/people/emails.ts";
import { runIdempotent } from "./storage-errors.ts";

/** An e-mail that is due or was sent. Times in Unix milliseconds. */
export type EmailRow = typeof emails.$inferSelect;

/** What a new e-mail is about, and who gets it. */
export type NewEmail = Pick<EmailRow, "companyId" | "id" | "kind" | "subject" | "userId">;

/** The statement that makes an e-mail due. One that is there stays as it is. */
export function insertEmail(db: Database, email: NewEmail, nowMs: number): BatchItem<"sqlite"> {
  return db
    .insert(emails)
    .values({
      ...email,
      status: "due",
      attempts: 0,
      nextAttemptAt: nowMs,
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

/** Writes how an attempt ended: `due` again at a later time, or an end. With it, the e-mails that follow from it. */
export async function recordEmail(
  env: Env,
  email: EmailRow,
  outcome: Pick<EmailRow, "status" | "nextAttemptAt" | "updatedAt">,
  following: NewEmail[] = [],
): Promise<void> {
  const db = databaseFor(env, email.companyId);
  const inserts = following.map((each) => insertEmail(db, each, outcome.updatedAt));
  await runIdempotent(() =>
    db.batch([db.update(emails).set(outcome).where(isEmail(email)), ...inserts]),
  );
}

function isEmail({ companyId, id }: Pick<EmailRow, "companyId" | "id">) {
  return and(eq(emails.companyId, companyId), eq(emails.id, id));
}
