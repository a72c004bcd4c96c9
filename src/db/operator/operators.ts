import { and, asc, eq, gt, gte, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Giving } from "../../domain/operators/giving.ts";
import type { OperatorRole } from "../../domain/operators/operator.ts";
import type { Env } from "../../config.ts";
import type { ActiveKey } from "../companies/credentials.ts";
import { directoryOf } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { operatorKeys, operators } from "../schema/operators.ts";

export interface OperatorCredentials {
  name: string;
  role: OperatorRole;
  keys: ActiveKey[];
}

/** An operator without keys. Times in Unix milliseconds. */
export interface OperatorRecord {
  clientId: string;
  name: string;
  role: OperatorRole;
  createdAt: number;
  /** The person of the console who is this operator, and that person's e-mail; null for keys only. */
  userId: string | null;
  email: string | null;
}

/** The columns of an `OperatorRecord`. */
export const OPERATOR_COLUMNS = {
  clientId: operators.clientId,
  name: operators.name,
  role: operators.role,
  createdAt: operators.createdAt,
  userId: operators.userId,
  email: sql<string | null>`(SELECT email FROM users WHERE users.id = ${operators.userId})`,
};

/** An operator to add. Times in Unix milliseconds. */
export interface NewOperator {
  clientId: string;
  name: string;
  role: OperatorRole;
  /** The first key, by its hash; null for none. */
  key: { hash: string; prefix: string } | null;
  /** The client id of who adds. */
  addedBy: string;
  nowMs: number;
}

/** Fields of an operator to change. */
export interface OperatorChange {
  name?: string | undefined;
  role?: OperatorRole | undefined;
  removedAt?: number | undefined;
}

/** An operator with the active keys, in one read; null for an unknown or removed one. */
export async function findOperatorCredentials(
  env: Env,
  clientId: string,
  nowMs: number,
): Promise<OperatorCredentials | null> {
  const rows = await directoryOf(env)
    .select({
      name: operators.name,
      role: operators.role,
      key: {
        id: operatorKeys.id,
        hash: operatorKeys.keyHash,
        prefix: operatorKeys.prefix,
        expiresAt: operatorKeys.expiresAt,
        lastUsedAt: operatorKeys.lastUsedAt,
      },
    })
    .from(operators)
    .leftJoin(
      operatorKeys,
      and(
        eq(operatorKeys.clientId, operators.clientId),
        isNull(operatorKeys.revokedAt),
        or(isNull(operatorKeys.expiresAt), gt(operatorKeys.expiresAt, nowMs)),
      ),
    )
    .where(and(eq(operators.clientId, clientId), isNull(operators.removedAt)));
  const [first] = rows;
  if (first === undefined) return null;
  const { name, role } = first;
  return { name, role, keys: rows.flatMap(({ key }) => (key === null ? [] : [key])) };
}

/** Whether an admin can sign in: one who is not removed, with an active key or as a person of the console. */
export async function hasAdmin(env: Env, nowMs: number): Promise<boolean> {
  const [row] = await directoryOf(env)
    .select({ isTrue: sql<number>`${existsAdmin(nowMs)}` })
    .from(sql`(SELECT 1)`);
  return row?.isTrue === 1;
}

/**
 * A condition: an admin can sign in, other than `exceptClientId` and without the key `exceptKeyId`. It is
 * part of the statement that takes an admin away, so that of two concurrent ones the second changes nothing.
 */
export function existsAdmin(
  nowMs: number,
  { exceptClientId = "", exceptKeyId = 0 }: { exceptClientId?: string; exceptKeyId?: number } = {},
): SQL {
  return sql`EXISTS (SELECT 1 FROM operators AS admins
    WHERE admins.role = 'admin' AND admins.removed_at IS NULL AND admins.client_id <> ${exceptClientId}
      AND (admins.user_id IS NOT NULL OR EXISTS (SELECT 1 FROM operator_keys AS keys
        WHERE keys.client_id = admins.client_id AND keys.id <> ${exceptKeyId} AND keys.revoked_at IS NULL
          AND (keys.expires_at IS NULL OR keys.expires_at > ${nowMs}))))`;
}

/** The operators that are not removed, after a client id. */
export async function listOperators(
  env: Env,
  after: string,
  limit: number,
): Promise<OperatorRecord[]> {
  return directoryOf(env)
    .select(OPERATOR_COLUMNS)
    .from(operators)
    .where(and(gt(operators.clientId, after), isNull(operators.removedAt)))
    .orderBy(asc(operators.clientId))
    .limit(limit);
}

/** An operator; null for an unknown or removed one. */
export async function findOperator(env: Env, clientId: string): Promise<OperatorRecord | null> {
  const [row] = await directoryOf(env)
    .select(OPERATOR_COLUMNS)
    .from(operators)
    .where(and(eq(operators.clientId, clientId), isNull(operators.removedAt)));
  return row ?? null;
}

/**
 * Adds an operator, with a first key if wanted. With `onlyFirst` it adds one only while no admin can sign in; of two
 * concurrent ones the second adds none and returns null.
 */
export async function addOperator(
  env: Env,
  operator: NewOperator,
  { onlyFirst }: { onlyFirst: boolean },
): Promise<OperatorRecord | null> {
  const { clientId, name, role, key, addedBy, nowMs } = operator;
  const given = JSON.stringify([{ by: addedBy, what: "added", at: nowMs }]);
  const db = directoryOf(env);
  const isAllowed = onlyFirst ? sql`NOT ${existsAdmin(nowMs)}` : sql`1`;
  const hasKey = sql`${key === null ? 0 : 1} AND EXISTS (SELECT 1 FROM operators WHERE client_id = ${clientId})`;
  const [, , [added]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(operators)
        // In the order of the table's columns.
        .select(sql`SELECT ${clientId}, ${name}, ${role}, ${nowMs}, NULL, NULL, NULL, NULL, NULL,
          ${given}, ${nowMs} WHERE ${isAllowed}`)
        .onConflictDoNothing(),
      db
        .insert(operatorKeys)
        .select(
          sql`SELECT NULL, ${clientId}, ${key?.hash ?? ""}, ${key?.prefix ?? ""}, ${nowMs}, NULL, NULL, NULL
            WHERE ${hasKey}`,
        )
        .onConflictDoNothing(),
      db.select(OPERATOR_COLUMNS).from(operators).where(eq(operators.clientId, clientId)),
    ]),
  );
  return added ?? null;
}

/** Records what one operator gives another, before he has it. */
export async function recordGiving(env: Env, { to, by, what, at }: Giving): Promise<void> {
  const { given, clientId } = operators;
  const entry = JSON.stringify({ by, what, at });
  await directoryOf(env)
    .update(operators)
    .set({
      given: sql`json_insert(coalesce(${given}, '[]'), '$[#]', json(${entry}))`,
      givenAt: at,
    })
    .where(eq(clientId, to));
}

/** What operators gave each other since a time (Unix milliseconds), removed ones too: a puppet of a puppet stays one. */
export async function listGivings(env: Env, sinceMs: number): Promise<Giving[]> {
  const rows = await directoryOf(env)
    .select({ to: operators.clientId, given: operators.given })
    .from(operators)
    .where(gte(operators.givenAt, sinceMs));
  return rows.flatMap(({ to, given }) =>
    (given ?? [])
      .filter(({ at }) => at >= sinceMs)
      .map(({ by, what, at }) => ({ to, by, what, at })),
  );
}

/**
 * Changes or removes an operator and returns the row; null if nothing changed, because the operator is
 * unknown or removed, or is the last admin who can sign in and would cease to be one.
 */
export async function changeOperator(
  env: Env,
  clientId: string,
  { name, role, removedAt }: OperatorChange,
  nowMs: number,
): Promise<OperatorRecord | null> {
  const losesRole = removedAt !== undefined || (role !== undefined && role !== "admin");
  const leavesAdmin = losesRole
    ? sql`(role <> 'admin' OR ${existsAdmin(nowMs, { exceptClientId: clientId })})`
    : sql`1`;
  const [changed] = await runIdempotent(() =>
    directoryOf(env)
      .update(operators)
      .set({
        // An UPDATE must set something, so an unchanged name is set to itself.
        name: name ?? sql`${operators.name}`,
        ...(role === undefined ? {} : { role }),
        // The person may become another operator later.
        ...(removedAt === undefined ? {} : { removedAt, userId: null, linkHash: null }),
      })
      .where(
        and(
          eq(operators.clientId, clientId),
          // A repeat of the statement after a lost answer finds what it wrote.
          or(isNull(operators.removedAt), eq(operators.removedAt, removedAt ?? -1)),
          leavesAdmin,
        ),
      )
      .returning(OPERATOR_COLUMNS),
  );
  return changed ?? null;
}
