import { vi } from "vitest";
import { TestClock } from "../support/fakes/clock.ts";

interface Sleeper {
  at: number;
  wake: () => void;
}

/** Time that goes on only while all work that was begun waits for it, or is done. */
export class VirtualTime {
  readonly clock = new TestClock();
  /** What work rejected with. */
  readonly failures: unknown[] = [];
  readonly #limits = new Map<AbortSignal, { until: number; controller: AbortController }>();
  #sleepers: Sleeper[] = [];
  #begun = 0;
  #quiet: (() => void) | null = null;

  /** How many works are under way, asleep or not. */
  get underWay(): number {
    return this.#begun;
  }

  begin(work: Promise<void>): void {
    this.#begun += 1;
    void work
      .catch((error: unknown) => this.failures.push(error))
      .finally(() => {
        this.#begun -= 1;
        this.#sayQuiet();
      });
  }

  /** Within work that was begun: waits until so much time has passed. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.clock.now() + Math.ceil(ms), wake });
      this.#sayQuiet();
    });
  }

  /** Sleeps for as long as the signal allows; where its time ends before, aborts it and rejects. */
  async sleepWithin(signal: AbortSignal, ms: number): Promise<void> {
    const limit = this.#limits.get(signal);
    if (limit === undefined) throw new Error("the signal has no time limit");
    const left = limit.until - this.clock.now();
    await this.sleep(Math.min(ms, left));
    if (ms < left) return;
    limit.controller.abort(new DOMException("too slow", "TimeoutError"));
    throw signal.reason;
  }

  /** Makes the limits of requests those of this time. Answers what puts the real ones back. */
  rule(): () => void {
    const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const controller = new AbortController();
      this.#limits.set(controller.signal, { until: this.clock.now() + ms, controller });
      return controller.signal;
    });
    return () => spy.mockRestore();
  }

  /** The request of this signal is over. */
  forget(signal: AbortSignal): void {
    this.#limits.delete(signal);
  }

  /** Until everything under way sleeps or is done. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet = resolve;
      this.#sayQuiet();
    });
  }

  /** When the next sleeper wakes. */
  nextWaking(): number {
    return Math.min(...this.#sleepers.map((each) => each.at));
  }

  /** Goes on to `at` and wakes whose time has come. */
  goOn(at: number): void {
    this.clock.advance(at - this.clock.now());
    const woken = this.#sleepers.filter((each) => each.at <= at);
    this.#sleepers = this.#sleepers.filter((each) => each.at > at);
    for (const { wake } of woken) wake();
  }

  #sayQuiet(): void {
    if (this.#sleepers.length < this.#begun) return;
    this.#quiet?.();
    this.#quiet = null;
  }
}
