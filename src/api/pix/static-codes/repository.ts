import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { databaseFor } from "../../../db/client.ts";
import { isCurrentVersion } from "../../../db/companies/credentials-version.ts";
import { staticCodes } from "../../../db/schema/payments.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import { staticTxidOf } from "../../../domain/shared/ids.ts";
import type { Env } from "../../../config.ts";

export type StaticCodeRow = typeof staticCodes.$inferSelect;
/** A code before D1 gave it its number. */
export type StaticCodeDraft = Omit<StaticCodeRow, "number" | "deletedAt">;

/** The codes that a company may make, deleted ones included: D1 keeps each, for its prints live on. */
export const STATIC_CODES_MAX = 10_000;

/**
 * Inserts a code with the next number. Null, and no effect, if its key or id has one, if the company has the
 * most codes, or if the credentials have changed.
 */
export async function insertStaticCode(
  env: Env,
  draft: StaticCodeDraft,
  credentialsVersion: number,
): Promise<StaticCodeRow | null> {
  const { companyId } = draft;
  const newest = sql`(SELECT number FROM static_codes WHERE company_id = ${companyId}
    ORDER BY number DESC LIMIT 1)`;
  const [inserted] = await runIdempotent(() =>
    databaseFor(env, companyId)
      .insert(staticCodes)
      .select(
        sql`SELECT ${companyId}, coalesce(newest.number, 0) + 1, ${draft.id}, ${draft.txid},
            ${draft.qrcode}, ${draft.amount}, ${draft.description}, ${draft.account},
            ${draft.idempotencyKey}, ${draft.requestHash}, ${draft.createdAt}, NULL
          FROM (SELECT 1) LEFT JOIN ${newest} AS newest ON true
          WHERE coalesce(newest.number, 0) < ${STATIC_CODES_MAX}
            AND ${isCurrentVersion(companyId, credentialsVersion)}`,
      )
      .onConflictDoNothing()
      .returning(),
  );
  return inserted ?? (await findStaticCode(env, companyId, draft.id));
}

/** A company's code, deleted or not, by its id; null if it has none. */
export async function findStaticCode(
  env: Env,
  companyId: number,
  id: string,
): Promise<StaticCodeRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(staticCodes)
    .where(isCode(companyId, id));
  return row ?? null;
}

/** The code that was made under an idempotency key; null where there is none. */
export async function findStaticCodeByKey(
  env: Env,
  companyId: number,
  idempotencyKey: string,
): Promise<StaticCodeRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(staticCodes)
    .where(
      and(eq(staticCodes.companyId, companyId), eq(staticCodes.idempotencyKey, idempotencyKey)),
    );
  return row ?? null;
}

/** A company's codes below a number, newest first, with the deleted ones. */
export function listStaticCodes(
  env: Env,
  companyId: number,
  page: { before: number; limit: number },
): Promise<StaticCodeRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(staticCodes)
    .where(and(eq(staticCodes.companyId, companyId), lt(staticCodes.number, page.before)))
    .orderBy(desc(staticCodes.number))
    .limit(page.limit);
}

/** Marks a code as deleted; the time of an earlier deletion stays. */
export async function markStaticCodeDeleted(
  env: Env,
  { companyId, id }: Pick<StaticCodeRow, "companyId" | "id">,
  nowMs: number,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(staticCodes)
      .set({ deletedAt: nowMs })
      .where(and(isCode(companyId, id), isNull(staticCodes.deletedAt)))
      .run(),
  );
}

/** A code's txid says its id, and has the index. */
function isCode(companyId: number, id: string) {
  return and(eq(staticCodes.companyId, companyId), eq(staticCodes.txid, staticTxidOf(id)));
}
