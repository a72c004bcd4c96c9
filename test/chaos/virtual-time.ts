import { vi } from "vitest";
import { TestClock } from "../support/fakes/clock.ts";

interface Sleeper {
  at: number;
  wake: () => void;
}

/** A clock that advances only while every task sleeps or is done. */
export class VirtualTime {
  readonly clock = new TestClock();
  /** The rejections of tasks. */
  readonly failures: unknown[] = [];
  readonly #limits = new Map<AbortSignal, { until: number; controller: AbortController }>();
  #sleepers: Sleeper[] = [];
  #startedTasks = 0;
  #onIdle: (() => void) | null = null;

  /** The number of running tasks, including sleeping ones. */
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

  /** Suspends the calling task for this long. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.clock.now() + Math.ceil(ms), wake });
      this.#notifyIfIdle();
    });
  }

  /**
   * Sleeps within the signal's time limit; aborts the signal and rejects when the limit comes
   * first.
   */
  async sleepWithin(signal: AbortSignal, ms: number): Promise<void> {
    const limit = this.#limits.get(signal);
    if (limit === undefined) throw new Error("the signal has no time limit");
    const left = limit.until - this.clock.now();
    await this.sleep(Math.min(ms, left));
    if (ms < left) return;
    limit.controller.abort(new DOMException("too slow", "TimeoutError"));
    throw signal.reason;
  }

  /** Makes `AbortSignal.timeout` use this clock. Returns the function that restores it. */
  install(): () => void {
    const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const controller = new AbortController();
      this.#limits.set(controller.signal, { until: this.clock.now() + ms, controller });
      return controller.signal;
    });
    return () => spy.mockRestore();
  }

  /** Call it when the request of this signal has ended. */
  removeLimit(signal: AbortSignal): void {
    this.#limits.delete(signal);
  }

  /** Resolves when every task sleeps or is done. */
  waitUntilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#notifyIfIdle();
    });
  }

  /** The time when the next sleeper wakes. */
  nextWakeAt(): number {
    return Math.min(...this.#sleepers.map((each) => each.at));
  }

  /** Advances to `at` and wakes every sleeper that is due. */
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
