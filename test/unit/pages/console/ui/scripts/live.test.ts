import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import { LIVE_SCRIPT } from "../../../../../../src/pages/console/ui/scripts/live.ts";

/** A socket that the script opened; the test is its server. */
class FakeSocket extends EventTarget {
  static opened: FakeSocket[] = [];
  readonly path: string;

  constructor(path: string) {
    super();
    this.path = path;
    FakeSocket.opened.push(this);
  }

  close(): void {
    this.dispatchEvent(new Event("close"));
  }

  say(message: unknown): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }
}

/** A page with the script, as far as the script asks for it. */
function givenPage() {
  FakeSocket.opened = [];
  const page = Object.assign(new EventTarget(), {
    documentElement: { lang: "pt-BR" },
    getElementById: () => ({ dataset: { path: "/console/live" } }),
    querySelectorAll: () => [],
  });
  const fetched = vi.fn<() => void>();
  page.addEventListener("change-announced", fetched);
  runInNewContext(LIVE_SCRIPT, {
    document: page,
    WebSocket: FakeSocket,
    Event,
    Intl,
    setTimeout,
    clearTimeout,
    Math,
  });
  return fetched;
}

it("what was missed while there was no socket is fetched with the first word of the next", () => {
  vi.useFakeTimers();
  const fetched = givenPage();
  const [first] = FakeSocket.opened;
  expect(first?.path).toBe("/console/live");
  first?.say({ news: [] });
  expect(fetched).toHaveBeenCalledTimes(1);
  first?.close();
  vi.advanceTimersByTime(2_000);
  expect(FakeSocket.opened).toHaveLength(2);
  FakeSocket.opened[1]?.say({ news: [] });
  expect(fetched).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it("a page asks again before the server stops telling", () => {
  vi.useFakeTimers();
  givenPage();
  vi.advanceTimersByTime(4 * 60_000 + 2_000);
  expect(FakeSocket.opened).toHaveLength(2);
  vi.useRealTimers();
});
