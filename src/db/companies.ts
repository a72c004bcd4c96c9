import { asc, eq, gt, sql } from "drizzle-orm";
import type { Company } from "../domain/company.ts";
import type { WithdrawPolicy } from "../domain/withdraw-policy.ts";
import type { Env } from "../env.ts";
import { directoryOf } from "./client.ts";
import { toCompany } from "./credentials.ts";
import { companies } from "./schema/companies.ts";
import { cursors } from "./schema/operations.ts";

const TICK_CURSOR = "tick";

export async function findCompany(env: Env, companyId: number): Promise<Company | null> {
  const [row] = await directoryOf(env).select().from(companies).where(eq(companies.id, companyId));
  return row === undefined ? null : toCompany(row);
}

export async function setWebhookUrl(env: Env, companyId: number, url: string): Promise<void> {
  await directoryOf(env)
    .update(companies)
    .set({ webhookUrl: url })
    .where(eq(companies.id, companyId));
}

export async function setWithdrawPolicy(
  env: Env,
  companyId: number,
  policy: WithdrawPolicy,
): Promise<void> {
  await directoryOf(env)
    .update(companies)
    .set({
      duplicateWithdrawGuard: policy.duplicateGuard,
      withdrawDailyLimit: policy.dailyLimit,
    })
    .where(eq(companies.id, companyId));
}

/** The next companies of the cron's walk over all of them; after the last it begins again. */
export async function nextCompanies(env: Env, count: number): Promise<number[]> {
  const db = directoryOf(env);
  const after = sql`coalesce((SELECT value FROM cursors WHERE name = ${TICK_CURSOR}), 0)`;
  const rows = await db
    .select({ id: companies.id })
    .from(companies)
    .where(gt(companies.id, after))
    .orderBy(asc(companies.id))
    .limit(count);
  const value = rows.length < count ? 0 : (rows.at(-1)?.id ?? 0);
  await db
    .insert(cursors)
    .values({ name: TICK_CURSOR, value })
    .onConflictDoUpdate({ target: cursors.name, set: { value } });
  return rows.map((row) => row.id);
}
