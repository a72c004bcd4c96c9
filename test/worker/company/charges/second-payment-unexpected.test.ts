import { expect, it } from "vitest";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

it("a second payment of a paid charge goes to suspense and never to available", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  await settle(company, transaction, { paymentId: endToEndId(1) });

  const second = { paymentId: endToEndId(2), amount: 2_500 };
  expect(await settle(company, transaction, second)).toEqual({ kind: "unexpected" });
  expect(await settle(company, transaction, second)).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toEqual({
    available: 2_500,
    suspense: 2_500,
    provider: -5_000,
  });
  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "payment_suspended",
    postings: { provider: -2_500, suspense: 2_500 },
  });
});

it("an unexpected payment is announced by itself and does not change its charge", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  const first = await pay(company, transaction.id, 2_500);

  const second = await pay(company, transaction.id, 700);

  expect(second.status).toBe(200);
  expect(second.body.data).toEqual(first.body.data);
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual([
    "transaction.paid",
    "payment.unexpected",
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 700 });
});
