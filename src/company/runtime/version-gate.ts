import type {
  RetireCredentialsAnswer,
  VersionConflict,
  VersionedCommand,
} from "./versioned-command.ts";
import type { MetaStore } from "../storage/meta-store.ts";

/**
 * Rejects commands that a Worker authenticated by outdated credentials. The object knows the newest
 * version and checks a command's version in the same commit.
 */
export class VersionGate {
  readonly #meta: MetaStore;

  constructor(meta: MetaStore) {
    this.#meta = meta;
  }

  /** Records a version, unless a newer one is known. */
  advance(version: number): void {
    if (version > this.#newest()) this.#meta.set("credentials_version", version);
  }

  /** Null if the command's version is the newest or newer. */
  check({
    credentialsVersion,
  }: Pick<VersionedCommand, "credentialsVersion">): VersionConflict | null {
    const newest = this.#newest();
    return credentialsVersion < newest ? { kind: "version_conflict", newest } : null;
  }

  /**
   * Retires the command's version, unless `obstacles` has something. Only the next version is valid from
   * then on, so that no work begins until D1 has new credentials.
   */
  retire(command: VersionedCommand, obstacles: string[]): RetireCredentialsAnswer {
    const conflict = this.check(command);
    if (conflict !== null) return conflict;
    if (obstacles.length > 0) return { kind: "open", obstacles };
    this.advance(command.credentialsVersion + 1);
    return { kind: "retired" };
  }

  #newest(): number {
    return this.#meta.get("credentials_version") ?? 0;
  }
}
