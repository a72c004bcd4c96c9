import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { DeliveryTarget } from "../../domain/events/delivery.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

/** A test event for a webhook URL. A repeated call with the same `testId` announces it once. */
export interface AnnounceTestEvent {
  companyId: number;
  testId: string;
  target: DeliveryTarget;
  url: string;
}

const OPERATION = "webhook_test";

/** Test events, which companies send to try their webhooks. */
export class TestEvents {
  readonly #keys: IdempotencyStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { keys: IdempotencyStore; meta: MetaStore; outbox: OutboxStore }) {
    this.#keys = deps.keys;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Announces a test event, once for each `testId`; returns its `companySequence`. */
  announce({ testId, target, url }: AnnounceTestEvent, nowMs: number): number {
    const known = this.#keys.find(OPERATION, testId);
    if (known !== null) return known.recordId;
    const numbers = this.#meta.nextEvent({ nowMs, bytes: jsonBytes(url) });
    this.#keys.add(OPERATION, testId, "", numbers.companySequence);
    this.#outbox.add(
      {
        kind: "test",
        testNumber: this.#meta.next("webhook_tests"),
        target,
        url,
        event: {
          type: "webhook.test",
          ...numbers,
          sequence: 1,
          previousStatus: null,
          timestamp: nowMs,
        },
      },
      nowMs,
    );
    return numbers.companySequence;
  }
}
