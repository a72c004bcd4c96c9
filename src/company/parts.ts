import { systemRandom } from "../domain/clock.ts";
import { assert } from "../lib/assert.ts";
import { Audit } from "./audit.ts";
import { ChargeFlow } from "./charge-flow.ts";
import { ChargeMoves } from "./charge-moves.ts";
import { ChargeStore } from "./charge-store.ts";
import { CredentialsGuard } from "./credentials-guard.ts";
import { DisputeFlow } from "./dispute-flow.ts";
import { DisputeStore } from "./dispute-store.ts";
import { Funds } from "./funds.ts";
import { IdempotencyStore } from "./idempotency-store.ts";
import { LedgerLength } from "./ledger-length.ts";
import { LedgerStore } from "./ledger-store.ts";
import { MetaStore } from "./meta-store.ts";
import { OperationFlow } from "./operation-flow.ts";
import { OperationStore } from "./operation-store.ts";
import { OutboxStore } from "./outbox-store.ts";
import { ReleaseFlow } from "./release-flow.ts";
import { ReleaseStore } from "./release-store.ts";
import { WebhookTests } from "./webhook-tests.ts";
import { WithdrawFlow } from "./withdraw-flow.ts";
import { WithdrawStore } from "./withdraw-store.ts";

/** An object's stores over its tables, and the flows over its stores. */
export function partsOf(sql: SqlStorage) {
  const meta = new MetaStore(sql);
  const ledger = new LedgerStore(sql);
  const keys = new IdempotencyStore(sql);
  const charges = new ChargeStore(sql);
  const operations = new OperationStore(sql);
  const disputes = new DisputeStore(sql);
  const releases = new ReleaseStore(sql);
  const withdraws = new WithdrawStore(sql, () => companyIdOf(meta));
  const outbox = new OutboxStore(sql);
  const ledgerLength = new LedgerLength({ ledger, meta, withdraws });

  const random = systemRandom;
  const moves = new ChargeMoves({ charges, operations, disputes, meta, outbox, ledger });
  const funds = new Funds({ ledger, releases });
  const releaseFlow = new ReleaseFlow({ releases, charges, ledger, meta, outbox });
  const disputeFlow = new DisputeFlow({ charges, disputes, moves, funds, releases: releaseFlow });
  const withdrawFlow = new WithdrawFlow({ withdraws, ledger, meta, outbox, keys, random });
  return {
    stores: { meta, ledger, outbox, charges, operations, disputes, releases, withdraws },
    ledgerLength,
    moves,
    charges: new ChargeFlow({ charges, moves, ledger, releases, operations }),
    releases: releaseFlow,
    disputes: disputeFlow,
    operations: new OperationFlow({
      operations,
      charges,
      disputes: disputeFlow,
      moves,
      funds,
      ledger,
      keys,
    }),
    withdraws: withdrawFlow,
    credentials: new CredentialsGuard(meta),
    webhookTests: new WebhookTests({ keys, meta, outbox }),
    audit: new Audit({ sql, ledger, ledgerLength, withdraws, operations, disputes }),
  };
}

export type Parts = ReturnType<typeof partsOf>;

/** Takes note of the company that the object serves, once and for all. */
export function adopt(meta: MetaStore, companyId: number): void {
  const known = meta.get("company_id");
  if (known === null) meta.set("company_id", companyId);
  assert(known === null || known === companyId, "an object serves one company");
}

/** The company this object serves; it was told with the first commit. */
export function companyIdOf(meta: MetaStore): number {
  const companyId = meta.get("company_id");
  assert(companyId !== null, "the object has been told its company");
  return companyId;
}
