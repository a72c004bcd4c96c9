import type { Clock } from "../../../src/domain/shared/clock.ts";

/**
 * A clock that only a test advances. It starts at the real time, because alarms use the real
 * time.
 */
export class TestClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
