import type { DeliveryRef } from "../../../src/domain/events/delivery.ts";
import { deliver, type DeliveryDeps } from "../../../src/webhooks/delivery/deliver.ts";
import type { TestClock } from "./clock.ts";
import { env } from "../builders/companies/env.ts";
import type { WebhookSink } from "./webhook-sink.ts";

/** Far more messages than any scenario has; reaching it is a failure. */
const WAKE_UPS_MAX = 5_000;

interface Options {
  deps?: DeliveryDeps;
  /** How the queue delivers a message; once and alone by default. */
  deliverMessage?: (follow: () => Promise<void>) => Promise<void>;
  /** Chooses between due messages; the longest waiting one by default. */
  pick?: (count: number) => number;
}

/** A queue that delivers a sink's wake-up messages at their time. */
export class WakeUpQueue {
  readonly #sink: WebhookSink;
  readonly #clock: TestClock;
  readonly #options: Options;
  readonly #waiting: { ref: DeliveryRef; at: number }[] = [];

  constructor(sink: WebhookSink, clock: TestClock, options: Options = {}) {
    this.#sink = sink;
    this.#clock = clock;
    this.#options = options;
  }

  /** Advances the clock by `ms` and processes each wake-up message at its due time. */
  async advance(ms: number): Promise<void> {
    const end = this.#clock.now() + ms;
    for (let followed = 0; this.#nextDueAt() <= end; followed++) {
      if (followed === WAKE_UPS_MAX) throw new Error("the wake-up messages never end");
      const now = Math.max(this.#clock.now(), this.#nextDueAt());
      this.#clock.advance(now - this.#clock.now());
      const due = this.#waiting.filter((wakeUp) => wakeUp.at <= now);
      const { ref } = this.#remove(due[this.#options.pick?.(due.length) ?? 0]!);
      const follow = () => deliver(env, ref, this.#options.deps ?? this.#sink.deps());
      await (this.#options.deliverMessage ?? ((run) => run()))(follow);
    }
    if (Number.isFinite(end)) this.#clock.advance(end - this.#clock.now());
  }

  #nextDueAt(): number {
    for (const { ref, delayMs } of this.#sink.wakeUps.splice(0)) {
      this.#waiting.push({ ref, at: this.#clock.now() + delayMs });
    }
    // NaN compares as not due, also with an infinite end.
    return this.#waiting.length === 0 ? Number.NaN : Math.min(...this.#waiting.map(({ at }) => at));
  }

  #remove(wakeUp: { ref: DeliveryRef; at: number }) {
    this.#waiting.splice(this.#waiting.indexOf(wakeUp), 1);
    return wakeUp;
  }
}

/** Processes wake-up messages until none is left. */
export function processWakeUps(
  sink: WebhookSink,
  clock: TestClock,
  options: Options = {},
): Promise<void> {
  return new WakeUpQueue(sink, clock, options).advance(Number.POSITIVE_INFINITY);
}
