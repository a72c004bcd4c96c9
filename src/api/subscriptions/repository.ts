import { and, between, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import type { StoredTransaction, TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { payerErasures } from "../../db/schema/payers.ts";
import { subscriptionCycles, subscriptions } from "../../db/schema/subscriptions/subscriptions.ts";
import { transactions } from "../../db/schema/transactions.ts";
import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import { isDebitedCharge } from "../../domain/charges/payment-charge.ts";
import { byHandIdsOf } from "../../domain/subscriptions/cycle-charge.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { attemptsView } from "../../domain/subscriptions/subscription-view.ts";
import type { SubscriptionStatus } from "../../domain/subscriptions/subscription.ts";

/** A company's subscription by its id; null if it has none. */
export async function findSubscription(
  env: Env,
  companyId: number,
  id: string,
): Promise<Subscription | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.companyId, companyId), eq(subscriptions.id, id)));
  return row ?? null;
}

/** The attempts to debit each of some charges that subscriptions debit, as views show them; no entry for any other. */
export async function attemptsOfCharges(
  env: Env,
  companyId: number,
  charges: Pick<TransactionRow, "id" | "idempotencyKey">[],
): Promise<Map<string, { attempts: ReturnType<typeof attemptsView> }>> {
  const ids = charges.filter(isDebitedCharge).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { transactionId, attempts } = subscriptionCycles;
  const rows = await databaseFor(env, companyId)
    .select({ transactionId, attempts })
    .from(subscriptionCycles)
    .where(and(eq(subscriptionCycles.companyId, companyId), inList(transactionId, ids)));
  return new Map(rows.map((row) => [row.transactionId, { attempts: attemptsView(row) }]));
}

/** A company's subscriptions below a number, newest first; of one status only, where it is named. */
export function listSubscriptions(
  env: Env,
  companyId: number,
  page: { before: number; limit: number; status: SubscriptionStatus | undefined },
): Promise<Subscription[]> {
  const { before, limit, status } = page;
  return databaseFor(env, companyId)
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.companyId, companyId),
        status === undefined ? undefined : eq(subscriptions.status, status),
        lt(subscriptions.number, before),
      ),
    )
    .orderBy(desc(subscriptions.number))
    .limit(limit);
}

/** The opened cycles of a subscription below a place, newest first. */
export function listCycles(
  env: Env,
  companyId: number,
  page: { subscriptionId: string; before: number; limit: number },
): Promise<SubscriptionCycle[]> {
  return databaseFor(env, companyId)
    .select()
    .from(subscriptionCycles)
    .where(
      and(
        eq(subscriptionCycles.companyId, companyId),
        eq(subscriptionCycles.subscriptionId, page.subscriptionId),
        lt(subscriptionCycles.cycle, page.before),
      ),
    )
    .orderBy(desc(subscriptionCycles.cycle))
    .limit(page.limit);
}

/** The charges by which a cycle is or was to be paid by hand, as D1 has them. */
export async function listByHand(
  env: Env,
  companyId: number,
  cycle: SubscriptionCycle,
): Promise<StoredTransaction[]> {
  const { id } = transactions;
  const isOfCycle = byHandIdsOf(cycle).map(({ first, last, from }) =>
    and(between(id, first, last), sql`substr(${id}, ${from}) = substr(${first}, ${from})`),
  );
  const rows = await databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(or(...isOfCycle));
  return rows.filter((row) => !isDebitedCharge(row));
}

/** Puts a charge in line for its erasure, where its subscription's payer asked for that before it was there. */
export function eraseLateCharge(
  db: Database,
  { id: subscriptionId }: Pick<Subscription, "id">,
  { companyId, id }: Pick<TransactionRow, "companyId" | "id">,
) {
  const asked = sql`SELECT made.company_id, made.seq, 'request', made.created_at, NULL
    FROM transactions AS made CROSS JOIN subscriptions AS its
      ON its.company_id = made.company_id AND its.id = ${subscriptionId}
    WHERE made.id = ${id} AND made.company_id = ${companyId}
      AND its.customer ->> '$.erasesCharges' = 1`;
  return db.insert(payerErasures).select(asked).onConflictDoNothing();
}

/** The statuses of charges by their ids, as D1 has them. */
export function listStatuses(
  env: Env,
  companyId: number,
  ids: string[],
): Promise<{ id: string; status: ChargeStatus }[]> {
  return databaseFor(env, companyId)
    .select({ id: transactions.id, status: transactions.status })
    .from(transactions)
    .where(inArray(transactions.id, ids));
}
