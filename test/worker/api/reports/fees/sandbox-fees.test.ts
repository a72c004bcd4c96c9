import { expect, it } from "vitest";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { givenCard } from "../../../../support/builders/charges/card.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { givenClockedShop } from "../../../../support/builders/companies/clocked-shop.ts";
import { waitUntilDrained } from "../../../../support/builders/companies/company.ts";
import { refund, updateSettings } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";

const PATH = "/api/v1/reports/fees";
const MONTH_MS = 30 * 86_400_000;

async function givenShop() {
  const { clock, company, deps } = await givenClockedShop();
  await updateSettings(company, {
    fees: { PIX: { basisPoints: 100, fixed: 30 }, CREDIT_CARD: { basisPoints: 300, fixed: 1 } },
    releaseDays: { PIX: 0, CREDIT_CARD: 30 },
  });
  const today = () => saoPauloDay(clock.now());
  const report = async (days = "") => {
    await waitUntilDrained(company);
    return (await call(`${PATH}${days}`, { company, deps })).body;
  };
  return { clock, company, deps, today, report };
}

it("of a sandbox company has what its bank took, as agreed, on the day of each payment", async () => {
  const { clock, company, deps, today, report } = await givenShop();
  const { id } = await givenTransaction(company, { amount: 10_000 }, { deps });
  await pay(company, id, undefined, { deps });

  const first = await report();
  const sums = { anticipation: 0, chargebacks: 0, refunds: 0, difference: 0 };
  const pix = { ...sums, count: 1, gross: 10_000, agreed: 130, taken: 130 };
  expect(first).toEqual({
    accounts: [{ account: "sandbox", provider: "Sandbox", comparedUntil: today() }],
    items: [{ day: today(), account: "sandbox", paymentMethod: "PIX", ...pix }],
    totals: pix,
  });

  clock.advance(MONTH_MS);
  await givenCard(company, {}, { amount: 10_000, installments: 3 }, { deps });
  const month = await report(`?from=${today()}`);
  expect(month.items).toMatchObject([
    {
      day: today(),
      paymentMethod: "CREDIT_CARD",
      count: 1,
      gross: 10_000,
      agreed: 301,
      taken: 301,
    },
  ]);
  const { fees } = await accountsOf(company);
  expect((await report()).totals).toMatchObject({ count: 2, agreed: fees, taken: fees });
});

it("has what went back, on its own day, and no fee less", async () => {
  const { clock, company, deps, today, report } = await givenShop();
  const { id } = await givenTransaction(company, { amount: 10_000 }, { deps });
  await pay(company, id, undefined, { deps });
  clock.advance(86_400_000);
  expect((await refund(company, id, 2_500, { deps })).status).toBe(200);

  const { items } = await report(`?from=${today()}`);
  expect(items).toMatchObject([{ day: today(), count: 0, gross: 0, agreed: 0, refunds: 2_500 }]);
  expect((await report()).totals).toMatchObject({ agreed: 130, taken: 130, refunds: 2_500 });
});
