import {
  commit,
  commitAndDrain,
  commitIfCurrentAndDrain,
  find,
  fromClient,
} from "../runtime/declare-call.ts";
import type {
  ActOnCharge,
  ActOnSubscription,
  ClaimSubscriptionStep,
  CreateSubscription,
  ErasePayersOf,
  EraseRestoredPayers,
  ReportSubscriptionStep,
} from "./command-types.ts";
import type { CycleCommands } from "./cycle-commands.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import { toCycle, type CycleStore } from "./cycle-store.ts";
import type { ReportCommands } from "./report-commands.ts";
import type { StepCommands } from "./step-commands.ts";
import type { SubscriptionCommands } from "./subscription-commands.ts";
import { toSubscription, type SubscriptionStore } from "./subscription-store.ts";

interface Services {
  stores: { subscriptions: SubscriptionStore; cycles: CycleStore; cyclePayments: CyclePayments };
  subscriptions: SubscriptionCommands;
  subscriptionCycles: CycleCommands;
  subscriptionSteps: StepCommands;
  subscriptionReports: ReportCommands;
}

/** The calls about subscriptions, their mandates and the debits of their cycles. */
export const subscriptionCalls = {
  createSubscription: fromClient(
    commitIfCurrentAndDrain(({ subscriptions }: Services, command: CreateSubscription, now) =>
      subscriptions.create(command, now),
    ),
  ),

  actOnSubscription: fromClient(
    commitIfCurrentAndDrain(({ subscriptions }: Services, command: ActOnSubscription, now) =>
      subscriptions.act(command, now),
    ),
  ),

  /** Opens a cycle before its time, orders a retry, or ends the debit of a charge. */
  actOnCharge: fromClient(
    commitIfCurrentAndDrain(({ subscriptionCycles }: Services, command: ActOnCharge, now) =>
      subscriptionCycles.act(command, now),
    ),
  ),

  /** Removes the payer of subscriptions that have ended, and of the others as they end. */
  erasePayersOfSubscriptions: commitAndDrain(
    ({ subscriptions }: Services, command: ErasePayersOf, now) =>
      subscriptions.erasePayersOf(command, now),
  ),

  eraseRestoredPayers: commitAndDrain(
    ({ subscriptions }: Services, command: EraseRestoredPayers, now) =>
      subscriptions.eraseRestoredPayers(command, now),
  ),

  claimSubscriptionStep: commit(
    ({ subscriptionSteps }: Services, command: ClaimSubscriptionStep, now) =>
      subscriptionSteps.claim(command, now),
  ),

  reportSubscriptionStep: commitAndDrain(
    ({ subscriptionReports }: Services, command: ReportSubscriptionStep, now) =>
      subscriptionReports.report(command, now),
  ),

  /** A subscription as it stands, which D1 may lag behind; null where there is none. */
  findSubscription: find(({ stores }: Services, id: string) => {
    const found = stores.subscriptions.find(id);
    return found === null ? null : toSubscription(found);
  }),

  /** Those of some subscriptions that there are. */
  findSubscriptions: find(({ stores }: Services, ids: string[]) =>
    ids.flatMap((id) => {
      const found = stores.subscriptions.find(id);
      return found === null ? [] : [toSubscription(found)];
    }),
  ),

  /** The cycles of some charges; none for any other charge. */
  findCyclesOfCharges: find(({ stores }: Services, transactionIds: string[]) =>
    transactionIds.flatMap((id) => {
      const found = stores.cycles.ofCharge(id);
      return found === null ? [] : [toCycle(found)];
    }),
  ),

  /** The cycle of a charge; null for any other charge. */
  findCycleOfCharge: find(({ stores }: Services, transactionId: string) => {
    const found = stores.cycles.ofCharge(transactionId);
    return found === null ? null : toCycle(found);
  }),

  /** Of some charges those that are paid, and those that have ended unpaid. */
  findEndedCharges: find(({ stores }: Services, transactionIds: string[]) =>
    stores.cyclePayments.endedOf(transactionIds),
  ),

  /** The cycle of a charge, or of one by which it is paid by hand, and whether it is paid; null for any other charge. */
  findCycleOfAnyCharge: find(({ stores }: Services, transactionId: string) => {
    const found = stores.cycles.ofAnyCharge(transactionId);
    if (found === null) return null;
    return { ...toCycle(found), isPaid: stores.cyclePayments.isPaid(found) };
  }),
};
