import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import { drained, settle } from "../../../support/builders/commands.ts";
import { arrangeObject, env, givenCompany } from "../../../support/builders/company.ts";
import { fault, withAccounts, type Around } from "../../../support/faults/faulty-env.ts";
import { accountsOf, outboxLength } from "../../../support/builders/ledger.ts";
import { downRecords, replaceInObject } from "../../../support/probes/object.ts";
import { givenTransaction, pay } from "../../../support/builders/transaction.ts";
import { call } from "../../../support/builders/api.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

it("a payment committed but not answered is answered by its repeat, and credited once", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  const lost = fault({ on: /^settlePayment$/, when: "after" });

  const first = await pay(company, transaction.id, undefined, {
    env: withAccounts(env, lost.around),
  });
  expect(first.status).toBe(500);
  expect(lost.strikes()).toBe(1);
  // The provider's book has the payment, so that any look at the charge reports it again.
  const again = await call(`/api/v1/sandbox/transactions/${transaction.id}/expire`, {
    method: "POST",
    company,
  });

  expect(again.body.code).toBe("INVALID_STATE");
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
  expect(await eventsOf(company)).toHaveLength(1);
});

it("a call that failed on the way is made once more and credits once", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  let calls = 0;
  const lostOnce: Around = async (label, run) => {
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
  const overloaded: Around = async (label, run) => {
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

it("an object that dies before D1 was told of a payment tells it in its next life", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  await replaceInObject(company, downRecords());
  await settle(company, transaction);
  expect(await eventsOf(company)).toEqual([]);

  await abortAllDurableObjects();
  await arrangeObject(company.id, {});

  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  expect(await outboxLength(company)).toBe(1);
  expect(await settle(company, transaction)).toEqual({ kind: "already" });
  await drained(company);
  expect(await outboxLength(company)).toBe(0);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.paid"]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid", version: 1 }]);
});
