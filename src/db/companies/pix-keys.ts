import { and, eq, ne } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { databasesOf, isSharded } from "../sharding/databases.ts";
import { selectPixKeyHolders } from "./former-accounts.ts";
import { pixKeys } from "../schema/routing.ts";

/**
 * Claims a PIX key for a company among all databases: a database's own index sees only its companies.
 * False where another company has it, which keeps it then; whoever has it as the key of its PSP has the
 * better right than a claim. With `DB` alone the index is enough.
 */
export async function claimPixKey(
  env: Env,
  companyId: number,
  pixKey: string,
  nowMs: number,
): Promise<boolean> {
  if (!isSharded(env)) return true;
  const db = directoryOf(env);
  const isOfKey = eq(pixKeys.pixKey, pixKey);
  const [made, [claim]] = await db.batch([
    db.insert(pixKeys).values({ pixKey, companyId }).onConflictDoNothing().returning(),
    db.select().from(pixKeys).where(isOfKey),
  ]);
  const holders = await findHolders(env, pixKey, nowMs);
  if (holders.some((holder) => holder !== companyId)) {
    if (made.length > 0) await db.delete(pixKeys).where(and(isOfKey, isClaimOf(companyId)));
    return false;
  }
  if (claim?.companyId === companyId) return true;
  if (!holders.includes(companyId)) return false;
  // Whoever has made that claim finds this holder, or has found it.
  await db
    .insert(pixKeys)
    .values({ pixKey, companyId })
    .onConflictDoUpdate({ target: pixKeys.pixKey, set: { companyId } });
  return true;
}

/** The companies that have a key at a PSP, or had it until lately; those of before there was a second database have made no claim. */
async function findHolders(env: Env, pixKey: string, nowMs: number): Promise<number[]> {
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) =>
      selectPixKeyHolders(drizzle(database), pixKey, nowMs),
    ),
  );
  return found.flat().map((holder) => holder.companyId);
}

/** Gives up what a company has claimed, but for the key that it has now. */
export async function releasePixKeys(
  env: Env,
  companyId: number,
  currentPixKey: string | null,
): Promise<void> {
  if (!isSharded(env)) return;
  await directoryOf(env)
    .delete(pixKeys)
    .where(and(isClaimOf(companyId), ne(pixKeys.pixKey, currentPixKey ?? "")));
}

function isClaimOf(companyId: number) {
  return eq(pixKeys.companyId, companyId);
}
