/** One invocation of a cron task. */
export interface TaskStep {
  /** JSON from the previous step; null in a minute's first step. */
  state: unknown;
  /**
   * Continues in another invocation, unless the minute's steps or its time are used up. The next minute
   * finds the remaining work.
   */
  continue: (state: unknown) => Promise<void>;
  /**
   * Runs parts of the work in invocations of their own, side by side: one for each state. Parts that the
   * queue does not take are logged; the next minute finds their work.
   */
  share: (states: readonly unknown[]) => Promise<void>;
}

/** A task with a single step. */
export const SINGLE_STEP: TaskStep = {
  state: null,
  continue: async () => undefined,
  share: async () => undefined,
};

/** Cuts work into pages, of which each is one invocation's. */
export function pagesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, page) => items.slice(page * size, (page + 1) * size));
}
