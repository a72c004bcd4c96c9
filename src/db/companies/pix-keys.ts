import { and, eq, notInArray } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { databasesOf, isSharded } from "../sharding/databases.ts";
import { identitiesOf, type AccountConnection } from "../../domain/psp/psp-account.ts";
import { accountHolders } from "./account-holders.ts";
import { pixKeys } from "../schema/routing.ts";

/**
 * Claims an account at its bank for a company in the directory, since an index sees only one database: a PIX key, or
 * what else tells it (`identitiesOf`). False if another company uses it; using it outranks a claim to it. With one
 * database the index suffices.
 */
export async function claimAccount(
  env: Env,
  companyId: number,
  connection: AccountConnection,
  nowMs: number,
): Promise<boolean> {
  if (!isSharded(env)) return true;
  for (const identity of identitiesOf(connection)) {
    const holdersOf = () => findHolders(env, connection, nowMs);
    if (!(await claimIdentity(env, companyId, identity, holdersOf))) return false;
  }
  return true;
}

async function claimIdentity(
  env: Env,
  companyId: number,
  identity: string,
  holdersOf: () => Promise<number[]>,
): Promise<boolean> {
  const db = directoryOf(env);
  const isOfKey = eq(pixKeys.pixKey, identity);
  const [inserted, [claim]] = await db.batch([
    db.insert(pixKeys).values({ pixKey: identity, companyId }).onConflictDoNothing().returning(),
    db.select().from(pixKeys).where(isOfKey),
  ]);
  const holders = await holdersOf();
  if (holders.some((holder) => holder !== companyId)) {
    if (inserted.length > 0) await db.delete(pixKeys).where(and(isOfKey, isClaimOf(companyId)));
    return false;
  }
  if (claim?.companyId === companyId) return true;
  if (!holders.includes(companyId)) return false;
  // The other claimant sees this holder and gives up.
  await db
    .insert(pixKeys)
    .values({ pixKey: identity, companyId })
    .onConflictDoUpdate({ target: pixKeys.pixKey, set: { companyId } });
  return true;
}

/** The companies that use an account or used it recently. Companies from before sharding have no claim row. */
async function findHolders(
  env: Env,
  connection: AccountConnection,
  nowMs: number,
): Promise<number[]> {
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) =>
      drizzle(database).all<{ company_id: number }>(accountHolders(connection, nowMs)),
    ),
  );
  return found.flat().map((holder) => holder.company_id);
}

/** Deletes a company's claims, except those to the accounts that it uses. */
export async function releaseClaims(
  env: Env,
  companyId: number,
  used: AccountConnection[],
): Promise<void> {
  if (!isSharded(env)) return;
  await directoryOf(env)
    .delete(pixKeys)
    .where(and(isClaimOf(companyId), notInArray(pixKeys.pixKey, used.flatMap(identitiesOf))));
}

function isClaimOf(companyId: number) {
  return eq(pixKeys.companyId, companyId);
}
