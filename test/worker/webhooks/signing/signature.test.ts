import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

const POSTBACK = "https://loja.example.com/postback";
/** "Olá", an emoji and a quote: what is signed are bytes, not characters. */
const WIDE_TEXT = 'Olá "mundo" 🧾';

async function givenPaidEvent() {
  const clock = new TestClock();
  const sink = new WebhookSink(clock).respondWith(500);
  const company = await givenCompany({ clock });
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK, metadata: WIDE_TEXT });
  await pay(company, id);
  await sink.deliver(company, 1);
  return { clock, sink, company };
}

it("a Standard Webhooks library verifies the request", async () => {
  const { sink, company } = await givenPaidEvent();
  const [request] = sink.received;

  const verified = new Webhook(company.webhookSecret).verify(request!.rawBody, request!.headers);

  expect(verified).toMatchObject({ type: "transaction.paid", data: { metadata: WIDE_TEXT } });
});

it("a webhook carries one signature by the secret and one by the company's own key", async () => {
  const { sink } = await givenPaidEvent();
  expect(sink.received[0]!.headers["webhook-signature"]).toMatch(
    /^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/,
  );
});

it("verification fails for a changed body and for another secret", async () => {
  const { sink, company } = await givenPaidEvent();
  const [request] = sink.received;
  const changed = request!.rawBody.replace('"amount":2500', '"amount":9500');
  expect(changed).not.toBe(request!.rawBody);

  expect(() => new Webhook(company.webhookSecret).verify(changed, request!.headers)).toThrow(
    "No matching signature found",
  );
  expect(() =>
    new Webhook("whsec_bG9jYWwtbG9qYS1leGVtcGxvLXNlY3JldA==").verify(
      request!.rawBody,
      request!.headers,
    ),
  ).toThrow("No matching signature found");
});

it("each attempt has its own timestamp, signed anew, under the same webhook-id and body", async () => {
  const { clock, sink, company } = await givenPaidEvent();
  clock.advance(60_000);
  await sink.deliver(company, 1);
  clock.advance(600_000);
  await sink.deliver(company, 1);

  expect(sink.received).toHaveLength(3);
  expect(new Set(sink.received.map((request) => request.id))).toEqual(
    new Set([`evt_${company.id}_1`]),
  );
  expect(new Set(sink.received.map((request) => request.rawBody)).size).toBe(1);
  const times = sink.received.map((request) => Number(request.headers["webhook-timestamp"]));
  expect(times[1]! - times[0]!).toBe(60);
  expect(times[2]! - times[1]!).toBe(600);
  const signatures = sink.received.map((request) => request.headers["webhook-signature"]);
  expect(new Set(signatures).size).toBe(3);
  expect(times[0]).toBe(Math.floor((clock.now() - 660_000) / 1_000));
});
