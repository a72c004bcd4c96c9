import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { brl, WebhookError, webhooks } from "../../../../clients/typescript/src/index.ts";
import vectors from "../../../vectors/clients.json" with { type: "json" };

const { now, secret, body, accepted, refused } = vectors.webhooks;
const [first] = accepted as [(typeof accepted)[number]];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: now * 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each(accepted)("a webhook $name is its event", async (given) => {
  const raw = given.body ?? body;
  const event = await webhooks.verify(raw, given.headers, secret);
  expect(event).toEqual(JSON.parse(raw));
  expect(event.type === "transaction.paid" ? event.data.paidAmount : null).toBe(2_500);
});

test("its headers may be those of fetch, its body bytes", async () => {
  const bytes = new TextEncoder().encode(body);
  const event = await webhooks.verify(bytes, new Headers(first.headers), secret);
  expect(event).toEqual(JSON.parse(body));
});

test("its headers may be lists of one value, as of a proxy's event", async () => {
  const lists = Object.entries(first.headers).map(([name, value]) => [name, [value]]);
  const event = await webhooks.verify(body, Object.fromEntries(lists), secret);
  expect(event).toEqual(JSON.parse(body));
});

test("a body that was parsed is refused in words", async () => {
  const call = webhooks.verify(JSON.parse(body) as string, first.headers, secret);
  await expect(call).rejects.toThrow(/raw/);
  await expect(call).rejects.toBeInstanceOf(WebhookError);
});

test.each(refused)("a webhook $name is refused", async (given) => {
  const call = webhooks.verify(given.body ?? body, given.headers, given.secret ?? secret);
  await expect(call).rejects.toBeInstanceOf(WebhookError);
});

describe("brl", () => {
  test.each(vectors.brl.read)("reads $text as $cents centavos", ({ text, cents }) => {
    expect(brl(text)).toBe(cents);
  });

  test.each(vectors.brl.refused)("refuses %s", (text) => {
    expect(() => brl(text)).toThrow(RangeError);
  });
});
