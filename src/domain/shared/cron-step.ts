/** One invocation of a cron task. */
export interface TaskStep {
  /** JSON from the previous step; null in a minute's first step. */
  state: unknown;
  /**
   * Continues in another invocation, unless the minute's steps or its time are used up. The next minute
   * finds the remaining work.
   */
  continue: (state: unknown) => Promise<void>;
}

/** A task with a single step. */
export const SINGLE_STEP: TaskStep = { state: null, continue: async () => undefined };
