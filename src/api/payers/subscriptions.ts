import { and, asc, eq, gt, sql } from "drizzle-orm";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import { subscriptionPayers, subscriptions } from "../../db/schema/subscriptions/subscriptions.ts";
import { subscriptionSubject } from "../../domain/shared/event-subject.ts";
import type { Subscription } from "../../domain/subscriptions/records.ts";
import { eraseArchived, type ArchiveBudget } from "./erase-archived.ts";

/** Subscriptions of one call of the object. */
const BATCH = 50;
/** Subscriptions of a payer that one request erases. */
const ERASED_MAX = 500;

/** A payer's subscriptions after a number, ascending. A payer has a key of today and one of before the keyed hash. */
export async function subscriptionsOfPayer(
  env: Env,
  companyId: number,
  leadKeys: string[],
  after: number,
  limit: number,
): Promise<Subscription[]> {
  const db = databaseFor(env, companyId);
  const rows = await db
    .select({ number: sql<number>`number` })
    .from(sql`${subscriptionPayers} INDEXED BY subscription_payers_lead`)
    .where(
      and(
        eq(subscriptionPayers.companyId, companyId),
        inList(subscriptionPayers.leadKey, leadKeys),
        gt(subscriptionPayers.number, after),
      ),
    )
    .orderBy(asc(subscriptionPayers.number))
    .limit(limit);
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.companyId, companyId), inList(subscriptions.number, numbers)))
    .orderBy(asc(subscriptions.number));
}

/**
 * Erases a payer in his subscriptions: at once where they have ended, also at his bank, else as they do. Safe to repeat.
 * Answers how many have nothing of him now, and how many last or are left. Rejects with `ArchiveUnavailable`.
 */
export async function eraseSubscriptions(
  env: Env,
  companyId: number,
  leadKeys: string[],
  budget: ArchiveBudget,
  nowMs: number,
): Promise<{ erased: number; open: number }> {
  const found = await subscriptionsOfPayer(env, companyId, leadKeys, 0, ERASED_MAX + 1);
  let erased = 0;
  let open = Math.max(0, found.length - ERASED_MAX);
  for (let at = 0; at < Math.min(found.length, ERASED_MAX); at += BATCH) {
    const batch = found.slice(at, Math.min(at + BATCH, ERASED_MAX));
    // First: once the object has erased them, nobody finds them by their payer.
    const otherSubjects = batch.map(({ id }) => subscriptionSubject(id));
    await eraseArchived(env, companyId, { charges: [], otherSubjects }, budget, nowMs);
    const numbers = batch.map(({ number }) => number);
    const done = await callCompany(env, companyId, (account) =>
      account.erasePayersOfSubscriptions({ companyId, numbers }),
    );
    erased += done.erased;
    open += done.open;
  }
  return { erased, open };
}
