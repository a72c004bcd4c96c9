import type { DeliveryRef } from "../../../src/domain/events/delivery.ts";
import { deliver, type DeliveryDeps } from "../../../src/webhooks/delivery/deliver.ts";
import type { TestClock } from "./clock.ts";
import { env } from "./env.ts";
import type { WebhookSink } from "./webhook-sink.ts";

/** Far more than any scenario needs; reaching it is the failure. */
const HINTS_MAX = 5_000;

interface Options {
  deps?: DeliveryDeps;
  /** How the queue brings one message: once and alone, unless told otherwise. */
  bring?: (follow: () => Promise<void>) => Promise<void>;
  /** Which comes first of so many hints that are due; the one that waited longest otherwise. */
  pick?: (count: number) => number;
}

/** A queue that brings what a sink was asked to hint, each when its time has come. */
export class HintQueue {
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
  async turn(ms: number): Promise<void> {
    const end = this.#clock.now() + ms;
    for (let followed = 0; this.#soonest() <= end; followed++) {
      if (followed === HINTS_MAX) throw new Error("the hints never end");
      const now = Math.max(this.#clock.now(), this.#soonest());
      this.#clock.advance(now - this.#clock.now());
      const due = this.#waiting.filter((hint) => hint.at <= now);
      const { ref } = this.#take(due[this.#options.pick?.(due.length) ?? 0]!);
      const follow = () => deliver(env, ref, this.#options.deps ?? this.#sink.deps());
      await (this.#options.bring ?? ((run) => run()))(follow);
    }
    if (Number.isFinite(end)) this.#clock.advance(end - this.#clock.now());
  }

  #soonest(): number {
    for (const { ref, delayMs } of this.#sink.hints.splice(0)) {
      this.#waiting.push({ ref, at: this.#clock.now() + delayMs });
    }
    // NaN comes before no end, not even before one that never comes.
    return this.#waiting.length === 0 ? Number.NaN : Math.min(...this.#waiting.map(({ at }) => at));
  }

  #take(hint: { ref: DeliveryRef; at: number }) {
    this.#waiting.splice(this.#waiting.indexOf(hint), 1);
    return hint;
  }
}

/** Follows all hints, and those that they lead to, until nothing is left to say. */
export function followHints(
  sink: WebhookSink,
  clock: TestClock,
  options: Options = {},
): Promise<void> {
  return new HintQueue(sink, clock, options).turn(Number.POSITIVE_INFINITY);
}
