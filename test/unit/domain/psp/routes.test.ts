import { describe, expect, it } from "vitest";
import { sharesPlace, type PspAccount } from "../../../../src/domain/psp/psp-account.ts";
import { routesOf } from "../../../../src/domain/psp/routes.ts";

const NOON = Date.parse("2026-11-29T12:00:00-03:00");

function account(name: string, priority: number, others: Partial<PspAccount> = {}) {
  const methods = ["PIX", "PAYOUT"] as const;
  return { account: name, priority, methods, conditions: {}, state: "active", ...others } as const;
}

function order(
  accounts: ReturnType<typeof account>[],
  options: { amount?: number | null; nowMs?: number; silent?: string[] } = {},
): string {
  const { amount = 1_000, nowMs = NOON, silent = [] } = options;
  const isSilent = (name: string) => silent.includes(name);
  return routesOf(accounts, "PIX", { amount, nowMs, isSilent })
    .map((each) => each.account)
    .join("");
}

const cost = (basisPoints: number, fixed: number) => ({
  conditions: { cost: { basisPoints, fixed } },
});
const COST = cost(99, 0);

it.each<[string, Partial<PspAccount>, Partial<PspAccount>, boolean]>([
  ["neither states a cost", {}, {}, true],
  ["one states a cost", COST, {}, true],
  ["both state a cost", COST, COST, false],
  ["one has another priority", {}, { priority: 2 }, false],
  ["they carry nothing alike", {}, { methods: ["BOLETO"] }, false],
  ["both pay out", { ...COST, methods: ["PAYOUT"] }, { ...COST, methods: ["PAYOUT"] }, true],
])("whether two accounts share a place where %s", (_where, one, other, isShared) => {
  const terms = { methods: ["PIX"] } as const;
  const left = account("a", 1, { ...terms, ...one });
  expect(sharesPlace(left, account("b", 1, { ...terms, ...other }))).toBe(isShared);
});

describe("routesOf", () => {
  it("orders the active accounts of a method by priority", () => {
    const drained = account("d", 1, { state: "draining" });
    const cards = account("c", 2, { methods: ["CREDIT_CARD"] });
    expect(order([account("b", 9), drained, cards, account("a", 3)])).toBe("ab");
  });

  it("asks silent accounts last, by priority, and leaves none out", () => {
    const accounts = [account("a", 1), account("b", 2), account("c", 3)];
    expect(order(accounts, { silent: ["a"] })).toBe("bca");
    expect(order(accounts, { silent: ["a", "b", "c"] })).toBe("abc");
  });

  it("takes both ends of a range of amounts, and asks for none before there is a charge", () => {
    const accounts = [account("a", 1, { conditions: { amountFrom: 500, amountTo: 1_000 } })];
    const taken = [499, 500, 1_000, 1_001, null].map((amount) => order(accounts, { amount }));
    expect(taken).toEqual(["", "a", "a", "", "a"]);
  });

  it("asks of one priority the cheapest for the amount first, and one that states no cost last", () => {
    const accounts = [
      account("n", 2),
      account("p", 2, cost(99, 0)),
      account("f", 2, cost(0, 190)),
      account("e", 2, cost(0, 190)),
      account("a", 1, cost(9_999, 0)),
    ];
    // 99 hundredths of a percent are 189.99 and 190.0008 centavos.
    expect(order(accounts, { amount: 19_191 })).toBe("apefn");
    expect(order(accounts, { amount: 19_192 })).toBe("aefpn");
    expect(order(accounts, { amount: 19_191, silent: ["p"] })).toBe("aefnp");
    expect(order(accounts, { amount: null })).toBe("apefn");
  });

  it.each([
    ["08:00-18:00", "07:59", ""],
    ["08:00-18:00", "08:00", "a"],
    ["08:00-18:00", "17:59", "a"],
    ["08:00-18:00", "18:00", ""],
    ["22:00-06:00", "21:59", ""],
    ["22:00-06:00", "23:00", "a"],
    ["22:00-06:00", "05:59", "a"],
    ["22:00-06:00", "06:00", ""],
  ])("with the hours %s at %s in São Paulo takes %j", (hours, time, taken) => {
    const nowMs = Date.parse(`2026-11-29T${time}:30-03:00`);
    expect(order([account("a", 1, { conditions: { hours } })], { nowMs })).toBe(taken);
  });
});
