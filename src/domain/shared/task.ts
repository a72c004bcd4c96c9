/** One invocation's part of a task of the cron. */
export interface TaskStep {
  /** What the step before handed on, as JSON carries it; null in a minute's first. */
  state: unknown;
  /**
   * Has another invocation go on from here, unless the minute's steps or its time are used up. What is
   * left then is found in the next minute.
   */
  continue: (state: unknown) => Promise<void>;
}

/** A step that is the only one. */
export const SINGLE_STEP: TaskStep = { state: null, continue: async () => undefined };
