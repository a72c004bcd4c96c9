import { expect, it } from "vitest";
import {
  waitUntilDrained,
  configureObject,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { injectFault, withAccounts, type Interceptor } from "../../../support/faults/faulty-env.ts";
import { accountsOf, outboxLength } from "../../../support/probes/ledger/ledger.ts";
import {
  unavailableProjection,
  replaceInObject,
  killObject,
} from "../../../support/faults/object.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

it("a payment whose response was lost is returned to its repeat and credited once", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  const lost = injectFault({ on: /^settlePayment$/, when: "after" });

  const first = await pay(company, transaction.id, undefined, {
    env: withAccounts(env, lost.intercept),
  });
  expect(first.status).toBe(500);
  expect(lost.injections()).toBe(1);
  // The provider's book has the payment, so that any look at the charge reports it again.
  const again = await call(`/api/v1/sandbox/transactions/${transaction.id}/expire`, {
    method: "POST",
    company,
  });

  expect(again.body.code).toBe("INVALID_STATE");
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
  expect(await eventsOf(company)).toHaveLength(1);
});

it("a call that failed in transit is retried once and credits once", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  let calls = 0;
  const lostOnce: Interceptor = async (label, run) => {
    const answer = await run();
    calls += label === "settlePayment" ? 1 : 0;
    if (label === "settlePayment" && calls === 1) {
      throw Object.assign(new Error("the object was reset"), { retryable: true });
    }
    return answer;
  };

  const answer = await pay(company, transaction.id, undefined, {
    env: withAccounts(env, lostOnce),
  });

  expect(answer.status).toBe(200);
  expect(answer.body.data.status).toBe("PAID");
  expect(calls).toBe(2);
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
});

it("an overloaded object is not called again at once", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  let calls = 0;
  const overloaded: Interceptor = async (label, run) => {
    if (label !== "settlePayment") return run();
    calls += 1;
    throw Object.assign(new Error("overloaded"), { retryable: true, overloaded: true });
  };

  const answer = await pay(company, transaction.id, undefined, {
    env: withAccounts(env, overloaded),
  });

  expect(answer.status).toBe(503);
  expect(calls).toBe(1);
});

it("an object that crashes before the drain of a payment drains it after the restart", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  await replaceInObject(company, unavailableProjection());
  await settle(company, transaction);
  expect(await eventsOf(company)).toEqual([]);

  await killObject(company);
  await configureObject(company.id, {});

  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  expect(await outboxLength(company)).toBe(1);
  expect(await settle(company, transaction)).toEqual({ kind: "already" });
  await waitUntilDrained(company);
  expect(await outboxLength(company)).toBe(0);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.paid"]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid", version: 1 }]);
});
