import type { Credentials } from "../../db/companies/credentials.ts";

/** Applications whose credentials an isolate keeps: a few kilobytes each. */
const KEPT_MAX = 1_000;
/** For how long what was read may be guessed to hold still. */
const KEPT_MS = 60_000;

/**
 * Credentials that this isolate has read, by client id. They are a guess and nothing more: whoever owns
 * the data that a request reads or writes says whether they still hold (`guess.ts`).
 */
export class KeptCredentials {
  readonly #kept = new Map<string, { credentials: Credentials; readAt: number }>();

  /** Keeps what was read, or forgets the application where there is none; the longest kept makes room. */
  keep(clientId: string, credentials: Credentials | null, readAt: number): void {
    this.#kept.delete(clientId);
    if (credentials === null) return;
    this.#kept.set(clientId, { credentials, readAt });
    const [longest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && longest !== undefined) this.#kept.delete(longest);
  }

  /** What was read of an application in the last minute; null where nothing was. */
  find(clientId: string, nowMs: number): Credentials | null {
    const known = this.#kept.get(clientId);
    if (known === undefined) return null;
    const age = nowMs - known.readAt;
    return age >= 0 && age < KEPT_MS ? known.credentials : null;
  }
}
