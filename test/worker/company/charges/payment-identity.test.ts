import { expect, it } from "vitest";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { bookUnexpectedPayment } from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

const YEAR_MS = 365 * 24 * 60 * 60_000;

it.each([
  ["E12345678202611211200aBcdEfGhIjK", "E12345678202611211200ABcdEfGhIjK"],
  ["E12345678202611211200aBcdEfGhIjK", "e12345678202611211200abcdefghijk"],
  ["E1a", "E1A"],
])("%s and %s are never two credits: the second is a contradiction", async (first, twin) => {
  const company = await givenCompany();
  const one = await givenTransaction(company, { amount: 1_000 });
  const other = await givenTransaction(company, { amount: 1_000 });
  await settle(company, { id: one.id, amount: 1_000 }, { paymentId: first });
  await settle(company, { id: other.id, amount: 1_000 }, { paymentId: twin });
  await bookUnexpectedPayment(company, {
    paymentId: twin,
    method: "PIX",
    amount: 1_000,
    paidAt: Date.now(),
  });

  expect(await accountsOf(company)).toMatchObject({ provider: -1_000 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "payment_identity", object: `payment:${twin}`, amount: 1_000, status: "open" },
  ]);
});

it("ids of one bank and minute that differ otherwise are payments of their own", async () => {
  const company = await givenCompany();
  for (const paymentId of [
    "E12345678202611211200aBcdEfGhIj1",
    "E12345678202611211200aBcdEfGhIj2",
  ]) {
    const { id } = await givenTransaction(company, { amount: 1_000 });
    await settle(company, { id, amount: 1_000 }, { paymentId });
  }
  expect(await accountsOf(company)).toMatchObject({ provider: -2_000 });
});

it.each([
  ["a year ahead", YEAR_MS],
  ["two years back", -2 * YEAR_MS],
])(
  "a PSP's time %s is kept as said, and the object's own time decides the release",
  async (_, ms) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 1_000 });
    const now = Date.now();
    const paidAt = now + ms;
    await settle(company, { id, amount: 1_000 }, { paidAt }, { releaseDays: 30 });
    const [stored, due] = await inAccount(company.id, (_account, { storage: { sql } }) => [
      sql.exec<{ paid_at: number }>("SELECT paid_at FROM payments").one().paid_at,
      sql.exec<{ due_at: number }>("SELECT due_at FROM releases").one().due_at,
    ]);
    expect(stored).toBe(paidAt);
    expect(Math.abs(due - (now + 30 * 24 * 60 * 60_000))).toBeLessThan(60_000);
  },
);
