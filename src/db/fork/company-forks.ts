import { and, asc, eq, isNull, lte } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type { ForkOrigin } from "../../domain/fork/fork.ts";
import { SCOPES_VERSION } from "../../domain/shared/company.ts";
import { databaseFor, directoryOf } from "../client.ts";
import { apiKeys, applications, companies } from "../schema/companies.ts";
import { companyForks } from "../schema/routing.ts";
import { runIdempotent } from "../storage-errors.ts";

export type CompanyFork = typeof companyForks.$inferSelect;

/** The fork that a request with this key has made or makes; null without one. */
export async function findFork(env: Env, idempotencyKey: string): Promise<CompanyFork | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(companyForks)
    .where(eq(companyForks.idempotencyKey, idempotencyKey));
  return row ?? null;
}

/** Writes a fork before its first row. False if another request with its key has begun one. */
export async function addFork(
  env: Env,
  fork: Omit<CompanyFork, "finishedAt" | "originalMovement" | "originalHash">,
): Promise<boolean> {
  const { meta } = await directoryOf(env).insert(companyForks).values(fork).onConflictDoNothing();
  return meta.changes > 0;
}

/** Forks that were not finished by the end of their lease, the oldest first. */
export function lapsedForks(env: Env, nowMs: number, limit: number): Promise<CompanyFork[]> {
  return directoryOf(env)
    .select()
    .from(companyForks)
    .where(and(isNull(companyForks.finishedAt), lte(companyForks.leaseUntil, nowMs)))
    .orderBy(asc(companyForks.leaseUntil))
    .limit(limit);
}

/**
 * Takes a fork that is not finished, to open or to erase it. False if another request has taken it since its lease was
 * read.
 */
export async function leaseFork(
  env: Env,
  { companyId, leaseUntil }: Pick<CompanyFork, "companyId" | "leaseUntil">,
  until: number,
): Promise<boolean> {
  const { meta } = await directoryOf(env)
    .update(companyForks)
    .set({ leaseUntil: until })
    .where(
      and(
        eq(companyForks.companyId, companyId),
        eq(companyForks.leaseUntil, leaseUntil),
        isNull(companyForks.finishedAt),
      ),
    );
  return meta.changes > 0;
}

/** Forgets a fork that was never finished, once its rows are gone. */
export async function removeFork(env: Env, companyId: number): Promise<void> {
  await directoryOf(env)
    .delete(companyForks)
    .where(and(eq(companyForks.companyId, companyId), isNull(companyForks.finishedAt)));
}

/** Opens a fork that is whole: with one application and its key. Then notes where its original stood. */
export async function openFork(
  env: Env,
  companyId: number,
  {
    clientId,
    scopes,
    keyHash,
    keyPrefix,
    origin,
    nowMs,
  }: {
    clientId: string;
    /** Space separated. */
    scopes: string;
    keyHash: string;
    keyPrefix: string;
    origin: ForkOrigin;
    nowMs: number;
  },
): Promise<void> {
  const db = databaseFor(env, companyId);
  await runIdempotent(() =>
    db.batch([
      db
        .insert(applications)
        .values({
          clientId,
          companyId,
          name: "default",
          scopes,
          scopesVersion: SCOPES_VERSION,
          createdAt: nowMs,
        })
        .onConflictDoNothing(),
      db
        .insert(apiKeys)
        .values({ companyId, keyHash, createdAt: nowMs, clientId, prefix: keyPrefix })
        .onConflictDoNothing(),
      db.update(companies).set({ closedAt: null }).where(eq(companies.id, companyId)),
    ]),
  );
  const { movement: originalMovement, hash: originalHash } = origin;
  await runIdempotent(() =>
    directoryOf(env)
      .update(companyForks)
      .set({ finishedAt: nowMs, originalMovement, originalHash })
      .where(eq(companyForks.companyId, companyId))
      .run(),
  );
}
