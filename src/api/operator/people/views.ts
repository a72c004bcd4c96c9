import type { OperatorKeyRecord } from "../../../db/operator/operator-keys.ts";
import type { OperatorRecord } from "../../../db/operator/operators.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";

/** An operator as the API shows one. */
export function operatorView({ clientId, name, role, createdAt, email }: OperatorRecord) {
  return { id: clientId, clientId, name, role, email, createdAt: isoTime(createdAt) };
}

/** A key of an operator, without the key. */
export function operatorKeyView({ clientId: _clientId, ...key }: OperatorKeyRecord) {
  return {
    id: key.id,
    prefix: key.prefix,
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTimeOrNull(key.expiresAt),
    revokedAt: isoTimeOrNull(key.revokedAt),
  };
}
