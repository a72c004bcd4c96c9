import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Who did what an audit entry says: a merchant's application, a person in the console, an operator, or a task of
 * the gateway.
 */
export const ACTOR_KINDS = ["application", "person", "operator", "task"] as const;

export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  /** A client id; the name of a task. */
  id: string;
  name: string;
  /** The first characters of the key that was presented; null for a task and a person. */
  keyPrefix: string | null;
}

/** Values by name, without secrets and with personal data masked. */
export type AuditValues = Record<string, unknown>;

/** The company number of the gateway's own trail. */
export const GATEWAY_TRAIL = 0;

/** An entry before it has its place in a trail. */
export interface NewAuditEntry {
  actor: Actor;
  /** `<thing>.<verb>`, such as `key.revoke`; `.refused` at the end says that it was refused. */
  action: string;
  /** The thing's id, such as `application:app_1`. */
  target: string;
  before: AuditValues | null;
  after: AuditValues | null;
  reason: string | null;
  address: string | null;
  traceId: string | null;
}

/** An entry of the trail of `companyId`, in its place. */
export interface AuditEntry extends NewAuditEntry {
  companyId: number;
  sequence: number;
  /** Unix milliseconds. */
  at: number;
  hash: string;
}

/** The hash before a trail's first entry. */
export const AUDIT_GENESIS = "0".repeat(64);

/**
 * SHA-256, in lower-case hex, of the entry's fields and of the hash before it, as one JSON array in a fixed
 * order. `before` and `after` are hashed as the JSON text that is stored.
 */
export function auditHash(
  entry: Omit<AuditEntry, "hash" | "before" | "after"> & {
    before: string | null;
    after: string | null;
  },
  previousHash: string,
): string {
  const { actor } = entry;
  const fields = [
    previousHash,
    entry.companyId,
    entry.sequence,
    entry.at,
    actor.kind,
    actor.id,
    actor.name,
    actor.keyPrefix,
    entry.action,
    entry.target,
    entry.before,
    entry.after,
    entry.reason,
    entry.address,
    entry.traceId,
  ];
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(fields))));
}
