import { randomBytes, randomUUID } from "node:crypto";
import { keyPrefix } from "../../../src/domain/access/masks.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import type { Platform } from "./platform.ts";
import type { SecretsFile } from "./secrets-file.ts";

const KEY_BYTES = 32;
/** As `existsAdmin` of the service: an account of the console, or a key that is accepted. */
const ADMINS = `SELECT count(*) AS admins FROM operators AS o
  WHERE o.role = 'admin' AND o.removed_at IS NULL AND (o.user_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM operator_keys AS k WHERE k.client_id = o.client_id AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > ?)))`;

/**
 * Makes the first admin in the database, unless an admin can sign in. His key is in the file before its digest is in the
 * database, and both rows are written at most once: a repeat after any failure ends with one admin whose key is known.
 */
export async function makeFirstOperator(
  platform: Platform,
  databaseId: string,
  { file, name }: { file: SecretsFile; name: string },
): Promise<void> {
  const now = Date.now();
  const [row] = await platform.query(databaseId, ADMINS, [now]);
  if (Number(row?.["admins"]) > 0) return;
  const operator = file.read().operator ?? {
    clientId: `op_${randomUUID().replaceAll("-", "")}`,
    apiKey: `sk_operator_${randomBytes(KEY_BYTES).toString("base64url")}`,
    name,
  };
  file.add({ operator });
  await platform.query(
    databaseId,
    "INSERT INTO operators (client_id, name, role, created_at) VALUES (?, ?, 'admin', ?) ON CONFLICT DO NOTHING",
    [operator.clientId, operator.name, now],
  );
  await platform.query(
    databaseId,
    "INSERT INTO operator_keys (client_id, key_hash, prefix, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [operator.clientId, await sha256Hex(operator.apiKey), keyPrefix(operator.apiKey), now],
  );
}
