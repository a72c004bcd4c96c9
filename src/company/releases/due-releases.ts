import type { CompanyClock } from "../../domain/shared/clock.ts";
import { errorFields, log } from "../../lib/log.ts";
import { runAuditStep, type AuditServices } from "../ledger/audit-step.ts";
import type { ReleaseCommands } from "./release-commands.ts";
import type { ReleaseStore } from "./release-store.ts";
import type { BackgroundWork } from "../runtime/background-work.ts";

/** Commits per call, 100 credits each; the alarm releases the rest. */
const RELEASE_COMMITS_MAX = 100;
const RELEASE_RETRY_MS = 60_000;

interface Services extends AuditServices {
  stores: AuditServices["stores"] & { releases: ReleaseStore };
  releases: ReleaseCommands;
}

/**
 * Releases due credits before a command decides about money or a query shows it. A failed release is
 * logged and retried later; it does not stop payments from being booked.
 */
export class DueReleases {
  readonly #services: Services;
  readonly #backgroundWork: BackgroundWork;
  readonly #clock: CompanyClock;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  /** No release runs before this, after one failed. */
  #pausedUntil = 0;

  constructor(deps: {
    services: Services;
    backgroundWork: BackgroundWork;
    clock: CompanyClock;
    waitUntil: (work: Promise<unknown>) => void;
  }) {
    this.#services = deps.services;
    this.#backgroundWork = deps.backgroundWork;
    this.#clock = deps.clock;
    this.#waitUntil = deps.waitUntil;
  }

  run(): void {
    try {
      for (let commits = 0; commits < RELEASE_COMMITS_MAX; commits++) {
        const dueAt = this.notBefore(this.#services.stores.releases.next.read());
        if (dueAt === null || dueAt > this.#clock.now()) return;
        this.#backgroundWork.commit((now) => this.#services.releases.releaseDue(now));
        this.#waitUntil(this.#backgroundWork.drain());
      }
    } catch (error) {
      log("error", "release_failed", {
        ...errorFields(error),
        companyId: this.#services.stores.meta.get("company_id"),
      });
      this.#pausedUntil = this.#clock.now() + RELEASE_RETRY_MS;
      this.#auditAfter(error);
    }
  }

  /** When a release that is due at a time may run (epoch ms); null if no credit waits. */
  notBefore(dueAt: number | null): number | null {
    return dueAt === null ? null : Math.max(dueAt, this.#pausedUntil);
  }

  /** The failure may come from wrong balances, for which the audit freezes withdraws at once. */
  #auditAfter(error: unknown): void {
    try {
      const step = { pass: "cron", fromStart: false, anchors: [] } as const;
      this.#backgroundWork.commit((now) => runAuditStep(this.#services, step, now));
    } catch (auditError) {
      log("error", "audit_failed", { ...errorFields(auditError), after: String(error) });
    }
  }
}
