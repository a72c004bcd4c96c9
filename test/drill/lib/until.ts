import { wait } from "../../kill/lib/wait.ts";

const POLL_MS = 1_000;

/** Waits until a condition holds; false if it does not within the time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    if (await condition()) return true;
    await wait(POLL_MS);
  }
  return false;
}
