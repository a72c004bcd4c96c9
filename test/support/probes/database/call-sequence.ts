import type { Interceptor } from "../../faults/faulty-env.ts";

/**
 * Counts calls in sequence: the longest chain of which each began after the one before had ended.
 * Two that overlap are one.
 */
export class CallSequence {
  #endedDepth = 0;
  #maxDepth = 0;

  readonly intercept: Interceptor = async (_label, run) => {
    const depth = this.#endedDepth + 1;
    this.#maxDepth = Math.max(this.#maxDepth, depth);
    try {
      return await run();
    } finally {
      this.#endedDepth = Math.max(this.#endedDepth, depth);
    }
  };

  /** How long the chain is by now. */
  get length(): number {
    return this.#maxDepth;
  }

  /** The length since the last lap. Only while no call is under way. */
  takeLength(): number {
    const length = this.#maxDepth;
    this.#endedDepth = 0;
    this.#maxDepth = 0;
    return length;
  }
}
