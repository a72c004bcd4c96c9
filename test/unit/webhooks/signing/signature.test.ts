import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signWebhook } from "../../../../src/webhooks/signing/sign.ts";
import vectors from "../../../vectors/webhooks.json";

const { officialTestVector: official } = vectors;
const ID = "evt_1_42";
/** `metadata` as a merchant may send it: quotes, accents, emoji, line breaks. */
const BODY = JSON.stringify({ type: "transaction.paid", data: { metadata: '{"a":"ção 🍕\n"}' } });
/** The two secrets of `npm start`, one of 24 bytes and one of 64 bytes. */
const SECRETS = [
  "whsec_bG9jYWwtbG9qYS1leGVtcGxvLXNlY3JldA==",
  "whsec_bG9jYWwtb3V0cmEtbG9qYS1zZWNyZXQhIQ==",
  official.secret,
  "whsec_QGWKr9T5HkNojbLX/CFGa5C12v8kSW6TuN0CJ0xxlrvgBSpPdJm+4wgtUnecweYLMFV6n8TpDjNYfaLH7BE2Ww==",
];

test("the signature matches the official vector of Standard Webhooks", async () => {
  const { secret, id, timestamp, body, signature } = official;
  expect(await signWebhook(secret, id, timestamp, body)).toBe(signature);
});

describe("every signature equals the one of two other implementations", () => {
  test.each(vectors.sign)(
    "$secret over $body",
    async ({ secret, id, timestamp, body, signature }) => {
      expect(await signWebhook(secret, id, timestamp, body)).toBe(signature);
    },
  );
});

describe("the standardwebhooks library of a merchant", () => {
  test.each(SECRETS)("verifies the signature for %s", async (secret) => {
    const headers = await signedHeaders(secret);
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test("rejects a changed body", async () => {
    const headers = await signedHeaders(official.secret);
    expect(() => new Webhook(official.secret).verify(`${BODY} `, headers)).toThrow("signature");
  });

  test("rejects another event's id", async () => {
    const headers = { ...(await signedHeaders(official.secret)), "webhook-id": "evt_1_43" };
    expect(() => new Webhook(official.secret).verify(BODY, headers)).toThrow("signature");
  });

  test("rejects another time", async () => {
    const headers = await signedHeaders(official.secret);
    headers["webhook-timestamp"] = String(Number(headers["webhook-timestamp"]) - 1);
    expect(() => new Webhook(official.secret).verify(BODY, headers)).toThrow("signature");
  });

  test("rejects a signature with another company's secret", async () => {
    const headers = await signedHeaders(SECRETS[0]!);
    expect(() => new Webhook(SECRETS[1]!).verify(BODY, headers)).toThrow("signature");
  });
});

/** The library accepts only signatures of the last five minutes. */
async function signedHeaders(secret: string) {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    "webhook-id": ID,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signWebhook(secret, ID, timestamp, BODY),
  };
}
