import { saoPauloDay, startOfDay } from "../../../src/domain/shared/business-day.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";

/**
 * A clock that only a test advances. It starts at the real time, because alarms use the real
 * time, unless a test's days are fixed.
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

/** Noon of today in São Paulo (epoch milliseconds), for what a midnight would change. */
export function noonOfToday(): number {
  return startOfDay(saoPauloDay(Date.now())) + 12 * 3_600_000;
}
