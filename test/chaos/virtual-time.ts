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
  #startedTasks = 0;
  #onIdle: (() => void) | null = null;

  /** How many works are under way, asleep or not. */
  get tasksInProgress(): number {
    return this.#startedTasks;
  }

  startTask(task: Promise<void>): void {
    this.#startedTasks += 1;
    void task
      .catch((error: unknown) => this.failures.push(error))
      .finally(() => {
        this.#startedTasks -= 1;
        this.#notifyIfIdle();
      });
  }

  /** Within work that was begun: waits until so much time has passed. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.clock.now() + Math.ceil(ms), wake });
      this.#notifyIfIdle();
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
  install(): () => void {
    const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const controller = new AbortController();
      this.#limits.set(controller.signal, { until: this.clock.now() + ms, controller });
      return controller.signal;
    });
    return () => spy.mockRestore();
  }

  /** The request of this signal is over. */
  removeLimit(signal: AbortSignal): void {
    this.#limits.delete(signal);
  }

  /** Until everything under way sleeps or is done. */
  waitUntilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#notifyIfIdle();
    });
  }

  /** When the next sleeper wakes. */
  nextWakeAt(): number {
    return Math.min(...this.#sleepers.map((each) => each.at));
  }

  /** Goes on to `at` and wakes whose time has come. */
  advanceTo(at: number): void {
    this.clock.advance(at - this.clock.now());
    const woken = this.#sleepers.filter((each) => each.at <= at);
    this.#sleepers = this.#sleepers.filter((each) => each.at > at);
    for (const { wake } of woken) wake();
  }

  #notifyIfIdle(): void {
    if (this.#sleepers.length < this.#startedTasks) return;
    this.#onIdle?.();
    this.#onIdle = null;
  }
}
