import { systemRandom } from "../domain/shared/clock.ts";
import { CardAttempts } from "./charges/card-attempts.ts";
import { ChargeCommands } from "./charges/charge-commands.ts";
import { ChargeTransitions } from "./charges/charge-transitions.ts";
import { PaymentDecisions } from "./charges/payment-decisions.ts";
import { UnexpectedPaymentCommands } from "./charges/unexpected-payment-commands.ts";
import { SuspenseCommands } from "./charges/suspense-commands.ts";
import { ContradictionCommands } from "./contradictions/contradiction-commands.ts";
import { SettingsEvents } from "./deliveries/settings-events.ts";
import { TestEvents } from "./deliveries/test-events.ts";
import { DisputeCommands } from "./disputes/dispute-commands.ts";
import { DisputeTransitions } from "./disputes/dispute-transitions.ts";
import { EvidenceCommands } from "./disputes/evidence-commands.ts";
import { InsteadRefunds } from "./disputes/instead-refunds.ts";
import { OperationEnds } from "./operations/operation-ends.ts";
import { ExitApprovals } from "./exits/exit-approvals.ts";
import { ExitRules } from "./exits/exit-rules.ts";
import { Audit } from "./ledger/audit.ts";
import { Holds } from "./ledger/holds.ts";
import { LedgerLength } from "./ledger/ledger-length.ts";
import { LinkCommands } from "./links/link-commands.ts";
import { LinkTransitions } from "./links/link-transitions.ts";
import { Reservations } from "./links/reservations.ts";
import { ExternalRefundCommands } from "./operations/external-refund-commands.ts";
import { OperationCommands } from "./operations/operation-commands.ts";
import { OperationResults } from "./operations/operation-results.ts";
import { ToldAmounts } from "./contradictions/told-amounts.ts";
import { ToldSums } from "./operations/told-sums.ts";
import { Freezes } from "./operators/freezes.ts";
import { OperatorCommands } from "./operators/operator-commands.ts";
import { ReleaseCommands } from "./releases/release-commands.ts";
import { VersionGate } from "./runtime/version-gate.ts";
import { openStores, type Stores } from "./stores.ts";
import { CycleCommands } from "./subscriptions/cycle-commands.ts";
import { CycleEnds } from "./subscriptions/cycle-ends.ts";
import { ReportCommands } from "./subscriptions/report-commands.ts";
import { StepCommands } from "./subscriptions/step-commands.ts";
import { SubscriptionCommands } from "./subscriptions/subscription-commands.ts";
import { SubscriptionSchedule } from "./subscriptions/subscription-schedule.ts";
import { SubscriptionTransitions } from "./subscriptions/subscription-transitions.ts";
import { AllowedPixKeyCommands } from "./withdraws/allowed-pix-key-commands.ts";
import { ApprovalCommands } from "./withdraws/approval-commands.ts";
import { PayoutCommands } from "./withdraws/payout-commands.ts";
import { WithdrawCommands } from "./withdraws/withdraw-commands.ts";
import { WithdrawRules } from "./withdraws/withdraw-rules.ts";
import { WithdrawTransitions } from "./withdraws/withdraw-transitions.ts";

/**
 * Builds the commands over a company's stores. Each takes what it needs, by name, from one object; what stands after
 * `...stores` is not a store, or replaces one of that name.
 */
export function compose(sql: SqlStorage) {
  const stores = openStores(sql);
  const freezes = new Freezes(stores);
  const { links, reservations } = composeLinks(stores);
  const { withdraws, payouts, approvals } = composeWithdraws(stores, freezes);

  const releases = new ReleaseCommands(stores);
  const { booked, subscriptionTransitions, toldSums } = composeBooking(stores, reservations);
  const { transitions, disputeTransitions, suspense } = booked;
  const exits = new ExitRules({ ...booked, freezes });
  const operationEnds = new OperationEnds({ ...stores, exits });
  const insteadRefunds = new InsteadRefunds({ ...booked, operationEnds });
  const disputes = new DisputeCommands({ ...booked, releases, insteadRefunds, toldSums });
  const refundable = { ...booked, disputes, exits, insteadRefunds, operationEnds, toldSums };
  const results = new OperationResults(refundable);
  const operations = new OperationCommands({ ...refundable, results });

  const cardAttempts = new CardAttempts(stores.declines);
  const unexpectedCommands = new UnexpectedPaymentCommands({ ...booked, operations });
  const charges = new ChargeCommands({ ...booked, cardAttempts, unexpectedCommands, reservations });
  const decidable = { ...refundable, charges, operations };
  const contradictions = new ContradictionCommands({ ...decidable, withdraws: payouts });
  const ledgerLength = new LedgerLength(stores);
  return {
    stores,
    freezes,
    versionGate: new VersionGate(stores.meta),
    operators: new OperatorCommands({
      ...stores,
      payouts,
      operationCommands: operations,
      contradictions,
      freezes,
    }),
    ledgerLength,
    audit: new Audit({ sql, ...stores, ledgerLength }),
    releases,
    charges,
    chargeTransitions: transitions,
    cardAttempts,
    suspense,
    toldSums,
    paymentDecisions: new PaymentDecisions({ ...decidable, payments: stores.charges }),
    disputes,
    disputeTransitions,
    evidence: new EvidenceCommands({ ...stores, transitions: disputeTransitions }),
    operations,
    externalRefunds: new ExternalRefundCommands({
      ...booked,
      toldSums,
      operationCommands: operations,
    }),
    exitApprovals: new ExitApprovals({ ...refundable, results }),
    withdraws,
    payouts,
    approvals,
    allowedPixKeys: new AllowedPixKeyCommands(stores.allowedPixKeys),
    links,
    reservations,
    ...composeSubscriptions(stores, subscriptionTransitions),
    settingsEvents: new SettingsEvents(stores),
    testEvents: new TestEvents(stores),
  };
}

/** What books payments and disputes. */
function composeBooking(stores: Stores, reservations: Reservations) {
  const subscriptionTransitions = new SubscriptionTransitions(stores);
  const toldAmounts = new ToldAmounts(stores);
  const transitions = new ChargeTransitions({
    ...stores,
    toldAmounts,
    reservations,
    subscriptionTransitions,
  });
  const disputeTransitions = new DisputeTransitions(stores);
  const suspense = new SuspenseCommands({ ...stores, transitions, disputeTransitions });
  const holds = new Holds(stores);
  const booked = { ...stores, toldAmounts, transitions, disputeTransitions, suspense, holds };
  return { booked, subscriptionTransitions, toldSums: new ToldSums(booked) };
}

function composeLinks(stores: Stores) {
  const transitions = new LinkTransitions(stores);
  return {
    links: new LinkCommands({ ...stores, transitions }),
    reservations: new Reservations({ ...stores, transitions }),
  };
}

function composeSubscriptions(stores: Stores, transitions: SubscriptionTransitions) {
  const schedule = new SubscriptionSchedule(stores);
  const shared = { ...stores, transitions, schedule };
  const ends = new CycleEnds(shared);
  return {
    subscriptions: new SubscriptionCommands({ ...shared, ends }),
    subscriptionCycles: new CycleCommands(shared),
    subscriptionSteps: new StepCommands({ ...shared, ends }),
    subscriptionReports: new ReportCommands({ ...shared, ends }),
  };
}

function composeWithdraws(stores: Stores, freezes: Freezes) {
  const transitions = new WithdrawTransitions(stores);
  const rules = new WithdrawRules(stores);
  const shared = { ...stores, transitions, rules };
  return {
    withdraws: new WithdrawCommands({ ...shared, freezes, random: systemRandom }),
    payouts: new PayoutCommands(shared),
    approvals: new ApprovalCommands(shared),
  };
}

export type Services = ReturnType<typeof compose>;
