import type { RequestWithdraw, RequestWithdrawAnswer, WithdrawPreviewAnswer } from "./commands.ts";
import type { MetaStore } from "./meta-store.ts";
import type { WithdrawFlow } from "./withdraw-flow.ts";

/**
 * Stands before what is asked for with credentials that a Worker has kept: the object knows the newest
 * version it was told and refuses an older one, in the commit that would do what was asked.
 */
export class CredentialsGuard {
  readonly #meta: MetaStore;
  readonly #withdraws: WithdrawFlow;

  constructor(parts: { meta: MetaStore; withdraws: WithdrawFlow }) {
    this.#meta = parts.meta;
    this.#withdraws = parts.withdraws;
  }

  /** Takes note of a version; one that comes late changes nothing. */
  tell(version: number): void {
    if (version > this.#newest()) this.#meta.set("credentials_version", version);
  }

  request(command: RequestWithdraw, nowMs: number): RequestWithdrawAnswer {
    return this.#isStale(command) ? STALE : this.#withdraws.request(command, nowMs);
  }

  preview(command: RequestWithdraw, nowMs: number): WithdrawPreviewAnswer {
    if (this.#isStale(command)) return STALE;
    return { kind: "preview", preview: this.#withdraws.preview(command, nowMs) };
  }

  #isStale({ credentialsVersion }: RequestWithdraw): boolean {
    return credentialsVersion !== null && credentialsVersion < this.#newest();
  }

  #newest(): number {
    return this.#meta.get("credentials_version") ?? 0;
  }
}

const STALE = { kind: "stale_credentials" } as const;
