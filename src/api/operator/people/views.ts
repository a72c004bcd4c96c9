import type { OperatorKeyRecord } from "../../../db/operator/operator-keys.ts";
import type { OperatorRecord } from "../../../db/operator/operators.ts";
import { isoTime } from "../../../domain/shared/clock.ts";

/** An operator as the API shows one. */
export function operatorView({ clientId, name, role, createdAt }: OperatorRecord) {
  return { id: clientId, clientId, name, role, createdAt: isoTime(createdAt) };
}

/** A key of an operator, without the key. */
export function operatorKeyView({ clientId: _clientId, ...key }: OperatorKeyRecord) {
  const optional = (time: number | null) => (time === null ? null : isoTime(time));
  return {
    id: key.id,
    prefix: key.prefix,
    lastUsedAt: optional(key.lastUsedAt),
    createdAt: isoTime(key.createdAt),
    expiresAt: optional(key.expiresAt),
    revokedAt: optional(key.revokedAt),
  };
}
