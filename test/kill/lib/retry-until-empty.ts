import { wait } from "./wait.ts";

const CRON_INTERVAL_MS = 1_000;

/** Runs the cron of the service at an address, as the platform does each minute, until nothing is found or the time is up. */
export async function retryUntilEmpty(
  base: string,
  limitMs: number,
  find: () => Promise<string[]>,
): Promise<string[]> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const problems = await find();
    if (problems.length === 0 || Date.now() > deadline) return problems;
    await fetch(`${base}/cdn-cgi/local/scheduled`);
    await wait(CRON_INTERVAL_MS);
  }
}
