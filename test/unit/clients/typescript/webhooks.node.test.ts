import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { brl, WebhookError, webhooks } from "../../../../clients/typescript/src/index.ts";
import { webhookExamples } from "../../../../tools/lib/webhook-examples.ts";

const SECRET = `whsec_${randomBytes(24).toString("base64")}`;
const BODY = webhookExamples().find(({ type }) => type === "transaction.paid")!.body;

/** The headers of a webhook, signed by code that is none of the client's. */
function signed(body: string, ageSeconds = 0): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  const hmac = createHmac("sha256", Buffer.from(SECRET.slice("whsec_".length), "base64"));
  const signature = hmac.update(`evt_1_42.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "evt_1_42",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa("another")} v1,${signature} v1a,AA==`,
  };
}

test("a webhook is its event, whose type tells the shape of its data", async () => {
  const event = await webhooks.verify(BODY, signed(BODY), SECRET);
  expect(event).toEqual(JSON.parse(BODY));
  expect(event.type === "transaction.paid" ? event.data.paidAmount : null).toBe(2_500);
});

test("its headers may be those of fetch or of Node, its body bytes", async () => {
  const bytes = new TextEncoder().encode(BODY);
  const headers = signed(BODY);
  const named = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
  expect(await webhooks.verify(bytes, new Headers(headers), SECRET)).toEqual(JSON.parse(BODY));
  expect(await webhooks.verify(bytes, Object.fromEntries(named), SECRET)).toEqual(JSON.parse(BODY));
});

test.each([
  ["of another body", BODY.replace("2500", "2501"), signed(BODY), SECRET],
  ["of an old attempt", BODY, signed(BODY, 301), SECRET],
  ["of an attempt to come", BODY, signed(BODY, -301), SECRET],
  ["of another id", BODY, { ...signed(BODY), "webhook-id": "evt_1_43" }, SECRET],
  ["of another secret", BODY, signed(BODY), `whsec_${btoa("another secret of the same form")}`],
  ["without a signature", BODY, { ...signed(BODY), "webhook-signature": "" }, SECRET],
  ["with an odd signature", BODY, { ...signed(BODY), "webhook-signature": "v1,é" }, SECRET],
  ["without a timestamp", BODY, { ...signed(BODY), "webhook-timestamp": "soon" }, SECRET],
  ["without headers", BODY, {}, SECRET],
  ["with an API key as its secret", BODY, signed(BODY), "sk_test_loja"],
])("a webhook %s is refused", async (_case, body, headers, secret) => {
  await expect(webhooks.verify(body, headers, secret)).rejects.toBeInstanceOf(WebhookError);
});

describe("brl", () => {
  test.each([
    ["25,00", 2_500],
    ["0,01", 1],
    ["R$ 1.234,56", 123_456],
    ["1234,56", 123_456],
    [" 25 ", 2_500],
    ["1.000.000", 100_000_000],
  ])("reads %s as %i centavos", (text, cents) => {
    expect(brl(text)).toBe(cents);
  });

  test.each(["25.00", "25,0", "25,000", "1.23,00", "-25,00", "", "R$", "1,234.56", "9".repeat(20)])(
    "refuses %s",
    (text) => {
      expect(() => brl(text)).toThrow(RangeError);
    },
  );
});
