const POLL_MS = 1;
/** Far longer than any test waits, also beside a busy machine's other work; reaching it is a failure. */
const LIMIT_MS = 120_000;

/** Waits until the condition is true; throws at the limit. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`condition not met in time: ${condition.toString()}`);
    await scheduler.wait(POLL_MS);
  }
}
