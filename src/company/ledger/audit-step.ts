import { frozenByService } from "../../domain/access/freeze.ts";
import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import { log } from "../../lib/log.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { Freezes } from "../operators/freezes.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import { isLedgerCorrupt, type Audit, type AuditPass, type AuditStep } from "./audit.ts";
import type { LedgerStore } from "./ledger-store.ts";

/** What a step of the audit reads and writes. */
export interface AuditServices {
  stores: { meta: MetaStore; ledger: LedgerStore; contradictions: ContradictionStore };
  audit: Audit;
  freezes: Freezes;
}

interface AuditStepOptions {
  pass: AuditPass;
  fromStart: boolean;
  anchors: readonly AnchoredHead[];
}

/**
 * Runs one audit step. Wrong balances freeze the company; an anchor that disagrees with
 * the ledger opens a contradiction. Runs inside one `transactionSync`.
 */
export function runAuditStep(
  { audit, freezes, stores }: AuditServices,
  { pass, fromStart, anchors }: AuditStepOptions,
  nowMs: number,
): AuditStep {
  const step = audit.step(pass, fromStart, anchors);
  const { meta, ledger, contradictions } = stores;
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
  if (isLedgerCorrupt(step)) {
    freezes.freeze(frozenByService(step.violations.join("; ")), nowMs);
  }
  if (step.violations.length > 0) {
    const violations = step.violations.join("; ");
    log("error", "ledger_invariant_violated", { companyId: meta.get("company_id"), violations });
  }
  return step;
}
