import { and, eq, gte, isNotNull, isNull, lt, lte, min, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database, type OneDatabase } from "../../db/client.ts";
import { OF_PIX_API, PIX_API, toCompany } from "../../db/credentials.ts";
import { runIdempotent } from "../../db/faults.ts";
import { IS_OPEN, LOOK_OVERLAP_MS, OPEN_LOOK } from "../../db/open-charges.ts";
import type { Round } from "../../db/round.ts";
import { companyProviders } from "../../db/schema/company-providers.ts";
import { companies } from "../../db/schema/companies.ts";
import { cursors } from "../../db/schema/operations.ts";
import { transactions } from "../../db/schema/transactions.ts";
import { transactionRow, type TransactionRow } from "../../db/transaction-mapper.ts";
import { firstTransactionIdAt, timeOfTransactionId } from "../../domain/ids.ts";
import type { Env } from "../../env.ts";
import { CREATE_LEASE_MS } from "./draft.ts";

/**
 * The cron's two looks at each transaction, by the time in its id: at the first it lists creates that
 * nobody finished, at the second charges that are still open. All others never cost an index entry.
 */
export type Look = "unanswered" | typeof OPEN_LOOK;

export const LOOKS: readonly Look[] = ["unanswered", OPEN_LOOK];

/** A PIX lives a day unless it is told otherwise, and nothing lives shorter. */
const OPEN_AFTER_MS = 86_400_000;
/** How old a transaction is at each look. A create is over its lease by then, with a margin. */
const AGE_MS: Record<Look, number> = { unanswered: 2 * CREATE_LEASE_MS, open: OPEN_AFTER_MS };
/** What one statement goes through of a time that was missed. */
const WINDOW_MS = 5 * 60_000;
/** Within so long before the second look an answer does not count on it any more. */
const ANSWER_MARGIN_MS = 60 * 60_000;

/**
 * When a charge that was just answered must be listed: at `dueAt`, where it has a time, or null where
 * the look at open charges comes no later and is sure to find the answer.
 */
export function listedAt(
  row: Pick<TransactionRow, "id">,
  dueAt: number | null,
  nowMs: number,
): number | null {
  const lookAt = timeOfTransactionId(row.id) + OPEN_AFTER_MS;
  const isSeen = nowMs < lookAt - ANSWER_MARGIN_MS;
  return dueAt === null || (isSeen && dueAt >= lookAt) ? null : dueAt;
}

/**
 * Takes a look at what came of age since the last one: of each database a window of time in one
 * statement, with the cursor in the same commit. Answers whether it came to the end; a pause is caught
 * up by more calls.
 */
export async function takeLook(round: Round, look: Look, nowMs: number): Promise<boolean> {
  const looks = await round.ask((database) => lookInto(database, look, nowMs));
  return [...looks.values()].every((isDone) => isDone);
}

async function lookInto(
  { db, isHere, isQuiet }: OneDatabase,
  look: Look,
  nowMs: number,
): Promise<boolean> {
  const until = nowMs - AGE_MS[look];
  const begin = await lookedUpTo(db, look);
  if (begin >= until) return true;
  const from = firstTransactionIdAt(Math.max(0, begin - LOOK_OVERLAP_MS));
  const [oldest] = await db
    .select({ id: min(transactions.id) })
    .from(transactions)
    .where(gte(transactions.id, from));
  // Where nothing was made for long, the window begins only with the next transaction.
  const next = oldest?.id == null ? until : timeOfTransactionId(oldest.id);
  const to = Math.min(until, Math.max(begin, next) + WINDOW_MS);
  const [, moved] = await runIdempotent(() =>
    db.batch([
      db
        .update(transactions)
        .set({ sweepAt: timeToList(look, nowMs) })
        .where(
          and(
            gte(transactions.id, from),
            lt(transactions.id, firstTransactionIdAt(to + 1)),
            isNull(transactions.sweepAt),
            isLookedFor(look),
            isHere(transactions.companyId),
          ),
        ),
      db
        .insert(cursors)
        .values({ name: look, value: to })
        .onConflictDoUpdate({
          target: cursors.name,
          set: { value: to },
          // Only from where this look began: the end of a move may have set it back since. What was left
          // out behind a fence is looked at where its company lives afterwards.
          setWhere: and(eq(cursors.value, begin), isQuiet)!,
        })
        .returning({ value: cursors.value }),
    ]),
  );
  return to === until || moved.length === 0;
}

/** What the cron must look at: creates that got stuck and charges past their expiry. */
export async function dueTransactions(round: Round, nowMs: number, limit: number) {
  const { sweepAt, companyId } = transactions;
  const found = await round.rows(limit, ({ db, isHere }) =>
    db
      .select({ transaction: transactions, company: companies, pixApi: PIX_API })
      .from(transactions)
      .innerJoin(companies, eq(companies.id, companyId))
      .leftJoin(companyProviders, OF_PIX_API)
      .where(and(isNotNull(sweepAt), lte(sweepAt, nowMs), isHere(companyId)))
      .orderBy(sweepAt)
      .limit(limit),
  );
  return found.map(({ row: { transaction, company, pixApi }, database }) => ({
    transaction: transactionRow(transaction),
    company: toCompany(company, pixApi),
    database,
  }));
}

/** Puts a row that nothing could be learnt of to a later sweep. */
export async function postponeSweep(env: Env, row: TransactionRow, sweepAt: number): Promise<void> {
  await databaseFor(env, row.companyId)
    .update(transactions)
    .set({ sweepAt })
    .where(
      and(
        eq(transactions.companyId, row.companyId),
        eq(transactions.seq, row.seq),
        isNotNull(transactions.sweepAt),
      ),
    );
}

/** The time (epoch ms) of the newest transactions that a look has seen; 0 before the first. */
async function lookedUpTo(db: Database, look: Look): Promise<number> {
  const [row] = await db
    .select({ value: cursors.value })
    .from(cursors)
    .where(eq(cursors.name, look));
  return row?.value ?? 0;
}

function isLookedFor(look: Look): SQL {
  return look === "unanswered" ? sql`answered_at IS NULL` : IS_OPEN;
}

/** A create that nobody finished is due at once, whatever it expires at, at whichever look it is seen. */
function timeToList(look: Look, nowMs: number): SQL {
  return look === "unanswered"
    ? sql`${nowMs}`
    : sql`CASE WHEN answered_at IS NULL THEN ${nowMs} ELSE coalesce(expires_at, ${nowMs}) END`;
}
