import { describe, expect, test } from "vitest";
import { balanceView } from "../../../../src/domain/ledger/balance.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const EMPTY = { available: 0, awaiting: 0, blocked: 0, owed: 0, frozen: false };

test("the record has the contract's fields and the debt, in reais", () => {
  const balances = {
    available: 1234_56,
    awaiting: 50_00,
    blocked: 7_01,
    owed: 3_50,
    frozen: false,
  };
  expect(balanceView(3, "BRL", balances)).toStrictEqual({
    id: 3,
    companyId: 3,
    currency: "BRL",
    enBalanceStatus: "Released",
    accBalance: 1234.56,
    accBalanceHeld: 0,
    accBalanceCredit: 1291.57,
    accBalanceCreditAwaiting: 50,
    accBalanceBlocked: 7.01,
    accBalanceDebt: 3.5,
  });
});

test("accBalanceCredit is summed in centavos, without float noise", () => {
  forAll(500, (random) => {
    const [available, awaiting, blocked] = [0, 0, 0].map(() => random.integer(0, 10 ** 13));
    const view = balanceView(1, "BRL", {
      available: available!,
      awaiting: awaiting!,
      blocked: blocked!,
      owed: 0,
      frozen: false,
    });
    expect(view.accBalanceCredit).toBe((available! + awaiting! + blocked!) / 100);
  });
});

describe("enBalanceStatus", () => {
  test.each([
    ["Released for an empty balance", EMPTY, "Released"],
    ["Released with available money", { ...EMPTY, available: 1 }, "Released"],
    [
      "Released with available and unreleased money",
      { ...EMPTY, available: 1, awaiting: 1 },
      "Released",
    ],
    ["Pending with only unreleased money", { ...EMPTY, awaiting: 1 }, "Pending"],
    ["Released with only blocked money", { ...EMPTY, blocked: 1 }, "Released"],
    [
      "Blocked for a frozen company with money",
      { ...EMPTY, available: 1, frozen: true },
      "Blocked",
    ],
    [
      "Blocked for a frozen company with unreleased money",
      { ...EMPTY, awaiting: 1, frozen: true },
      "Blocked",
    ],
    ["Blocked for a frozen company without money", { ...EMPTY, frozen: true }, "Blocked"],
  ])("is %s", (_when, balances, status) => {
    expect(balanceView(1, "BRL", balances).enBalanceStatus).toBe(status);
  });
});
