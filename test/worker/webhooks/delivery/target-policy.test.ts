import { expect, it } from "vitest";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { makeDue } from "../../../support/builders/webhooks/stored-deliveries.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { REFUSED_TARGETS } from "../../../support/builders/webhooks/webhook-targets.ts";

const URL_OF_SHOP = "https://loja.example.com/endpoint";

/** As deployed: loopback is for local development only. */
const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };

it("a target that the policy no longer allows is stopped at the attempt without a request", async () => {
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
  expect(await attemptsOf(company)).toMatchObject([
    { companySequence: 1, number: 1, httpStatus: null, fault: "must be https", answer: "" },
  ]);
});

it.each(REFUSED_TARGETS)(
  "$family is never fetched, whatever the row contains",
  async ({ error, targets }) => {
    const clock = new TestClock();
    const sink = new WebhookSink(clock);
    const company = await givenCompany({ clock });
    const transaction = await givenTransaction(company, { postbackUrl: URL_OF_SHOP });
    await settle(company, transaction);

    for (const [name, url] of targets) {
      await makeDue(company, clock.now(), url);
      await sink.deliver(company, 1, { env: deployed });
      const [delivery] = await deliveriesOf(company);
      expect(delivery, name).toMatchObject({ url, status: "stopped", attempts: 1, dueAt: null });
      expect(await attemptsOf(company), name).toMatchObject([{ httpStatus: null, fault: error }]);
    }

    expect(sink.received).toEqual([]);
  },
);

it("a stopped older event does not block the newer one", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock, webhookUrl: URL_OF_SHOP });
  const transaction = await givenTransaction(company, { postbackUrl: "http://127.0.0.1:8080/" });
  await settle(company, transaction);

  await sink.deliver(company, 1, { env: deployed });
  await sink.deliver(company, 1, { env: deployed, target: "endpoint" });

  expect(sink.received.map((request) => request.url)).toEqual([URL_OF_SHOP]);
});
