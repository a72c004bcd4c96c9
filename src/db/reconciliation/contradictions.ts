import { and, asc, eq, ne, sql, type SQL } from "drizzle-orm";
import type { ContradictionStatus } from "../../domain/reconciliation/contradiction.ts";
import type { Env } from "../../config.ts";
import { databaseFor, allShards } from "../client.ts";
import { contradictions, operatorEvents } from "../schema/contradictions.ts";
import { isReadableHere } from "../sharding/fence-filters.ts";

export type ContradictionRow = typeof contradictions.$inferSelect;
export type OperatorEventRow = typeof operatorEvents.$inferSelect;

/** The last contradiction that a reader of the list has got. */
export interface ContradictionCursor {
  companyId: number;
  number: number;
}

/** The last event that a reader has got. */
export interface OperatorEventCursor extends ContradictionCursor {
  at: number;
}

/**
 * Contradictions of all companies, by company and number, from their projections. Throws if a database
 * cannot be read, because an incomplete list would look complete.
 */
export async function listContradictions(
  env: Env,
  query: { status: ContradictionStatus | null; after: ContradictionCursor; limit: number },
): Promise<ContradictionRow[]> {
  const { status, after, limit } = query;
  const { companyId, number } = contradictions;
  const rows = await queryAllShards(env, (db) =>
    db
      .select()
      .from(contradictions)
      .where(
        and(
          sql`(${companyId}, ${number}) > (${after.companyId}, ${after.number})`,
          inStatus(status),
          isReadableHere(companyId),
        ),
      )
      .orderBy(asc(companyId), asc(number))
      .limit(limit),
  );
  return rows
    .toSorted((left, right) => left.companyId - right.companyId || left.number - right.number)
    .slice(0, limit);
}

/**
 * A company's first open contradictions. Leaves out unexpected payments, which are everyday work.
 */
export async function listOpenContradictions(
  env: Env,
  companyId: number,
  limit: number,
): Promise<Pick<ContradictionRow, "number" | "kind" | "object">[]> {
  const { number, kind, object } = contradictions;
  return databaseFor(env, companyId)
    .select({ number, kind, object })
    .from(contradictions)
    .where(
      and(
        eq(contradictions.companyId, companyId),
        sql`status <> 'decided'`,
        ne(kind, "payment_set_aside"),
      ),
    )
    .orderBy(asc(number))
    .limit(limit);
}

/**
 * Operator events of all companies, by the time at which they happened. An event that D1 got late is
 * sorted by that time too.
 */
export async function listOperatorEvents(
  env: Env,
  after: OperatorEventCursor,
  limit: number,
): Promise<OperatorEventRow[]> {
  const { at, companyId, number } = operatorEvents;
  const rows = await queryAllShards(env, (db) =>
    db
      .select()
      .from(operatorEvents)
      .where(
        and(
          sql`(${at}, ${companyId}, ${number}) > (${after.at}, ${after.companyId}, ${after.number})`,
          isReadableHere(companyId),
        ),
      )
      .orderBy(asc(at), asc(companyId), asc(number))
      .limit(limit),
  );
  return rows
    .toSorted(
      (left, right) =>
        left.at - right.at || left.companyId - right.companyId || left.number - right.number,
    )
    .slice(0, limit);
}

/** The amounts and ages of open contradictions, up to `limit` from each database. Centavos. */
export async function openContradictions(env: Env, limit: number) {
  const { kind, since, amount, held, companyId } = contradictions;
  return queryAllShards(env, (db) =>
    db
      .select({ kind, since, amount, held })
      .from(contradictions)
      .where(and(NOT_DECIDED, isReadableHere(companyId)))
      .orderBy(asc(companyId), asc(contradictions.number))
      .limit(limit),
  );
}

/** Written as in the partial index `contradictions_open`, so that SQLite uses it. */
const NOT_DECIDED = sql`status <> 'decided'`;

/** `open` and `proposed` are read through the partial index of open contradictions. */
function inStatus(status: ContradictionStatus | null): SQL | undefined {
  if (status === null) return undefined;
  const isStatus = sql`${contradictions.status} = ${status}`;
  return status === "decided" ? isStatus : and(NOT_DECIDED, isStatus);
}

async function queryAllShards<Row>(
  env: Env,
  query: (db: ReturnType<typeof allShards>[number]["db"]) => Promise<Row[]>,
): Promise<Row[]> {
  const found = await Promise.all(allShards(env).map(({ db }) => query(db)));
  return found.flat();
}
