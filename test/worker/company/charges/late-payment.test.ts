import { expect, it } from "vitest";
import { endCharge, settle } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

it.each([
  ["failed", "FAILED"],
  ["cancelled", "CANCELLED"],
] as const)(
  "a payment after %s is credited and its event names the previous status",
  async (to, word) => {
    const company = await givenCompany();
    const transaction = await givenTransaction(company, { amount: 2_500 });

    expect(await endCharge(company, transaction, to)).toEqual({ kind: "transitioned" });
    expect(await settle(company, transaction)).toEqual({ kind: "credited" });

    expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
    const [ended, paid] = await eventsOf(company);
    expect(ended?.body).toMatchObject({
      type: `transaction.${to}`,
      sequence: 1,
      data: { status: word, previousStatus: "WAITING_PAYMENT" },
    });
    expect(paid?.body).toMatchObject({
      type: "transaction.paid",
      sequence: 2,
      data: { status: "PAID", previousStatus: word, paidAmount: 2_500 },
    });
    expect(paid?.body.data).not.toHaveProperty("cancelReason");
    expect((await transactionsOf(company))[0]).toMatchObject({ status: "paid", version: 2 });
  },
);

it("a charge ends once, and a paid charge does not end", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  await endCharge(company, transaction, "cancelled");

  expect(await endCharge(company, transaction, "cancelled")).toEqual({ kind: "already" });
  expect(await endCharge(company, transaction, "failed")).toEqual({
    kind: "not_allowed",
    status: "cancelled",
  });
  await settle(company, transaction);
  expect(await endCharge(company, transaction, "cancelled")).toEqual({
    kind: "not_allowed",
    status: "paid",
  });

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual([
    "transaction.cancelled",
    "transaction.paid",
    "payment.unexpected",
  ]);
});
