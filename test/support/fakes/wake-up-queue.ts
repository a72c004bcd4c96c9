import type { DeliveryRef } from "../../../src/domain/events/delivery.ts";
import { deliver, type DeliveryDeps } from "../../../src/webhooks/delivery/deliver.ts";
import type { TestClock } from "./clock.ts";
import { env } from "../builders/companies/env.ts";
import type { WebhookSink } from "./webhook-sink.ts";

/** Far more than any scenario needs; reaching it is the failure. */
const WAKE_UPS_MAX = 5_000;

interface Options {
  deps?: DeliveryDeps;
  /** How the queue brings one message: once and alone, unless told otherwise. */
  deliverMessage?: (follow: () => Promise<void>) => Promise<void>;
  /** Which comes first of so many hints that are due; the one that waited longest otherwise. */
  pick?: (count: number) => number;
}

/** A queue that brings what a sink was asked to hint, each when its time has come. */
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

  /** Turns the clock by `ms` and follows each hint that becomes due meanwhile, at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#clock.now() + ms;
    for (let followed = 0; this.#nextDueAt() <= end; followed++) {
      if (followed === WAKE_UPS_MAX) throw new Error("the wake-up messages never end");
      const now = Math.max(this.#clock.now(), this.#nextDueAt());
      this.#clock.advance(now - this.#clock.now());
      const due = this.#waiting.filter((hint) => hint.at <= now);
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
    // NaN comes before no end, not even before one that never comes.
    return this.#waiting.length === 0 ? Number.NaN : Math.min(...this.#waiting.map(({ at }) => at));
  }

  #remove(hint: { ref: DeliveryRef; at: number }) {
    this.#waiting.splice(this.#waiting.indexOf(hint), 1);
    return hint;
  }
}

/** Follows all hints, and those that they lead to, until nothing is left to say. */
export function processWakeUps(
  sink: WebhookSink,
  clock: TestClock,
  options: Options = {},
): Promise<void> {
  return new WakeUpQueue(sink, clock, options).advance(Number.POSITIVE_INFINITY);
}
