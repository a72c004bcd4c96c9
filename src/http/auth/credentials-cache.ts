import type { Credentials } from "../../db/companies/credentials.ts";

/** Applications whose credentials an isolate keeps: a few kilobytes each. */
const ENTRIES_MAX = 1_000;
/** For how long what was read may be guessed to hold still. */
const TTL_MS = 60_000;

/**
 * Credentials that this isolate has read, by client id. They are a guess and nothing more: whoever owns
 * the data that a request reads or writes says whether they still hold (`guess.ts`).
 */
export class CredentialsCache {
  readonly #entries = new Map<string, { credentials: Credentials; readAt: number }>();

  /** Keeps what was read, or forgets the application where there is none; the longest kept makes room. */
  set(clientId: string, credentials: Credentials | null, readAt: number): void {
    this.#entries.delete(clientId);
    if (credentials === null) return;
    this.#entries.set(clientId, { credentials, readAt });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > ENTRIES_MAX && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** What was read of an application in the last minute; null where nothing was. */
  get(clientId: string, nowMs: number): Credentials | null {
    const entry = this.#entries.get(clientId);
    if (entry === undefined) return null;
    const age = nowMs - entry.readAt;
    return age >= 0 && age < TTL_MS ? entry.credentials : null;
  }
}
