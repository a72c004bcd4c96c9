import { and, eq, notInArray } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { databasesOf, isSharded } from "../sharding/databases.ts";
import { selectPixKeyHolders } from "./account-holders.ts";
import { pixKeys } from "../schema/routing.ts";

/**
 * Claims a PIX key for a company in the directory, since a unique index sees only one database. False if
 * another company uses the key; using a key outranks a claim to it. With one database the index suffices.
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
  const [inserted, [claim]] = await db.batch([
    db.insert(pixKeys).values({ pixKey, companyId }).onConflictDoNothing().returning(),
    db.select().from(pixKeys).where(isOfKey),
  ]);
  const holders = await findHolders(env, pixKey, nowMs);
  if (holders.some((holder) => holder !== companyId)) {
    if (inserted.length > 0) await db.delete(pixKeys).where(and(isOfKey, isClaimOf(companyId)));
    return false;
  }
  if (claim?.companyId === companyId) return true;
  if (!holders.includes(companyId)) return false;
  // The other claimant sees this holder and gives up.
  await db
    .insert(pixKeys)
    .values({ pixKey, companyId })
    .onConflictDoUpdate({ target: pixKeys.pixKey, set: { companyId } });
  return true;
}

/** The companies that use a key or used it recently. Companies from before sharding have no claim row. */
async function findHolders(env: Env, pixKey: string, nowMs: number): Promise<number[]> {
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) =>
      selectPixKeyHolders(drizzle(database), pixKey, nowMs),
    ),
  );
  return found.flat().map((holder) => holder.companyId);
}

/** Deletes a company's claims, except those to the keys that it uses. */
export async function releasePixKeys(
  env: Env,
  companyId: number,
  usedKeys: string[],
): Promise<void> {
  if (!isSharded(env)) return;
  await directoryOf(env)
    .delete(pixKeys)
    .where(and(isClaimOf(companyId), notInArray(pixKeys.pixKey, usedKeys)));
}

function isClaimOf(companyId: number) {
  return eq(pixKeys.companyId, companyId);
}
