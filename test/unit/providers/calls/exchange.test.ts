import { expect, test } from "vitest";
import { exchange } from "../../../../src/providers/calls/exchange.ts";

const PSP = new URL("https://psp.example.com/cob");
const SHORT_TIMEOUT_MS = 20;
const LONG_TIMEOUT_MS = 10_000;

function get(fetcher: (request: Request) => Promise<Response>, timeoutMs = LONG_TIMEOUT_MS) {
  return exchange(fetcher, PSP, { method: "GET", headers: {} }, timeoutMs);
}

function streamOf(chunk: () => Uint8Array | null): Response {
  return new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = chunk();
        if (next === null) controller.close();
        else controller.enqueue(next);
      },
    }),
  );
}

/** Never responds, and ignores an abort. */
function neverResponds(): Promise<never> {
  return new Promise(() => undefined);
}

/** Starts a response and stalls, and ignores an abort. */
async function stalledResponse(): Promise<Response> {
  return new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
}

test("the PSP client reads the full response, also when a packet splits a character", async () => {
  const bytes = [...new TextEncoder().encode('{"nome":"Conceição"}')];

  const answer = await get(async () =>
    streamOf(() => (bytes.length === 0 ? null : new Uint8Array([bytes.shift()!]))),
  );

  expect(answer).toEqual({ status: 200, text: '{"nome":"Conceição"}' });
});

test("the PSP client rejects a response beyond one mebibyte", async () => {
  let given = 0;
  const chunk = new Uint8Array(64 * 1024);

  expect(await get(async () => streamOf(() => ((given += chunk.length), chunk)))).toBe("too_large");

  expect(given).toBeLessThan(2 * 1024 * 1024);
});

test("the PSP client stops waiting for a silent or stalled PSP at the timeout", async () => {
  expect(
    await Promise.all([
      get(neverResponds, SHORT_TIMEOUT_MS),
      get(stalledResponse, SHORT_TIMEOUT_MS),
    ]),
  ).toEqual(["timeout", "timeout"]);
});

test("the PSP client reports a failed connection as such and follows no redirect", async () => {
  const seen: string[] = [];
  const answer = await get(async ({ redirect }) => {
    seen.push(redirect);
    throw new TypeError("fetch failed");
  });

  expect(answer).toBe("connection");
  expect(seen).toEqual(["manual"]);
});
