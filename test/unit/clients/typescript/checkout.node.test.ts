import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchCharge } from "../../../../clients/typescript/src/checkout.ts";

const ID = "01a1fda4-5e00-8d2c-9f31-6b1f0c000001";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function status(text: string, pollAfterMs = 3_000): Response {
  return Response.json({ status: text, pollAfterMs }, { headers: { ETag: `"${text}"` } });
}

const later = (retryAfter: string) =>
  new Response(null, { status: 503, headers: { "Retry-After": retryAfter } });
const unchanged = () => new Response(null, { status: 304 });

/** The statuses that a page sees, and when each request was sent. */
async function watched(answers: (Response | Error)[], signal?: AbortSignal) {
  const startMs = Date.now();
  const sent: { atMs: number; request: Request }[] = [];
  const seen: string[] = [];
  const charge = watchCharge({
    baseUrl: "https://pay.example.com/",
    id: ID,
    ...(signal === undefined ? {} : { signal }),
    fetch: async (request) => {
      sent.push({ atMs: Date.now() - startMs, request });
      const answer = answers.shift();
      if (answer === undefined) throw new Error("no answer was given for this request");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const watching = (async () => {
    for await (const each of charge) seen.push(each.status);
  })();
  const ended = watching.then(
    () => null,
    (error: unknown) => error,
  );
  if (signal === undefined) await vi.runAllTimersAsync();
  return { sent, seen, ended };
}

test("a payer's page sees the charge as it is, and when it is paid, without credentials", async () => {
  const { sent, seen } = await watched([
    status("PENDING"),
    unchanged(),
    unchanged(),
    status("PAID"),
  ]);
  expect(seen).toEqual(["PENDING", "PAID"]);
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 3_000, 6_000, 9_000]);
  for (const { request } of sent) {
    expect(request.url).toBe(`https://pay.example.com/api/checkout/status/${ID}`);
    expect(request.credentials).toBe("omit");
    expect(request.headers.get("X-API-Key")).toBeNull();
  }
  expect(sent.map(({ request }) => request.headers.get("If-None-Match"))).toEqual([
    null,
    ...Array(3).fill('"PENDING"'),
  ]);
});

test("it asks more rarely while no answer comes, up to a minute, and as the service asks", async () => {
  const { sent, seen } = await watched([
    new TypeError("offline"),
    new TypeError("offline"),
    new Response(null, { status: 429, headers: { "Retry-After": "90" } }),
    new TypeError("offline"),
    new TypeError("offline"),
    status("PENDING", 1_000),
    status("CANCELLED"),
  ]);
  expect(seen).toEqual(["PENDING", "CANCELLED"]);
  const waits = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
  expect(waits).toEqual([6_000, 12_000, 90_000, 48_000, 60_000, 1_000]);
});

test("it waits as a date asks, at most an hour, and never without end or at once", async () => {
  const { sent, seen } = await watched([
    later(new Date(Date.now() + 120_000).toUTCString()),
    later("99999999999"),
    later("soon"),
    status("PAID"),
  ]);
  expect(seen).toEqual(["PAID"]);
  const waits = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
  expect(waits[0]).toBeGreaterThan(118_000);
  expect(waits.slice(1)).toEqual([3_600_000, 24_000]);
});

test("it ends when the page stops it", async () => {
  const stop = new AbortController();
  const { seen, ended } = await watched([status("PENDING")], stop.signal);
  await vi.advanceTimersByTimeAsync(1_000);
  stop.abort(new Error("the page was left"));
  expect(await ended).toMatchObject({ message: "the page was left" });
  expect(seen).toEqual(["PENDING"]);
});
