import { EXAMPLE_CYCLE, EXAMPLE_SUBSCRIPTION } from "../../src/api/subscriptions/examples.ts";
import { EXAMPLE_TRANSACTION } from "../../src/domain/events/api-examples.ts";
import { eventBody } from "../../src/domain/events/event-body.ts";
import type { SubscriptionEventType } from "../../src/domain/events/event-types.ts";
import type { Subscription, SubscriptionCycle } from "../../src/domain/subscriptions/records.ts";
import type { SubscriptionStatus } from "../../src/domain/subscriptions/subscription.ts";
import { subscriptionEventData } from "../../src/domain/subscriptions/subscription-view.ts";

const PUBLIC_URL = "https://pay.example.com";

/** An example body of each event of a subscription. */
export const SUBSCRIPTION_BODIES: Record<SubscriptionEventType, () => string> = {
  "subscription.created": () =>
    ofSubscription("subscription.created", 1, { status: "pending_approval" }, null),
  "subscription.approved": () =>
    ofSubscription("subscription.approved", 2, { status: "active" }, "pending_approval"),
  "subscription.rejected": () =>
    ofSubscription("subscription.rejected", 2, { status: "rejected" }, "pending_approval"),
  "subscription.past_due": () =>
    ofSubscription("subscription.past_due", 6, { status: "past_due" }, "active"),
  "subscription.paused": () =>
    ofSubscription("subscription.paused", 7, { status: "paused" }, "active"),
  "subscription.resumed": () =>
    ofSubscription("subscription.resumed", 8, { status: "active" }, "paused"),
  "subscription.cancelled": () =>
    ofSubscription("subscription.cancelled", 9, { status: "cancelled" }, "active"),
  "subscription.expired": () =>
    ofSubscription("subscription.expired", 2, { status: "expired" }, "pending_approval"),
  "subscription.completed": () =>
    ofSubscription("subscription.completed", 9, { status: "completed" }, "active"),
  "subscription.charge_scheduled": () =>
    ofSubscriptionCharge("subscription.charge_scheduled", 3, {
      attempts: EXAMPLE_CYCLE.attempts
        .slice(1)
        .map((attempt) => Object.assign({}, attempt, { kind: "due", day: EXAMPLE_CYCLE.dueDate })),
    }),
  "subscription.charge_attempt_failed": () =>
    ofSubscriptionCharge("subscription.charge_attempt_failed", 4, {
      attempts: EXAMPLE_CYCLE.attempts.slice(0, 1),
    }),
  "subscription.charge_failed": () =>
    ofSubscriptionCharge("subscription.charge_failed", 5, {
      attempts: EXAMPLE_CYCLE.attempts.slice(0, 1),
    }),
};

function ofSubscription(
  type: SubscriptionEventType,
  sequence: number,
  change: Pick<Subscription, "status">,
  previousStatus: SubscriptionStatus | null,
): string {
  const subscription = { ...EXAMPLE_SUBSCRIPTION, ...change };
  const { companyId } = EXAMPLE_TRANSACTION;
  const data = subscriptionEventData(
    companyId,
    { subscription, cycle: null, event: { previousStatus } },
    PUBLIC_URL,
  );
  return rendered(type, sequence, data);
}

function ofSubscriptionCharge(
  type: SubscriptionEventType,
  sequence: number,
  change: Pick<SubscriptionCycle, "attempts">,
): string {
  const { companyId } = EXAMPLE_TRANSACTION;
  const cycle = { ...EXAMPLE_CYCLE, ...change };
  const event = { previousStatus: EXAMPLE_SUBSCRIPTION.status };
  const about = { subscription: EXAMPLE_SUBSCRIPTION, cycle, event };
  return rendered(type, sequence, subscriptionEventData(companyId, about, PUBLIC_URL));
}

function rendered(type: SubscriptionEventType, sequence: number, data: object): string {
  return eventBody({ type, timestamp: EXAMPLE_SUBSCRIPTION.updatedAt, sequence, data });
}
