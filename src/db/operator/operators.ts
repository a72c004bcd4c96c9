import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { OperatorRole } from "../../domain/access/operator.ts";
import type { Env } from "../../config.ts";
import type { ActiveKey } from "../companies/credentials.ts";
import { directoryOf } from "../client.ts";
import { operatorKeys, operators } from "../schema/operators.ts";

export interface OperatorCredentials {
  name: string;
  role: OperatorRole;
  keys: ActiveKey[];
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

/** Records that an operator's key was used. The caller does so at most once an hour. */
export async function recordOperatorKeyUse(env: Env, keyId: number, nowMs: number): Promise<void> {
  await directoryOf(env)
    .update(operatorKeys)
    .set({ lastUsedAt: nowMs })
    .where(eq(operatorKeys.id, keyId))
    .run();
}

/** Whether the gateway has an operator with the role `admin`. */
export async function hasAdmin(env: Env): Promise<boolean> {
  const rows = await directoryOf(env)
    .select({ clientId: operators.clientId })
    .from(operators)
    .where(and(eq(operators.role, "admin"), isNull(operators.removedAt)))
    .limit(1);
  return rows.length > 0;
}
