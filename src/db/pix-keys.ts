import { and, eq, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../env.ts";
import { directoryOf } from "./client.ts";
import { databasesOf, isSpread } from "./databases.ts";
import { companyProviders } from "./schema/company-providers.ts";
import { pixKeys } from "./schema/routing.ts";

/**
 * Claims a PIX key for a company among all databases: a database's own index sees only its companies.
 * False where another company has it. With `DB` alone the index is enough.
 */
export async function claimPixKey(env: Env, companyId: number, pixKey: string): Promise<boolean> {
  if (!isSpread(env)) return true;
  const db = directoryOf(env);
  const [, [claim]] = await db.batch([
    db.insert(pixKeys).values({ pixKey, companyId }).onConflictDoNothing(),
    db.select().from(pixKeys).where(eq(pixKeys.pixKey, pixKey)),
  ]);
  if (claim?.companyId !== companyId) return false;
  const isOthers = and(
    sql`json_extract(${companyProviders.settings}, '$.pixKey') = ${pixKey}`,
    ne(companyProviders.companyId, companyId),
  );
  // Those that were there before there was a second database have made no claim.
  const holders = await Promise.all(
    [...databasesOf(env).values()].map((database) =>
      drizzle(database)
        .select({ companyId: companyProviders.companyId })
        .from(companyProviders)
        .where(isOthers)
        .limit(1),
    ),
  );
  return holders.flat().length === 0;
}

/** Gives up what a company has claimed, but for the key that it has now. */
export async function dropPixKeys(
  env: Env,
  companyId: number,
  present: string | null,
): Promise<void> {
  if (!isSpread(env)) return;
  await directoryOf(env)
    .delete(pixKeys)
    .where(and(eq(pixKeys.companyId, companyId), ne(pixKeys.pixKey, present ?? "")));
}
