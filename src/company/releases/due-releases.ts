import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { errorFields, log } from "../../lib/log.ts";
import { isLedgerCorrupt, type AuditStep, type AuditPass } from "../ledger/audit.ts";
import type { Services } from "../compose.ts";
import type { BackgroundWork } from "../runtime/background-work.ts";

/** Commits of one call that release credits, 100 each: what is beyond waits for the alarm. */
const RELEASE_COMMITS_MAX = 100;
const RELEASE_RETRY_MS = 60_000;

/**
 * Credits whose time has come, before whoever decides about money or shows it. A release that fails
 * is loud and tried again later; money that comes is taken all the same.
 */
export class DueReleases {
  readonly #services: Services;
  readonly #backgroundWork: BackgroundWork;
  readonly #clock: () => Clock;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  /** After a release that failed, until when none is tried. */
  #pausedUntil = 0;

  constructor(deps: {
    parts: Services;
    upkeep: BackgroundWork;
    /** Replaceable at any time, hence not a value. */
    clock: () => Clock;
    waitUntil: (work: Promise<unknown>) => void;
  }) {
    this.#services = deps.parts;
    this.#backgroundWork = deps.upkeep;
    this.#clock = deps.clock;
    this.#waitUntil = deps.waitUntil;
  }

  run(): void {
    try {
      for (let commits = 0; commits < RELEASE_COMMITS_MAX; commits++) {
        const dueAt = this.dueAt();
        if (dueAt === null || dueAt > this.#clock().now()) return;
        this.#backgroundWork.commit((now) => this.#services.releases.releaseDue(now));
        this.#waitUntil(this.#backgroundWork.drain());
      }
    } catch (error) {
      log("error", "release_failed", {
        ...errorFields(error),
        companyId: this.#services.stores.meta.get("company_id"),
      });
      this.#pausedUntil = this.#clock().now() + RELEASE_RETRY_MS;
      this.#auditAfter(error);
    }
  }

  dueAt(): number | null {
    const dueAt = this.#services.stores.releases.nextDueAt();
    return dueAt === null ? null : Math.max(dueAt, this.#pausedUntil);
  }

  /** A fault may mean that the balances are broken: then withdraws are frozen at once. */
  #auditAfter(error: unknown): void {
    try {
      const step = { walk: "cron", fromStart: false, anchors: [] } as const;
      this.#backgroundWork.commit((now) => runAuditStep(this.#services, step, now));
    } catch (second) {
      log("error", "audit_failed", { ...errorFields(second), after: String(error) });
    }
  }
}

/**
 * A step of the audit; balances that cannot be trusted freeze the company's withdraws. A past that is
 * not the anchored one is for a person to end.
 */
export function runAuditStep(
  services: Services,
  {
    walk,
    fromStart,
    anchors,
  }: { walk: AuditPass; fromStart: boolean; anchors: readonly AnchoredHead[] },
  nowMs: number,
): AuditStep {
  const found = services.audit.step(walk, fromStart, anchors);
  const { meta, ledger, contradictions } = services.stores;
  for (const { day, movement, hash } of ledger.mismatchedHeads(anchors)) {
    contradictions.open(
      {
        finding: `ledger_anchor:${day}`,
        kind: "ledger_anchor",
        object: `movement:${movement}`,
        said: { day, movement, hash },
        booked: { movement, hash: ledger.hashOf(movement) },
        amount: 0,
        held: 0,
      },
      nowMs,
    );
  }
  if (isLedgerCorrupt(found)) meta.set("frozen", 1);
  if (found.violations.length > 0) {
    const violations = found.violations.join("; ");
    log("error", "ledger_invariant_violated", { companyId: meta.get("company_id"), violations });
  }
  return found;
}
