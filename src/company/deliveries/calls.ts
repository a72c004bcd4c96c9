import type { Clock } from "../../domain/shared/clock.ts";
import type { DeliveryLeaseRequest } from "../../domain/events/delivery-lease.ts";
import { commitAndDrain, declare } from "../runtime/declare-call.ts";
import type { DeliveryLeases } from "./delivery-leases.ts";
import type { AnnounceSettingsChange, SettingsEvents } from "./settings-events.ts";
import type { AnnounceTestEvent, TestEvents } from "./test-events.ts";

interface Services {
  settingsEvents: SettingsEvents;
  testEvents: TestEvents;
}

/** Leases are in memory: they are granted also while newer code has migrated the tables. */
interface Leasing {
  deliveryLeases: DeliveryLeases;
  platformClock: () => Clock;
}

/** `shouldContinue`: the holder's group has more to send. */
interface ReleaseDeliveryLease {
  request: DeliveryLeaseRequest;
  shouldContinue: boolean;
}

/** The calls about webhooks. */
export const deliveryCalls = {
  /** Announces settings that were loosened and wait, once. */
  announceSettingsChange: commitAndDrain(
    ({ settingsEvents }: Services, command: AnnounceSettingsChange, now) =>
      settingsEvents.announce(command, now),
  ),

  /** Returns the test event's `companySequence`. */
  announceTestEvent: commitAndDrain(({ testEvents }: Services, command: AnnounceTestEvent, now) =>
    testEvents.announce(command, now),
  ),

  acquireDeliveryLease: declare(
    ({ deliveryLeases, platformClock }: Leasing, request: DeliveryLeaseRequest) =>
      deliveryLeases.acquire(request, platformClock().now()),
  ),

  releaseDeliveryLease: declare(
    (
      { deliveryLeases, platformClock }: Leasing,
      { request, shouldContinue }: ReleaseDeliveryLease,
    ) => deliveryLeases.release(request, shouldContinue, platformClock().now()),
  ),
};
