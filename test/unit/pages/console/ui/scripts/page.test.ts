import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import { SCRIPT } from "../../../../../../src/pages/console/ui/scripts/page.ts";

/** A page with one list that keeps itself current, as far as the script asks for it. */
function givenPage() {
  const list = { dataset: { refresh: "/console/payments" }, contains: () => false };
  const page = Object.assign(new EventTarget(), {
    hidden: false,
    activeElement: null,
    querySelector: () => null,
    querySelectorAll: (selector: string) => (selector === "[data-refresh]" ? [list] : []),
  });
  const fetched = vi.fn<(path: string) => Promise<{ status: number }>>(() =>
    Promise.resolve({ status: 304 }),
  );
  runInNewContext(SCRIPT, {
    document: page,
    fetch: fetched,
    setTimeout,
    setInterval,
    clearTimeout,
    Date,
    Math,
    Map,
    AbortController,
  });
  return { fetched, announce: () => page.dispatchEvent(new Event("change-announced")) };
}

it("a change is fetched at once, and many changes once a second", () => {
  vi.useFakeTimers();
  const { fetched, announce } = givenPage();
  announce();
  vi.advanceTimersByTime(1);
  expect(fetched).toHaveBeenCalledTimes(1);
  for (let each = 0; each < 50; each += 1) {
    announce();
    vi.advanceTimersByTime(10);
  }
  expect(fetched).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(600);
  expect(fetched).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
