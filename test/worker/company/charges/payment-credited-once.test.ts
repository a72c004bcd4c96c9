import { expect, it } from "vitest";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

it("a payment is credited once for repeated reports", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });

  expect(await settle(company, transaction)).toEqual({ kind: "credited" });
  expect(await settle(company, transaction)).toEqual({ kind: "already" });
  expect(await settle(company, transaction)).toEqual({ kind: "already" });

  expect(await movementsOf(company)).toEqual([
    { type: "charge_paid", postings: { provider: -2_500, available: 2_500 } },
  ]);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.paid"]);
});

it("one of several concurrent reports is credited", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });

  const answers = await Promise.all(Array.from({ length: 8 }, () => settle(company, transaction)));

  expect(answers.filter((answer) => answer.kind === "credited")).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === "already")).toHaveLength(7);
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
});

it("the same end-to-end id is never credited to a second charge", async () => {
  const company = await givenCompany();
  const first = await givenTransaction(company, { amount: 2_500 });
  const second = await givenTransaction(company, { amount: 900 });

  await settle(company, first, { paymentId: endToEndId(7) });
  const again = { paymentId: endToEndId(7), amount: 2_500 };
  expect(await settle(company, second, again)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
});

it("the paid amount is credited, not the requested amount", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });

  await settle(company, transaction, { amount: 2_345 });

  expect(await accountsOf(company)).toEqual({ available: 2_345, provider: -2_345 });
  const [event] = await eventsOf(company);
  expect(event?.body.data).toMatchObject({ amount: 2_500, paidAmount: 2_345, status: "PAID" });
});
