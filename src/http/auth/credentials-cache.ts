import type { Credentials } from "../../db/companies/credentials.ts";

/** Cached applications per isolate: a few kilobytes each. */
const ENTRIES_MAX = 1_000;
const TTL_MS = 60_000;

/**
 * Credentials that this isolate has read, by client id. They may be outdated: the owner of the data that a
 * request reads or writes verifies their version (`optimistic-auth.ts`).
 */
export class CredentialsCache {
  readonly #entries = new Map<string, { credentials: Credentials; readAt: number }>();

  /** Caches credentials, or removes the entry if they are null. Evicts the oldest entry when full. */
  set(clientId: string, credentials: Credentials | null, readAt: number): void {
    this.#entries.delete(clientId);
    if (credentials === null) return;
    this.#entries.set(clientId, { credentials, readAt });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > ENTRIES_MAX && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** The credentials of an application; null if they are not cached or have expired. */
  get(clientId: string, nowMs: number): Credentials | null {
    const entry = this.#entries.get(clientId);
    if (entry === undefined) return null;
    const age = nowMs - entry.readAt;
    return age >= 0 && age < TTL_MS ? entry.credentials : null;
  }
}
