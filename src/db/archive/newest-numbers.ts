import { sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";

/** The newest numbers that D1 has of a company; 0 before the first. */
export async function newestNumbers(env: Env, companyId: number) {
  const newest = (table: SQL, number: SQL) =>
    sql<number>`(SELECT coalesce(max(${number}), 0) FROM ${table} WHERE company_id = ${companyId})`;
  const [row] = await databaseFor(env, companyId)
    .select({
      newestEvent: newest(sql`events`, sql`company_sequence`),
      newestOperatorEvent: newest(sql`operator_events`, sql`number`),
      newestDispute: newest(sql`disputes`, sql`number`),
      newestUnexpectedPayment: newest(sql`unexpected_payments`, sql`number`),
      newestWithdraw: newest(sql`withdraws`, sql`id`),
      newestLink: newest(sql`payment_links`, sql`number`),
      newestSubscription: newest(sql`subscriptions`, sql`number`),
      newestCycle: newest(sql`subscription_cycles`, sql`number`),
      newestContradiction: newest(sql`contradictions`, sql`number`),
    })
    .from(sql`(SELECT 1)`);
  if (row === undefined) throw new Error("a query without a table has one row");
  return row;
}
