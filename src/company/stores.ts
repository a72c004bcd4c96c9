import { CardSessionStore } from "./links/card-session-store.ts";
import { ChargeStore } from "./charges/charge-store.ts";
import { DeclineStore } from "./charges/decline-store.ts";
import { UnexpectedPaymentStore } from "./charges/unexpected-payment-store.ts";
import { ContradictionStore } from "./contradictions/contradiction-store.ts";
import { DisputeStore } from "./disputes/dispute-store.ts";
import { SuspenseDisputeStore } from "./disputes/suspense-dispute-store.ts";
import { ExitSumStore } from "./exits/exit-sum-store.ts";
import { AnchorStore } from "./ledger/anchor-store.ts";
import { CashAheadStore } from "./releases/cash-ahead-store.ts";
import { DailyTotalsStore } from "./ledger/daily-totals-store.ts";
import { EntryStore } from "./ledger/entry-store.ts";
import { LedgerStore } from "./ledger/ledger-store.ts";
import { OpenItemStore } from "./ledger/open-item-store.ts";
import { CheckoutStore } from "./links/checkout-store.ts";
import { ReservationStore } from "./links/reservation-store.ts";
import { LinkStore } from "./links/link-store.ts";
import { ExternalRefundStore } from "./operations/external-refund-store.ts";
import { OperationStore } from "./operations/operation-store.ts";
import { ForkStore } from "./fork/fork-store.ts";
import { FreezeStore } from "./operators/freeze-store.ts";
import { DecisionStore } from "./operators/decision-store.ts";
import { OutboxStore } from "./outbox/outbox-store.ts";
import { UnarchivedStore } from "./outbox/unarchived-store.ts";
import { ReleaseStore } from "./releases/release-store.ts";
import { RecheckStore } from "./runtime/recheck-store.ts";
import { WaitingApprovalStore } from "./exits/waiting-approval-store.ts";
import { DailyUsage } from "./storage/daily-usage.ts";
import { IdempotencyStore } from "./storage/idempotency-store.ts";
import { MetaStore } from "./storage/meta-store.ts";
import { CyclePayments } from "./subscriptions/cycle-payments.ts";
import { CycleStore } from "./subscriptions/cycle-store.ts";
import { SubscriptionStore } from "./subscriptions/subscription-store.ts";
import { AllowedPixKeyStore } from "./withdraws/allowed-pix-key-store.ts";
import { WithdrawStore } from "./withdraws/withdraw-store.ts";
import { WithdrawSumStore } from "./withdraws/withdraw-sum-store.ts";

/** The stores over a company's tables, under the names by which commands ask for them. */
export function openStores(sql: SqlStorage) {
  const meta = new MetaStore(sql);
  const outbox = new OutboxStore(sql);
  const ledger = new LedgerStore(sql);
  const withdraws = new WithdrawStore(sql, () => meta.requireCompanyId());
  const dailyTotals = new DailyTotalsStore({ sql, meta });
  const charges = new ChargeStore(sql);
  const cycles = new CycleStore(sql);
  return {
    // The object.
    meta,
    keys: new IdempotencyStore(sql),
    usage: new DailyUsage(sql),
    outbox,
    unarchived: new UnarchivedStore(sql),
    rechecks: new RecheckStore(sql),
    decisions: new DecisionStore(sql),
    freeze: new FreezeStore(sql),
    contradictions: new ContradictionStore({ sql, meta, outbox }),
    fork: new ForkStore({ sql, ledger }),
    // The ledger.
    ledger,
    anchors: new AnchorStore({ sql, ledger, meta, outbox }),
    dailyTotals,
    entries: new EntryStore({ sql, ledger, dailyTotals }),
    openItems: new OpenItemStore(sql),
    cashAhead: new CashAheadStore(sql),
    releases: new ReleaseStore(sql),
    // Charges, disputes and operations.
    charges,
    declines: new DeclineStore(sql),
    unexpected: new UnexpectedPaymentStore({ sql, meta, outbox }),
    disputes: new DisputeStore(sql),
    suspenseDisputes: new SuspenseDisputeStore(sql),
    operations: new OperationStore(sql),
    externalRefunds: new ExternalRefundStore(sql),
    exitSums: new ExitSumStore(sql),
    waiting: new WaitingApprovalStore(sql, { table: "waiting_exits", id: "operation" }),
    // Withdraws.
    withdraws,
    withdrawSums: new WithdrawSumStore(sql, withdraws),
    approvals: new WaitingApprovalStore(sql, { table: "pending_approvals", id: "withdraw_id" }),
    allowedPixKeys: new AllowedPixKeyStore(sql),
    // Payment links.
    links: new LinkStore(sql),
    checkouts: new CheckoutStore(sql),
    heldPlaces: new ReservationStore(sql),
    cardSessions: new CardSessionStore(sql),
    // Subscriptions.
    subscriptions: new SubscriptionStore(sql),
    cycles,
    cyclePayments: new CyclePayments({ cycles, charges }),
  };
}

export type Stores = ReturnType<typeof openStores>;
