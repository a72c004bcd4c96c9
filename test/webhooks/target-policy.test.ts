import { expect, it } from "vitest";
import { settle } from "../support/commands.ts";
import { TestClock } from "../support/clock.ts";
import { env, givenCompany } from "../support/company.ts";
import { givenTransaction } from "../support/transaction.ts";
import { attemptsOf, deliveriesOf } from "../support/webhook-rows.ts";
import { WebhookSink } from "../support/webhook-sink.ts";

/** As deployed: loopback is for local development only. */
const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };

it("a target that the policy does not allow any more is stopped at the attempt, unfetched", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, {
    postbackUrl: "http://127.0.0.1:8080/postback",
  });
  await settle(company, transaction);

  await sink.deliver(company, 1, { env: deployed });
  await sink.deliver(company, 1, { env: deployed });

  expect(sink.received).toEqual([]);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "stopped", dueAt: null }]);
  expect(await attemptsOf(company)).toEqual([
    { companySequence: 1, number: 1, httpStatus: null, fault: "must be https", answer: "" },
  ]);
});

it.each([
  "https://10.0.0.1/",
  "https://[::1]/",
  "https://localhost/",
  "https://metadata.google.internal/",
  "https://user:secret@loja.example.com/",
  "https://loja.example.com:8443/",
  "http://loja.example.com/",
  "ftp://loja.example.com/",
  "not a url",
])("%s is never fetched, however it came to stand in the row", async (webhookUrl) => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock, webhookUrl });
  const transaction = await givenTransaction(company);
  await settle(company, transaction);

  await sink.deliver(company, 1, { target: "endpoint" });

  expect(sink.received).toEqual([]);
  expect(await deliveriesOf(company)).toMatchObject([{ url: webhookUrl, status: "stopped" }]);
});

it("a stopped older event does not keep the newer one from its turn", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/endpoint" });
  const transaction = await givenTransaction(company, { postbackUrl: "http://127.0.0.1:8080/" });
  await settle(company, transaction);

  await sink.deliver(company, 1, { env: deployed });
  await sink.deliver(company, 1, { env: deployed, target: "endpoint" });

  expect(sink.received.map((request) => request.url)).toEqual([
    "https://loja.example.com/endpoint",
  ]);
});
