import type { VersionedCommand, DisconnectProviderAnswer, VersionConflict } from "../rpc-types.ts";
import type { MetaStore } from "../storage/meta-store.ts";

/**
 * Stands before what is asked for with what a Worker has read or kept of a company: the object knows
 * the newest version it was told and refuses an older one, in the commit that would do what was asked.
 */
export class VersionGate {
  readonly #meta: MetaStore;

  constructor(meta: MetaStore) {
    this.#meta = meta;
  }

  /** Takes note of a version; one that comes late changes nothing. */
  advance(version: number): void {
    if (version > this.#newest()) this.#meta.set("credentials_version", version);
  }

  /** Null where the command did not come with an older version. */
  check({
    credentialsVersion,
  }: Pick<VersionedCommand, "credentialsVersion">): VersionConflict | null {
    const newest = this.#newest();
    return credentialsVersion < newest ? { kind: "version_conflict", newest } : null;
  }

  /**
   * Whether the company's PSP may be left. Where it may, the next version is taken for told: nothing begins
   * any more by the credentials that D1 has, until it has others.
   */
  disconnectProvider(command: VersionedCommand, hasOpenWork: boolean): DisconnectProviderAnswer {
    const conflict = this.check(command);
    if (conflict !== null) return conflict;
    if (hasOpenWork) return { kind: "open" };
    this.advance(command.credentialsVersion + 1);
    return { kind: "disconnected" };
  }

  #newest(): number {
    return this.#meta.get("credentials_version") ?? 0;
  }
}
