import type { Credentialed, LeaveProviderAnswer, StaleAnswer } from "../commands.ts";
import type { MetaStore } from "../storage/meta-store.ts";

/**
 * Stands before what is asked for with what a Worker has read or kept of a company: the object knows
 * the newest version it was told and refuses an older one, in the commit that would do what was asked.
 */
export class CredentialsGuard {
  readonly #meta: MetaStore;

  constructor(meta: MetaStore) {
    this.#meta = meta;
  }

  /** Takes note of a version; one that comes late changes nothing. */
  tell(version: number): void {
    if (version > this.#newest()) this.#meta.set("credentials_version", version);
  }

  /** Null where the command did not come with an older version. */
  refusal({ credentialsVersion }: Pick<Credentialed, "credentialsVersion">): StaleAnswer | null {
    const newest = this.#newest();
    return credentialsVersion < newest ? { kind: "stale_credentials", newest } : null;
  }

  /**
   * Whether the company's PSP may be left. Where it may, the next version is taken for told: nothing begins
   * any more by the credentials that D1 has, until it has others.
   */
  leaveProvider(command: Credentialed, isAnythingOpen: boolean): LeaveProviderAnswer {
    const stale = this.refusal(command);
    if (stale !== null) return stale;
    if (isAnythingOpen) return { kind: "open" };
    this.tell(command.credentialsVersion + 1);
    return { kind: "left" };
  }

  #newest(): number {
    return this.#meta.get("credentials_version") ?? 0;
  }
}
