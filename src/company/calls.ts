import type { Clock } from "../domain/shared/clock.ts";
import { chargeCalls } from "./charges/calls.ts";
import type { Services } from "./compose.ts";
import { contradictionCalls } from "./contradictions/calls.ts";
import { deliveryCalls } from "./deliveries/calls.ts";
import type { DeliveryLeases } from "./deliveries/delivery-leases.ts";
import { disputeCalls } from "./disputes/calls.ts";
import { exitCalls } from "./exits/calls.ts";
import { forkCalls } from "./fork/calls.ts";
import { ledgerCalls } from "./ledger/calls.ts";
import { linkCalls } from "./links/calls.ts";
import { obstaclesOf } from "./obstacles.ts";
import { operationCalls } from "./operations/calls.ts";
import { operatorCalls } from "./operators/calls.ts";
import { runtimeCalls } from "./runtime/calls.ts";
import { commitWithoutReleases, find, type Call, type Opened } from "./runtime/declare-call.ts";
import type { RetireCredentials } from "./runtime/versioned-command.ts";
import { snapshotOf, type SnapshotQuery } from "./snapshot.ts";
import { storageCalls } from "./storage/calls.ts";
import { subscriptionCalls } from "./subscriptions/calls.ts";
import { withdrawCalls } from "./withdraws/calls.ts";

/** What the object gives to its calls; each says what it needs of it. */
export interface CallContext extends Opened<Services> {
  state: DurableObjectState;
  deliveryLeases: DeliveryLeases;
  platformClock: () => Clock;
}

interface ErasePayers {
  companyId: number;
  transactionIds: string[];
}

/** All calls of the object, by name: the tables of its folders, and the calls that concern several of them. */
const calls = {
  ...chargeCalls,
  ...contradictionCalls,
  ...deliveryCalls,
  ...disputeCalls,
  ...exitCalls,
  ...forkCalls,
  ...ledgerCalls,
  ...linkCalls,
  ...operationCalls,
  ...operatorCalls,
  ...runtimeCalls,
  ...storageCalls,
  ...subscriptionCalls,
  ...withdrawCalls,

  snapshot: find((services: Services, query: SnapshotQuery) => snapshotOf(services, query)),

  /** Removes the data of payers that the object has of these charges. Returns their unexpected payments' ids. */
  erasePayers: commitWithoutReleases(
    ({ stores, subscriptions }: Services, { transactionIds }: ErasePayers, now) => {
      stores.outbox.erasePayers(transactionIds);
      subscriptions.erasePayers(transactionIds, now);
      return stores.charges.erasePayers(transactionIds);
    },
  ),

  /** Rejects the credentials of this command from now on, unless the company has something of `unless`. */
  retireCredentials: commitWithoutReleases((services: Services, command: RetireCredentials) =>
    services.versionGate.retire(command, obstaclesOf(services, command)),
  ),
} satisfies Record<string, Call<CallContext, never, unknown>>;

/** The object's calls with their types, as a Worker makes them (`company-client/stub.ts`). */
export type CompanyRpc = {
  [Name in keyof typeof calls]: (typeof calls)[Name] extends Call<
    infer _,
    infer Parameter,
    infer Answer
  >
    ? (parameter: Parameter) => Promise<Answer>
    : never;
};

const byName = new Map<string, Call<CallContext, unknown, unknown>>(Object.entries(calls));

/** A call by its name. Throws for one that no call has, such as one of newer code during a deploy (`isStorageUnavailable`). */
export function callNamed(name: string): Call<CallContext, unknown, unknown> {
  const call = byName.get(name);
  if (call === undefined) throw new Error(`CALL_UNKNOWN: the object has no call ${name}`);
  return call;
}
