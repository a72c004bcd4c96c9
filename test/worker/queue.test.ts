import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { handleQueue } from "../../src/queue.ts";
import { settle } from "../support/builders/charges/charge-commands.ts";
import { withdraw } from "../support/builders/withdraws/withdraw-commands.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { CRASH, injectFault, withD1 } from "../support/faults/faulty-env.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";
import { givenTransaction } from "../support/builders/charges/transaction.ts";
import { attemptsOf, deliveriesOf } from "../support/probes/webhooks/webhook-rows.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Runs the consumer over one message for each body; answers which were acknowledged. */
async function consume(queue: string, bodies: unknown[], environment = env) {
  const batch = createMessageBatch(
    queue,
    bodies.map((body, index) => ({
      id: `m${index}`,
      timestamp: new Date(),
      attempts: 1,
      body,
    })),
  );
  const context = createExecutionContext();
  await handleQueue(batch, environment, context);
  const result = await getQueueResult(batch, context);
  return {
    acked: result.explicitAcks,
    retried: result.retryMessages.map((message) => message.msgId),
  };
}

it("a payout message is processed and acknowledged", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company);

  const result = await consume("payouts", [{ companyId: company.id, withdrawId: 1 }]);

  expect(result).toMatchObject({ acked: ["m0"], retried: [] });
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("a delivery message sends the webhook and is acknowledged", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, {
    postbackUrl: "https://loja.example.com/postback",
  });
  await settle(company, transaction);
  const post = vi.fn<typeof fetch>(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", post);

  const result = await consume("webhooks", [{ deliveryId: `dlv_${company.id}_1_postback` }]);

  expect(result.acked).toEqual(["m0"]);
  expect(post).toHaveBeenCalledOnce();
  expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered" }]);
});

it("a failing merchant does not cause a message retry: the row holds the next attempt", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, {
    postbackUrl: "https://loja.example.com/postback",
  });
  await settle(company, transaction);
  vi.stubGlobal("fetch", async () => new Response(null, { status: 500 }));

  const result = await consume("webhooks", [{ deliveryId: `dlv_${company.id}_1_postback` }]);

  expect(result).toMatchObject({ acked: ["m0"], retried: [] });
  expect(await attemptsOf(company)).toMatchObject([{ httpStatus: 500 }]);
});

it("a message that failed is retried without affecting others", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company);
  const down = injectFault({ on: /from "companies"/, when: "before" });

  const result = await consume(
    "payouts",
    [
      { companyId: company.id, withdrawId: 1 },
      { companyId: company.id, withdrawId: 1 },
    ],
    withD1(env, down.intercept),
  );

  expect(down.injections()).toBe(1);
  expect(result.acked).toHaveLength(1);
  expect(result.retried).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it.each([
  ["webhooks", null],
  ["webhooks", {}],
  ["webhooks", { deliveryId: "not a delivery" }],
  ["webhooks", { deliveryId: 7 }],
  ["payouts", null],
  ["payouts", "text"],
  ["payouts", {}],
  ["tasks", null],
  ["tasks", { task: "no such task", at: 0, step: 1, state: null }],
])("an invalid body on %s is not acknowledged: %j", async (queue, body) => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);

  const result = await consume(queue, [body]);

  expect(result).toMatchObject({ acked: [], retried: ["m0"] });
  expect(errors).toHaveBeenCalledOnce();
});

it.each([
  "webhooks-dead",
  "payouts-dead",
  "tasks-dead",
  "centavo-sandbox-webhooks-dead",
  "centavo-payouts-dead",
])("a dead letter on %s is logged and acknowledged", async (queue) => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);

  const result = await consume(queue, [{ deliveryId: "dlv_1_1_postback" }]);

  expect(result.acked).toEqual(["m0"]);
  const line = JSON.parse(errors.mock.calls[0]![0] as string);
  expect(line).toMatchObject({
    level: "error",
    event: "queue_message_dead_lettered",
    queue: queue.replace(/^.*(webhooks|payouts|tasks)-dead$/, "$1"),
    messageId: "m0",
    deliveryId: "dlv_1_1_postback",
    body: '{"deliveryId":"dlv_1_1_postback"}',
  });
});

it("a deployed environment's queues are served by the same handlers", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company);

  const result = await consume("centavo-payouts", [{ companyId: company.id, withdrawId: 1 }]);

  expect(result.acked).toEqual(["m0"]);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("a message of an unknown queue is not lost", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);

  expect(await consume("elsewhere", [{}])).toMatchObject({ acked: [], retried: ["m0"] });
});

it("the log of a failed message contains the reason", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const down = injectFault({ on: /from "companies"/, when: "before", error: CRASH });

  await consume("payouts", [{ companyId: 1, withdrawId: 1 }], withD1(env, down.intercept));

  expect(JSON.parse(errors.mock.calls[0]![0] as string)).toMatchObject({
    event: "queue_message_failed",
    queue: "payouts",
    messageId: "m0",
    companyId: 1,
    withdrawId: 1,
  });
});
