import { afterEach, expect, it, vi } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { dumpD1, captureConsole } from "../../../support/probes/database/dumps.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { CRASH, injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("API keys and webhook secrets are in clear text neither in D1 nor in the object nor in the log", async () => {
  const overheard = captureConsole();
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 9_000 });
  const endpoint = { url: "https://loja.example.com/endpoint" };
  await call("/api/v1/webhooks/endpoint", { method: "PUT", company, body: endpoint });
  const { id } = await givenTransaction(company, { postbackUrl: "https://loja.example.com/post" });
  await pay(company, id);
  const withdraw = await requestWithdraw(company, { amount: 2_000, metadata: { order: 7 } });
  await runPayout(company, withdraw.body.id);
  await waitUntilDrained(company);
  const sink = new WebhookSink(clock).respondWith(500);
  await sink.deliverAll(company);
  await runCron(cronDeps(clock, new FakeBank()));
  const { secret } = (
    await call("/api/v1/webhooks/secret/rotate", {
      method: "POST",
      company,
      deps: { platformClock: clock },
    })
  ).body;
  const given = "whsec_Z2l2ZW4tdG8tdGhlLWRlYnVnZ2Vy";
  const [{ headers, rawBody }] = sink.received as [(typeof sink.received)[number]];
  const shown = { headers, body: rawBody, secret: given };
  const verdict = await call("/api/v1/webhooks/verify", {
    company,
    body: shown,
    deps: { platformClock: clock },
  });
  expect(verdict.body.cause).toBe("wrong_secret");
  const wrong = { ...company.credentials, "X-API-Key": `${company.apiKey}-wrong` };
  expect((await call("/api/v1/webhooks/endpoint", { headers: wrong })).status).toBe(401);
  const down = injectFault({ on: /from "transactions"/, when: "before", error: CRASH });
  const path = `/api/Transaction/transactionByTransactionId/${id}`;
  const failed = await call(path, { company, env: withD1(env, down.intercept) });
  expect(failed.status).toBeGreaterThanOrEqual(500);

  const d1 = await dumpD1();
  const object = await dumpObject(company);
  const log = overheard();

  // The dumps are of this company, else they would prove nothing.
  expect(d1).toContain(company.providerCompanyId);
  expect(d1).toContain("transaction.paid");
  expect(object).toContain(id);
  expect(log).toContain(company.clientId);
  const rawSecret = company.webhookSecret.replace("whsec_", "");
  for (const place of [d1, object, log, failed.text, verdict.text]) {
    for (const clear of [
      company.apiKey,
      secret,
      given,
      company.webhookSecret,
      rawSecret,
      "whsec_",
    ]) {
      expect(place.includes(clear), clear).toBe(false);
    }
  }
});

it("the webhook secret of one company does not open as another's", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const [from, to] = [await givenCompany(), await givenCompany({ clock })];
  const { id } = await givenTransaction(to, { postbackUrl: "https://loja.example.com/post" });
  await pay(to, id);
  await env.DB.prepare(
    `UPDATE companies SET webhook_secret_sealed =
       (SELECT webhook_secret_sealed FROM companies WHERE id = ?) WHERE id = ?`,
  )
    .bind(from.id, to.id)
    .run();

  await sink.deliver(to, 1);

  expect(sink.received).toEqual([]);
  const [delivery] = await deliveriesOf(to);
  expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
  expect(delivery!.dueAt, "it waits its turn like any other failure").toBeGreaterThan(clock.now());
});
