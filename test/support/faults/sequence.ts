import type { Around } from "./faulty-env.ts";

/**
 * Counts calls in sequence: the longest chain of which each began after the one before had ended.
 * Two that overlap are one.
 */
export class Sequence {
  #ended = 0;
  #longest = 0;

  readonly around: Around = async (_label, run) => {
    const depth = this.#ended + 1;
    this.#longest = Math.max(this.#longest, depth);
    try {
      return await run();
    } finally {
      this.#ended = Math.max(this.#ended, depth);
    }
  };

  /** How long the chain is by now. */
  get length(): number {
    return this.#longest;
  }

  /** The length since the last lap. Only while no call is under way. */
  lap(): number {
    const length = this.#longest;
    this.#ended = 0;
    this.#longest = 0;
    return length;
  }
}
