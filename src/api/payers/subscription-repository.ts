import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import { subscriptionPayers, subscriptions } from "../../db/schema/subscriptions/subscriptions.ts";
import type { Subscription } from "../../domain/subscriptions/records.ts";

/** A payer's subscriptions after a number, ascending. A payer has a key of today and one of before the keyed hash. */
export async function subscriptionsOfPayer(
  env: Env,
  companyId: number,
  leadKeys: string[],
  after: number,
  limit: number,
): Promise<Subscription[]> {
  const db = databaseFor(env, companyId);
  const found = await Promise.all(
    leadKeys.map((leadKey) =>
      db
        .select({ number: sql<number>`number` })
        .from(sql`${subscriptionPayers} INDEXED BY subscription_payers_lead`)
        .where(
          and(
            eq(subscriptionPayers.companyId, companyId),
            eq(subscriptionPayers.leadKey, leadKey),
            gt(subscriptionPayers.number, after),
          ),
        )
        .orderBy(asc(subscriptionPayers.number))
        .limit(limit),
    ),
  );
  const numbers = found
    .flat()
    .map(({ number }) => number)
    .toSorted((one, other) => one - other)
    .slice(0, limit);
  if (numbers.length === 0) return [];
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.companyId, companyId), inList(subscriptions.number, numbers)))
    .orderBy(asc(subscriptions.number));
}

/** The subscriptions after a number whose payers are erased, or will be as they end, ascending. `isAsked`: a payer asked for it. */
export async function erasedSubscriptions(
  env: Env,
  companyId: number,
  after: number,
  limit: number,
): Promise<{ number: number; id: string; isAsked: boolean }[]> {
  const { number, id, customer } = subscriptions;
  const rows = await databaseFor(env, companyId)
    .select({ number, id, asked: sql<number | null>`${customer} ->> '$.erasesCharges'` })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.companyId, companyId),
        gt(number, after),
        sql`(${customer} ->> '$.document.number' = '' OR ${customer} ->> '$.isErasing' = 1)`,
      ),
    )
    .orderBy(asc(number))
    .limit(limit);
  return rows.map((row) => ({ number: row.number, id: row.id, isAsked: row.asked === 1 }));
}
