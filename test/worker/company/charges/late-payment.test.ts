import { expect, it } from "vitest";
import { end, settle } from "../../../support/builders/commands.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

it.each([
  ["failed", "FAILED"],
  ["cancelled", "CANCELLED"],
] as const)(
  "money that arrives after %s is credited and says what it came after",
  async (to, word) => {
    const company = await givenCompany();
    const transaction = await givenTransaction(company, { amount: 2_500 });

    expect(await end(company, transaction, to)).toEqual({ kind: "moved" });
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

it("a charge that ended does not end again, and a paid one does not end at all", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  await end(company, transaction, "cancelled");

  expect(await end(company, transaction, "cancelled")).toEqual({ kind: "already" });
  expect(await end(company, transaction, "failed")).toEqual({
    kind: "not_allowed",
    status: "cancelled",
  });
  await settle(company, transaction);
  expect(await end(company, transaction, "cancelled")).toEqual({
    kind: "not_allowed",
    status: "paid",
  });

  expect(await eventsOf(company)).toHaveLength(2);
});
