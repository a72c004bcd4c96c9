import { systemRandom } from "../domain/shared/clock.ts";
import { assert } from "../lib/assert.ts";
import { AnchorStore } from "./ledger/anchor-store.ts";
import { Audit } from "./ledger/audit.ts";
import { ChargeFlow } from "./charges/charge-flow.ts";
import { ChargeMoves } from "./charges/charge-moves.ts";
import { ChargeStore } from "./charges/charge-store.ts";
import { ContradictionStore } from "./contradictions/contradiction-store.ts";
import { CredentialsGuard } from "./runtime/credentials-guard.ts";
import { DecisionFlow } from "./contradictions/decision-flow.ts";
import { DisputeFlow } from "./disputes/dispute-flow.ts";
import { DisputeStore } from "./disputes/dispute-store.ts";
import { ExternalRefundFlow } from "./operations/external-refund-flow.ts";
import { ExternalRefundStore } from "./operations/external-refund-store.ts";
import { Funds } from "./ledger/funds.ts";
import { IdempotencyStore } from "./storage/idempotency-store.ts";
import { LedgerLength } from "./ledger/ledger-length.ts";
import { LedgerStore } from "./ledger/ledger-store.ts";
import { MetaStore } from "./storage/meta-store.ts";
import { OperationFlow } from "./operations/operation-flow.ts";
import { OperationStore } from "./operations/operation-store.ts";
import { OutboxStore } from "./outbox/outbox-store.ts";
import { PayoutFlow } from "./withdraws/payout-flow.ts";
import { RecheckStore } from "./contradictions/recheck-store.ts";
import { ReleaseFlow } from "./releases/release-flow.ts";
import { ReleaseStore } from "./releases/release-store.ts";
import { SuspenseDisputeStore } from "./disputes/suspense-dispute-store.ts";
import { SuspenseFlow } from "./charges/suspense-flow.ts";
import { WebhookTests } from "./deliveries/webhook-tests.ts";
import { WithdrawFlow } from "./withdraws/withdraw-flow.ts";
import { WithdrawMoves } from "./withdraws/withdraw-moves.ts";
import { WithdrawStore } from "./withdraws/withdraw-store.ts";

/** An object's stores over its tables, and the flows over its stores. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a list of constructors without a branch
export function partsOf(sql: SqlStorage) {
  const meta = new MetaStore(sql);
  const ledger = new LedgerStore(sql);
  const keys = new IdempotencyStore(sql);
  const charges = new ChargeStore(sql);
  const operations = new OperationStore(sql);
  const disputes = new DisputeStore(sql);
  const rechecks = new RecheckStore(sql);
  const suspenseDisputes = new SuspenseDisputeStore(sql);
  const externalRefunds = new ExternalRefundStore(sql);
  const releases = new ReleaseStore(sql);
  const withdraws = new WithdrawStore(sql, () => companyIdOf(meta));
  const outbox = new OutboxStore(sql);
  const contradictions = new ContradictionStore({ sql, meta, outbox });
  const anchors = new AnchorStore({ sql, ledger, meta, outbox });
  const ledgerLength = new LedgerLength({ ledger, meta, withdraws });

  const random = systemRandom;
  const moves = new ChargeMoves({
    charges,
    operations,
    externalRefunds,
    disputes,
    meta,
    outbox,
    ledger,
  });
  const funds = new Funds({ ledger, releases });
  const releaseFlow = new ReleaseFlow({ releases, charges, ledger, meta, outbox, contradictions });
  const suspense = new SuspenseFlow({
    charges,
    moves,
    ledger,
    operations,
    disputes: suspenseDisputes,
    rechecks,
    contradictions,
  });
  const disputeFlow = new DisputeFlow({
    charges,
    disputes,
    suspenseDisputes,
    suspense,
    refunds: externalRefunds,
    rechecks,
    moves,
    funds,
    releases: releaseFlow,
    contradictions,
  });
  const operationFlow = new OperationFlow({
    operations,
    charges,
    disputes: disputeFlow,
    suspense,
    moves,
    funds,
    ledger,
    keys,
    contradictions,
  });
  const withdrawMoves = new WithdrawMoves({ withdraws, ledger, meta, outbox });
  const withdrawFlow = new WithdrawFlow({
    withdraws,
    moves: withdrawMoves,
    ledger,
    meta,
    contradictions,
    keys,
    random,
  });
  const payoutFlow = new PayoutFlow({
    withdraws,
    moves: withdrawMoves,
    ledger,
    rechecks,
    contradictions,
  });
  const chargeFlow = new ChargeFlow({
    charges,
    moves,
    ledger,
    releases,
    operations,
    suspense,
    contradictions,
  });
  return {
    stores: {
      meta,
      ledger,
      outbox,
      charges,
      operations,
      disputes,
      rechecks,
      suspenseDisputes,
      releases,
      withdraws,
      contradictions,
      anchors,
    },
    ledgerLength,
    moves,
    suspense,
    charges: chargeFlow,
    releases: releaseFlow,
    disputes: disputeFlow,
    operations: operationFlow,
    decisions: new DecisionFlow({
      contradictions,
      ledger,
      charges: chargeFlow,
      withdraws: payoutFlow,
      operations: operationFlow,
      outbox,
    }),
    externalRefunds: new ExternalRefundFlow({
      charges,
      operations,
      operationFlow,
      refunds: externalRefunds,
      disputes,
      suspenseDisputes,
      suspense,
      moves,
      funds,
      contradictions,
    }),
    withdraws: withdrawFlow,
    payouts: payoutFlow,
    credentials: new CredentialsGuard(meta),
    webhookTests: new WebhookTests({ keys, meta, outbox }),
    audit: new Audit({ sql, ledger, ledgerLength, withdraws, operations, disputes }),
  };
}

export type Parts = ReturnType<typeof partsOf>;

/** Tells operators that the object fills. Runs inside one `transactionSync`. */
export function announceFilling(
  { meta, outbox }: Parts["stores"],
  bytes: number,
  nowMs: number,
): void {
  const event = {
    number: meta.next("newest_operator_event"),
    type: "storage.filling",
    at: nowMs,
  } as const;
  outbox.add({ kind: "storage", bytes, event }, nowMs);
}

/** Takes note of the company that the object serves, once and for all. */
export function adopt(meta: MetaStore, companyId: number): void {
  const known = meta.get("company_id");
  if (known === null) meta.set("company_id", companyId);
  assert(known === null || known === companyId, "an object serves one company");
}

/** The company this object serves; it was told with the first commit. */
function companyIdOf(meta: MetaStore): number {
  const companyId = meta.get("company_id");
  assert(companyId !== null, "the object has been told its company");
  return companyId;
}
