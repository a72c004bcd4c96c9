import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SCRIPT } from "../../../../../src/pages/checkout/ui/script.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** How long the payer's page waits after an answer that says so, before it asks again. Milliseconds. */
async function waitAfter(retryAfter: string): Promise<number> {
  const main = { dataset: { poll: "/status", after: "3000", status: "PENDING" } };
  const document = Object.assign(new EventTarget(), {
    documentElement: { dataset: {} },
    getElementById: () => null,
    querySelector: (name: string) => (name === "main" ? main : null),
    querySelectorAll: () => [],
  });
  const waits: number[] = [];
  runInNewContext(SCRIPT, {
    document,
    fetch: () =>
      Promise.resolve(new Response(null, { status: 503, headers: { "Retry-After": retryAfter } })),
    addEventListener: () => {},
    setInterval: () => 0,
    clearTimeout,
    setTimeout: (run: () => void, waitMs: number) => {
      waits.push(waitMs);
      return waits.length === 1 ? setTimeout(run, waitMs) : 0;
    },
  });
  await vi.runAllTimersAsync();
  return waits[1] ?? 0;
}

test.each([
  ["90", 90_000],
  ["Sat, 21 Nov 2026 12:00:00 GMT", 6_000],
  ["99999999999", 3_600_000],
])("a page that is told to wait %s asks again after %i ms, not at once", async (asked, waitMs) => {
  expect(await waitAfter(asked)).toBe(waitMs);
});
