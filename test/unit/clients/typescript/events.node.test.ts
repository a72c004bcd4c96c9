import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MissingEventError } from "../../../../clients/typescript/src/index.ts";
import { clientOf, problem } from "./fake-service.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page of the events with these numbers. */
function page(numbers: number[], hasMore = false): Response {
  const items = numbers.map((companySequence) => ({ companySequence }));
  return Response.json({ items, after: String(numbers.at(-1) ?? 0), hasMore });
}

/** The numbers that an iteration yields until it ends, or until `most` came. */
async function numbersOf(
  events: AsyncIterable<{ companySequence: number }>,
  most = Infinity,
): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { companySequence } of events) {
    numbers.push(companySequence);
    if (numbers.length === most) break;
  }
  return numbers;
}

const askedAfter = (sent: Request[]) =>
  sent.map(({ url }) => new URL(url).searchParams.get("after"));

async function ended<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => null);
  await vi.runAllTimersAsync();
  return result;
}

test("events come page by page, each once, to the newest one", async () => {
  const { centavo, sent } = clientOf([page([1, 2], true), page([3])]);
  expect(await ended(numbersOf(centavo.events.iterate()))).toEqual([1, 2, 3]);
  expect(askedAfter(sent)).toEqual(["0", "2"]);
});

test("they go on after the last one that was handled", async () => {
  const { centavo, sent } = clientOf([page([8, 9])]);
  expect(await ended(numbersOf(centavo.events.iterate({ after: 7 })))).toEqual([8, 9]);
  expect(askedAfter(sent)).toEqual(["7"]);
});

test("a number that is missing is waited for: what is after it does not come before it", async () => {
  const { centavo, sent } = clientOf([page([1, 3]), page([3]), page([2, 3])]);
  expect(await ended(numbersOf(centavo.events.iterate()))).toEqual([1, 2, 3]);
  expect(askedAfter(sent)).toEqual(["0", "1", "1"]);
});

test("a number that never comes is an error, not a silence", async () => {
  const { centavo } = clientOf(Array.from({ length: 40 }, () => page([2])));
  await expect(ended(numbersOf(centavo.events.iterate()))).rejects.toBeInstanceOf(
    MissingEventError,
  );
});

test("each gap has its own time", async () => {
  const gaps = (missing: number) => Array.from({ length: 20 }, () => page([missing + 1]));
  const { centavo } = clientOf([...gaps(1), page([1, 2, 4]), ...gaps(3), page([3, 4])]);
  expect(await ended(numbersOf(centavo.events.iterate()))).toEqual([1, 2, 3, 4]);
});

test("to follow them waits for new ones, over failures of the service", async () => {
  const { centavo, sent } = clientOf([
    page([1]),
    page([]),
    problem(503, { code: "STORAGE_UNAVAILABLE" }),
    page([2]),
  ]);
  expect(await ended(numbersOf(centavo.events.iterate({ follow: true }), 2))).toEqual([1, 2]);
  expect(sent).toHaveLength(4);
});

test("an empty page is not asked for again at once", async () => {
  const { centavo, sent } = clientOf([page([], true), page([1])]);
  const numbers = numbersOf(centavo.events.iterate({ pollMs: 5_000 }));
  await vi.advanceTimersByTimeAsync(4_900);
  expect(sent).toHaveLength(1);
  expect(await ended(numbers)).toEqual([1]);
});

test("a signal ends it", async () => {
  const controller = new AbortController();
  const reason = new Error("the server shuts down");
  const { centavo } = clientOf([page([1])]);
  const events = centavo.events.iterate({ follow: true, signal: controller.signal });
  const numbers = numbersOf(events);
  numbers.catch(() => null);
  await vi.advanceTimersByTimeAsync(1_000);
  controller.abort(reason);
  await expect(numbers).rejects.toBe(reason);
});
