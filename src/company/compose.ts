import { systemRandom } from "../domain/shared/clock.ts";
import { AllowedKeyCommands } from "./withdraws/allowed-key-commands.ts";
import { AllowedKeyStore } from "./withdraws/allowed-key-store.ts";
import { ApprovalCommands } from "./withdraws/approval-commands.ts";
import { AnchorStore } from "./ledger/anchor-store.ts";
import { Audit } from "./ledger/audit.ts";
import { CardAttempts } from "./charges/card-attempts.ts";
import { ChargeCommands } from "./charges/charge-commands.ts";
import { ChargeTransitions } from "./charges/charge-transitions.ts";
import { ChargeStore } from "./charges/charge-store.ts";
import { DeclineStore } from "./charges/decline-store.ts";
import { ContradictionStore } from "./contradictions/contradiction-store.ts";
import { VersionGate } from "./runtime/version-gate.ts";
import { ContradictionCommands } from "./contradictions/contradiction-commands.ts";
import { DisputeCommands } from "./disputes/dispute-commands.ts";
import { DisputeStore } from "./disputes/dispute-store.ts";
import { DisputeTransitions } from "./disputes/dispute-transitions.ts";
import { EvidenceCommands } from "./disputes/evidence-commands.ts";
import { ExternalRefundCommands } from "./operations/external-refund-commands.ts";
import { ExternalRefundStore } from "./operations/external-refund-store.ts";
import { ExitApprovals } from "./exits/exit-approvals.ts";
import { ExitRules } from "./exits/exit-rules.ts";
import { ExitSums } from "./exits/exit-sums.ts";
import { WaitingApprovals } from "./runtime/waiting-approvals.ts";
import { DailyTotalsStore } from "./ledger/daily-totals-store.ts";
import { Holds } from "./ledger/holds.ts";
import { DailyUsage } from "./storage/daily-usage.ts";
import { IdempotencyStore } from "./storage/idempotency-store.ts";
import { LedgerLength } from "./ledger/ledger-length.ts";
import { LedgerStore } from "./ledger/ledger-store.ts";
import { CardSessionStore } from "./links/card-session-store.ts";
import { CheckoutStore } from "./links/checkout-store.ts";
import { HeldPlaceStore } from "./links/held-place-store.ts";
import { LinkCommands } from "./links/link-commands.ts";
import { LinkStore } from "./links/link-store.ts";
import { LinkTransitions } from "./links/link-transitions.ts";
import { Places } from "./links/places.ts";
import { MetaStore } from "./storage/meta-store.ts";
import { raiseNumbers, type NumberFloors } from "./storage/raise-numbers.ts";
import { OperationCommands } from "./operations/operation-commands.ts";
import { OperationResults } from "./operations/operation-results.ts";
import { OperationStore } from "./operations/operation-store.ts";
import { DecisionStore } from "./operators/decision-store.ts";
import { Freezes } from "./operators/freezes.ts";
import { OperatorCommands } from "./operators/operator-commands.ts";
import { OutboxStore } from "./outbox/outbox-store.ts";
import { UnarchivedStore } from "./outbox/unarchived-store.ts";
import { PayoutCommands } from "./withdraws/payout-commands.ts";
import { RecheckStore } from "./runtime/recheck-store.ts";
import { ReleaseCommands } from "./releases/release-commands.ts";
import { ReleaseStore } from "./releases/release-store.ts";
import { SuspenseDisputeStore } from "./disputes/suspense-dispute-store.ts";
import { PaymentDecisions } from "./charges/payment-decisions.ts";
import { SetAsidePayments } from "./charges/set-aside-payments.ts";
import { SuspenseCommands } from "./charges/suspense-commands.ts";
import { UnexpectedPayments } from "./charges/unexpected-payments.ts";
import { SettingsEvents } from "./deliveries/settings-events.ts";
import { TestEvents } from "./deliveries/test-events.ts";
import { WithdrawCommands } from "./withdraws/withdraw-commands.ts";
import { WithdrawRules } from "./withdraws/withdraw-rules.ts";
import { WithdrawSums } from "./withdraws/withdraw-sums.ts";
import { WithdrawTransitions } from "./withdraws/withdraw-transitions.ts";
import { WithdrawStore } from "./withdraws/withdraw-store.ts";

/** Builds a company's stores over its tables, and the commands over its stores. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a list of constructors without a branch
export function compose(sql: SqlStorage) {
  const meta = new MetaStore(sql);
  const ledger = new LedgerStore(sql);
  const dailyTotals = new DailyTotalsStore({ sql, meta });
  const usage = new DailyUsage(sql);
  const keys = new IdempotencyStore(sql);
  const charges = new ChargeStore(sql);
  const operations = new OperationStore(sql);
  const disputes = new DisputeStore(sql);
  const rechecks = new RecheckStore(sql);
  const suspenseDisputes = new SuspenseDisputeStore(sql);
  const externalRefunds = new ExternalRefundStore(sql);
  const releases = new ReleaseStore(sql);
  const withdraws = new WithdrawStore(sql, () => meta.requireCompanyId());
  const sums = new WithdrawSums(sql);
  const approvals = new WaitingApprovals(sql, { table: "pending_approvals", id: "withdraw_id" });
  const allowedKeys = new AllowedKeyStore(sql);
  const outbox = new OutboxStore(sql);
  const unarchived = new UnarchivedStore(sql);
  const contradictions = new ContradictionStore({ sql, meta, outbox });
  const anchors = new AnchorStore({ sql, ledger, meta, outbox });
  const links = new LinkStore(sql);
  const checkouts = new CheckoutStore(sql);
  const linkTransitions = new LinkTransitions({ links, meta, outbox });
  const held = new HeldPlaceStore(sql);
  const places = new Places({ links, checkouts, held, transitions: linkTransitions, usage });
  const ledgerLength = new LedgerLength({ ledger, meta, withdraws });

  const chargeTransitions = new ChargeTransitions({
    charges,
    operations,
    externalRefunds,
    disputes,
    meta,
    outbox,
    ledger,
    dailyTotals,
    places,
  });
  const disputeTransitions = new DisputeTransitions({ disputes, suspenseDisputes, meta, outbox });
  const holds = new Holds({ ledger, releases });
  const releaseCommands = new ReleaseCommands({
    releases,
    charges,
    ledger,
    meta,
    outbox,
    contradictions,
  });
  const unexpected = new UnexpectedPayments({ sql, meta, outbox });
  const suspense = new SuspenseCommands({
    unexpected,
    charges,
    transitions: chargeTransitions,
    ledger,
    operations,
    disputes: suspenseDisputes,
    disputeTransitions,
    rechecks,
    contradictions,
  });
  const disputeCommands = new DisputeCommands({
    charges,
    disputes,
    disputeTransitions,
    suspenseDisputes,
    suspense,
    refunds: externalRefunds,
    rechecks,
    transitions: chargeTransitions,
    holds,
    releases: releaseCommands,
    contradictions,
  });
  const waiting = new WaitingApprovals(sql, { table: "waiting_exits", id: "operation" });
  const freezes = new Freezes({ sql, meta, outbox });
  const exits = new ExitRules({ sums: new ExitSums(sql), freezes, holds, contradictions });
  const operationResults = new OperationResults({
    operations,
    charges,
    disputes: disputeCommands,
    suspense,
    transitions: chargeTransitions,
    holds,
    ledger,
    exits,
    waiting,
  });
  const operationCommands = new OperationCommands({
    unexpected,
    operations,
    charges,
    disputes: disputeCommands,
    suspense,
    transitions: chargeTransitions,
    holds,
    results: operationResults,
    keys,
    usage,
    contradictions,
    exits,
    waiting,
  });
  const withdrawTransitions = new WithdrawTransitions({
    withdraws,
    sums,
    approvals,
    ledger,
    meta,
    outbox,
  });
  const withdrawRules = new WithdrawRules({
    withdraws,
    sums,
    allowedKeys,
    ledger,
    meta,
    contradictions,
  });
  const withdrawCommands = new WithdrawCommands({
    freezes,
    meta,
    withdraws,
    rules: withdrawRules,
    sums,
    approvals,
    transitions: withdrawTransitions,
    ledger,
    keys,
    usage,
    random: systemRandom,
  });
  const payoutCommands = new PayoutCommands({
    withdraws,
    sums,
    transitions: withdrawTransitions,
    ledger,
    rechecks,
    contradictions,
  });
  const decisions = new DecisionStore(sql);
  const cardAttempts = new CardAttempts(new DeclineStore(sql));
  const setAside = new SetAsidePayments({ suspense, unexpected, operations: operationCommands });
  const chargeCommands = new ChargeCommands({
    cardAttempts,
    unexpected,
    setAside,
    charges,
    transitions: chargeTransitions,
    ledger,
    releases,
    operations,
    suspense,
    contradictions,
    places,
  });
  const contradictionCommands = new ContradictionCommands({
    contradictions,
    ledger,
    charges: chargeCommands,
    withdraws: payoutCommands,
    operations: operationCommands,
    outbox,
  });
  return {
    stores: {
      meta,
      usage,
      ledger,
      dailyTotals,
      outbox,
      unarchived,
      charges,
      operations,
      waiting,
      disputes,
      rechecks,
      suspenseDisputes,
      releases,
      withdraws,
      approvals,
      allowedKeys,
      links,
      contradictions,
      anchors,
    },
    ledgerLength,
    chargeTransitions,
    disputeTransitions,
    unexpected,
    suspense,
    cardAttempts,
    charges: chargeCommands,
    paymentDecisions: new PaymentDecisions({
      unexpected,
      payments: charges,
      charges: chargeCommands,
      operations: operationCommands,
      suspense,
      keys,
      exits,
    }),
    exitApprovals: new ExitApprovals({
      operations,
      waiting,
      rules: exits,
      results: operationResults,
      charges,
      transitions: chargeTransitions,
      unexpected,
      suspense,
      disputes: disputeCommands,
      keys,
    }),
    releases: releaseCommands,
    disputes: disputeCommands,
    evidence: new EvidenceCommands({ transitions: disputeTransitions, keys, usage }),
    operations: operationCommands,
    freezes,
    operators: new OperatorCommands({
      decisions,
      payouts: payoutCommands,
      operations,
      operationCommands,
      contradictions: contradictionCommands,
      rechecks,
      freezes,
    }),
    externalRefunds: new ExternalRefundCommands({
      charges,
      operations,
      operationCommands,
      refunds: externalRefunds,
      disputes,
      suspenseDisputes,
      suspense,
      transitions: chargeTransitions,
      holds,
      contradictions,
    }),
    withdraws: withdrawCommands,
    approvals: new ApprovalCommands({
      withdraws,
      approvals,
      rules: withdrawRules,
      sums,
      transitions: withdrawTransitions,
      keys,
    }),
    allowedKeys: new AllowedKeyCommands(allowedKeys),
    links: new LinkCommands({
      links,
      meta,
      transitions: linkTransitions,
      keys,
      usage,
      cardSessions: new CardSessionStore(sql),
    }),
    places,
    payouts: payoutCommands,
    versionGate: new VersionGate(meta),
    raiseNumbers: (floors: NumberFloors, nowMs: number) => {
      const renumbered = raiseNumbers({ meta, outbox }, floors);
      freezes.announceRestored(nowMs);
      return renumbered;
    },
    settingsEvents: new SettingsEvents({ keys, meta, outbox }),
    testEvents: new TestEvents({ keys, meta, outbox }),
    audit: new Audit({
      sql,
      ledger,
      dailyTotals,
      ledgerLength,
      withdraws,
      operations,
      disputes,
    }),
  };
}

export type Services = ReturnType<typeof compose>;
