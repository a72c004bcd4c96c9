import type { Clock } from "../../../src/domain/shared/clock.ts";

/** A clock that stands still until a test turns it. Begins at the real time: alarms are real. */
export class TestClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
