import type { Interceptor } from "../../faults/faulty-env.ts";

/**
 * Counts sequential calls: the longest chain in which each call begins after the previous one
 * ended. Overlapping calls count as one.
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

  /** The current length of the chain. */
  get length(): number {
    return this.#maxDepth;
  }

  /** The length since the last lap. Call it only when no call is in progress. */
  takeLength(): number {
    const length = this.#maxDepth;
    this.#endedDepth = 0;
    this.#maxDepth = 0;
    return length;
  }
}
