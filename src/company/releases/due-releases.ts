import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { errorFields, log } from "../../lib/log.ts";
import { breaksMoney, type AuditStep, type AuditWalk } from "../ledger/audit.ts";
import type { Parts } from "../compose.ts";
import type { Upkeep } from "../runtime/upkeep.ts";

/** Commits of one call that release credits, 100 each: what is beyond waits for the alarm. */
const RELEASE_COMMITS_MAX = 100;
const RELEASE_RETRY_MS = 60_000;

/**
 * Credits whose time has come, before whoever decides about money or shows it. A release that fails
 * is loud and tried again later; money that comes is taken all the same.
 */
export class DueReleases {
  readonly #parts: Parts;
  readonly #upkeep: Upkeep;
  readonly #clock: () => Clock;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  /** After a release that failed, until when none is tried. */
  #heldUntil = 0;

  constructor(needs: {
    parts: Parts;
    upkeep: Upkeep;
    /** Replaceable at any time, hence not a value. */
    clock: () => Clock;
    waitUntil: (work: Promise<unknown>) => void;
  }) {
    this.#parts = needs.parts;
    this.#upkeep = needs.upkeep;
    this.#clock = needs.clock;
    this.#waitUntil = needs.waitUntil;
  }

  run(): void {
    try {
      for (let commits = 0; commits < RELEASE_COMMITS_MAX; commits++) {
        const dueAt = this.dueAt();
        if (dueAt === null || dueAt > this.#clock().now()) return;
        this.#upkeep.commit((now) => this.#parts.releases.run(now));
        this.#waitUntil(this.#upkeep.drain());
      }
    } catch (error) {
      log("error", "release_failed", {
        ...errorFields(error),
        companyId: this.#parts.stores.meta.get("company_id"),
      });
      this.#heldUntil = this.#clock().now() + RELEASE_RETRY_MS;
      this.#auditAfter(error);
    }
  }

  dueAt(): number | null {
    const dueAt = this.#parts.stores.releases.nextDueAt();
    return dueAt === null ? null : Math.max(dueAt, this.#heldUntil);
  }

  /** A fault may mean that the balances are broken: then withdraws are frozen at once. */
  #auditAfter(error: unknown): void {
    try {
      const step = { walk: "cron", fromStart: false, anchors: [] } as const;
      this.#upkeep.commit((now) => auditStep(this.#parts, step, now));
    } catch (second) {
      log("error", "audit_failed", { ...errorFields(second), after: String(error) });
    }
  }
}

/**
 * A step of the audit; balances that cannot be trusted freeze the company's withdraws. A past that is
 * not the anchored one is for a person to end.
 */
export function auditStep(
  parts: Parts,
  {
    walk,
    fromStart,
    anchors,
  }: { walk: AuditWalk; fromStart: boolean; anchors: readonly AnchoredHead[] },
  nowMs: number,
): AuditStep {
  const found = parts.audit.step(walk, fromStart, anchors);
  const { meta, ledger, contradictions } = parts.stores;
  for (const { day, movement, hash } of ledger.unlike(anchors)) {
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
  if (breaksMoney(found)) meta.set("frozen", 1);
  if (found.violations.length > 0) {
    const violations = found.violations.join("; ");
    log("error", "ledger_violated", { companyId: meta.get("company_id"), violations });
  }
  return found;
}
