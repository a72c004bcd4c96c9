import type { KeyRecord } from "../../../db/companies/api-keys.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { isoTimeOrNull } from "../../../domain/shared/clock.ts";

/** A key as the API shows it: never the key itself. */
export function keyView(record: KeyRecord) {
  const { id, clientId, prefix } = record;
  return {
    id,
    clientId,
    prefix,
    lastUsedAt: isoTimeOrNull(record.lastUsedAt),
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    revokedAt: isoTimeOrNull(record.revokedAt),
  };
}
