import { and, asc, eq, ne, sql, type SQL } from "drizzle-orm";
import type { ContradictionStatus } from "../../domain/reconciliation/contradiction.ts";
import type { Env } from "../../config.ts";
import { databaseFor, allShards } from "../client.ts";
import { contradictions, operatorEvents } from "../schema/contradictions.ts";

export type ContradictionRow = typeof contradictions.$inferSelect;
export type OperatorEventRow = typeof operatorEvents.$inferSelect;

/** The last contradiction that a reader of the list has seen. */
export interface ContradictionCursor {
  companyId: number;
  number: number;
}

/** The last event that a reader has seen. */
export interface OperatorEventCursor extends ContradictionCursor {
  at: number;
}

/**
 * The copies of contradictions of all companies, by company and number. Throws where any database cannot be
 * read: a list that leaves companies out would be taken for whole.
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
 * The first of a company's contradictions that nobody has decided. Payments set aside are everyday work
 * and not among them.
 */
export async function listUndecidedContradictions(
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
 * What operators were told, by the time at which it happened. What D1 learnt late of stands where it
 * happened.
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

/** What is open, without what it says; of all databases up to `limit` each. */
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

/** In the words of the index of what is open. */
const NOT_DECIDED = sql`status <> 'decided'`;

/** Open ones and proposed ones stand in the index of what is not decided. */
function inStatus(status: ContradictionStatus | null): SQL | undefined {
  if (status === null) return undefined;
  const isStatus = sql`${contradictions.status} = ${status}`;
  return status === "decided" ? isStatus : and(NOT_DECIDED, isStatus);
}

/** A company on its way is read where it comes from until it has arrived. */
function isReadableHere(companyId: SQL | object): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM fences
    WHERE fences.company_id = ${companyId} AND fences.state IN ('left', 'arriving'))`;
}

async function queryAllShards<Row>(
  env: Env,
  query: (db: ReturnType<typeof allShards>[number]["db"]) => Promise<Row[]>,
): Promise<Row[]> {
  const found = await Promise.all(allShards(env).map(({ db }) => query(db)));
  return found.flat();
}
