const POLL_MS = 1;
/** Far longer than anything a test waits for; reaching it is the failure. */
const LIMIT_MS = 5_000;

/** Waits for a condition, not for a time. Throws where it does not come true. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`condition not met in time: ${condition.toString()}`);
    await scheduler.wait(POLL_MS);
  }
}
