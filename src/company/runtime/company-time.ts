import type { Clock, CompanyClock } from "../../domain/shared/clock.ts";
import type { MetaStore } from "../storage/meta-store.ts";

/**
 * The company's own time: the platform's, and what a tester has moved it forward. Everything that the object stores is
 * dated and becomes due by it; leases and deadlines of calls are the platform's.
 */
export class CompanyTime implements CompanyClock {
  readonly #platformClock: () => Clock;
  readonly #meta: MetaStore;
  #offsetMs: number;

  /** `platformClock`: a function, because tests replace the clock. */
  constructor(platformClock: () => Clock, meta: MetaStore) {
    this.#platformClock = platformClock;
    this.#meta = meta;
    this.#offsetMs = meta.get("clock_offset_ms") ?? 0;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): number {
    return this.#platformClock().now() + this.#offsetMs;
  }

  /** The platform's time at which it will be this time of the company. */
  toPlatform(time: number): number {
    return time - this.#offsetMs;
  }

  /** Moves the clock forward to a time (Unix milliseconds); one that is over changes nothing. */
  moveTo(time: number): void {
    const offsetMs = time - this.#platformClock().now();
    if (offsetMs <= this.#offsetMs) return;
    this.#meta.set("clock_offset_ms", offsetMs);
    this.#offsetMs = offsetMs;
  }
}
