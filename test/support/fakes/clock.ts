import type { Clock } from "../../../src/domain/shared/clock.ts";

/**
 * A clock that only a test advances. It starts at the suite's time, by which alarms ring, unless a test's days are fixed.
 */
export class TestClock implements Clock {
  #now: number;

  constructor(startMs: number = Date.now()) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
