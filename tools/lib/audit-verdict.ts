import { AUDIT_GENESIS, auditHash, type Actor } from "../../src/domain/access/audit-entry.ts";

/** An entry of `GET /api/v1/audit`, not yet trusted. */
export type TrailItem = Record<string, unknown>;

export interface TrailVerdict {
  /** The number and hash of the last entry that is correct. */
  sequence: number;
  hash: string;
  /** The number of the entry whose hash was noted earlier; null without one. */
  headAt: number | null;
  /** The first error; null for a correct trail. */
  error: string | null;
}

/**
 * Verifies a whole trail: its numbers are 1, 2, 3, ..., all of one company, and each hash covers its entry and
 * the hash before it. `head` is a hash of the trail that was noted earlier; without it nobody can tell that
 * the newest entries are missing, or that all hashes were made anew.
 */
export function verifyAuditTrail(
  items: Iterable<TrailItem>,
  head: string | null = null,
): TrailVerdict {
  let [sequence, hash, companyId] = [0, AUDIT_GENESIS, null as unknown];
  let headAt: number | null = null;
  const broken = (error: string): TrailVerdict => ({ sequence, hash, headAt, error });
  for (const item of items) {
    const place = `entry ${sequence + 1}`;
    if (item["sequence"] !== sequence + 1) {
      return broken(`${place} is missing: ${String(item["sequence"])} follows ${sequence}`);
    }
    companyId ??= item["companyId"];
    if (item["companyId"] !== companyId) return broken(`${place} is of another company`);
    if (item["hash"] !== hashOf(item, hash)) return broken(`${place} does not have its hash`);
    sequence += 1;
    hash = item["hash"] as string;
    if (hash === head) headAt = sequence;
  }
  if (head !== null && headAt === null) return broken(`no entry has the hash ${head}`);
  return { sequence, hash, headAt, error: null };
}

/** What a correct trail leaves open, in a sentence or two. */
export function unknownOf({ sequence, headAt }: TrailVerdict): string {
  if (headAt === null) {
    return (
      "NOT KNOWN: whether entries were cut off at the end, or all hashes made anew. No trail tells that by " +
      "itself.\nKeep the hash above outside the gateway, and give it next time with --head."
    );
  }
  const after = headAt === sequence ? "" : ` Entries ${headAt + 1} to ${sequence} came later.`;
  return (
    `Entries 1 to ${headAt} are those of the head that was kept.${after}\n` +
    `NOT KNOWN: whether entries after ${sequence} were cut off.`
  );
}

/** The hash that an entry must have; null for one that is no entry. */
function hashOf(item: TrailItem, previousHash: string): string | null {
  const actor = item["actor"] as Partial<Actor> | null | undefined;
  if (typeof actor !== "object" || actor === null || typeof item["at"] !== "string") return null;
  return auditHash(
    {
      companyId: item["companyId"] as number,
      sequence: item["sequence"] as number,
      at: Date.parse(item["at"]),
      actor: { ...actor, keyPrefix: item["keyPrefix"] } as Actor,
      action: item["action"] as string,
      target: item["target"] as string,
      before: jsonOf(item["before"]),
      after: jsonOf(item["after"]),
      reason: item["reason"] as string | null,
      address: item["address"] as string | null,
      traceId: item["traceId"] as string | null,
    },
    previousHash,
  );
}

function jsonOf(values: unknown): string | null {
  return values === null ? null : JSON.stringify(values);
}
