import { describe, expect, it } from "vitest";
import {
  endOfNight,
  saoPauloNight,
  startOfDay,
  startOfNextDay,
} from "../../../../src/domain/shared/business-day.ts";
import { stoppedByPolicy, type PastWithdraw } from "../../../../src/domain/withdraws/backtest.ts";
import { refusalsBySpendingLimits } from "../../../../src/domain/withdraws/spending-limits.ts";
import {
  NO_POLICY,
  refusalsByPolicy,
  type PolicySubject,
  type WithdrawPolicy,
} from "../../../../src/domain/withdraws/withdraw-policy.ts";

const at = (text: string) => Date.parse(text);
/** 10:00 in São Paulo. */
const DAY = at("2026-11-23T13:00:00.000Z");
/** 22:00 in São Paulo. */
const NIGHT = at("2026-11-24T01:00:00.000Z");
const MINUTE_MS = 60_000;

describe("the night of São Paulo", () => {
  it.each([
    ["2026-11-23T22:59:59.999Z", null],
    ["2026-11-23T23:00:00.000Z", "2026-11-23"],
    ["2026-11-24T02:59:59.999Z", "2026-11-23"],
    ["2026-11-24T03:00:00.000Z", "2026-11-23"],
    ["2026-11-24T08:59:59.999Z", "2026-11-23"],
    ["2026-11-24T09:00:00.000Z", null],
    ["2027-01-01T08:00:00.000Z", "2026-12-31"],
  ])("at %s is %s", (time, night) => {
    expect(saoPauloNight(at(time))).toBe(night);
  });

  it("ends at 06:00, on the next day if it is evening", () => {
    expect(endOfNight(NIGHT)).toBe(at("2026-11-24T09:00:00.000Z"));
    expect(endOfNight(at("2026-11-24T08:59:00.000Z"))).toBe(at("2026-11-24T09:00:00.000Z"));
    expect(endOfNight(DAY)).toBeNull();
  });

  it("belongs to days that begin at midnight", () => {
    expect(startOfDay("2026-11-23")).toBe(at("2026-11-23T03:00:00.000Z"));
    expect(startOfNextDay(NIGHT)).toBe(at("2026-11-24T03:00:00.000Z"));
  });
});

const refusals = (policy: Partial<WithdrawPolicy>, subject: Partial<PolicySubject>) =>
  refusalsByPolicy(
    { ...NO_POLICY, ...policy },
    {
      amount: 100,
      at: DAY,
      keyCountsFrom: () => null,
      dayTotal: () => 0,
      nightTotal: () => 0,
      keyDayTotal: () => 0,
      ...subject,
    },
  ).map(({ kind }) => kind);

const never = () => {
  throw new Error("it was asked");
};

describe("a policy", () => {
  it("that is not set refuses nothing and asks for no sum", () => {
    const subject = {
      keyCountsFrom: never,
      dayTotal: never,
      nightTotal: never,
      keyDayTotal: never,
    };
    expect(refusals({}, subject)).toEqual([]);
    expect(refusals({ nightLimit: 1 }, subject)).toEqual([]);
  });

  it("allows each limit exactly and refuses a centavo more", () => {
    for (const [limit, total, kind] of [
      ["dailyLimit", "dayTotal", "daily_limit_exceeded"],
      ["nightLimit", "nightTotal", "night_limit_exceeded"],
      ["keyDailyLimit", "keyDayTotal", "key_limit_exceeded"],
    ] as const) {
      const subject = { at: NIGHT, [total]: () => 900 };
      expect(refusals({ [limit]: 1_000 }, subject)).toEqual([]);
      expect(refusals({ [limit]: 999 }, subject)).toEqual([kind]);
    }
  });

  it("counts an allowed key from its time on", () => {
    const policy = { allowedPixKeys: { enforced: true, coolDownHours: 24 } };
    expect(refusals(policy, {})).toEqual(["pix_key_not_allowed"]);
    expect(refusals(policy, { keyCountsFrom: () => DAY + 1 })).toEqual(["pix_key_cooling_down"]);
    expect(refusals(policy, { keyCountsFrom: () => DAY })).toEqual([]);
  });
});

it("spending limits name every part that refuses", () => {
  const payment = { amount: 100, pixKey: "a", at: DAY };
  const spendingLimits = { dailyLimit: 150, pixKeys: ["b"], until: DAY };
  expect(refusalsBySpendingLimits(spendingLimits, payment, () => 51)).toEqual([
    { kind: "spending_limits_ended", endedAt: DAY },
    { kind: "spending_limits_key_not_listed" },
    {
      kind: "spending_limits_exceeded",
      limit: 150,
      used: 51,
      possibleFrom: at("2026-11-24T03:00:00.000Z"),
    },
  ]);
  const wide = { dailyLimit: 150, pixKeys: ["a"], until: DAY + 1 };
  expect(refusalsBySpendingLimits(wide, payment, () => 50)).toEqual([]);
  expect(refusalsBySpendingLimits(null, payment, () => 50)).toEqual([]);
});

const past = (id: number, amount: number, createdAt: number, pixKey = "a"): PastWithdraw => ({
  id,
  amount,
  pixKey,
  createdAt,
});
const stopped = (policy: Partial<WithdrawPolicy>, withdraws: PastWithdraw[]) =>
  stoppedByPolicy({ ...NO_POLICY, ...policy }, withdraws, (pixKey) => pixKey === "a").map(
    ({ withdraw, rule }) => [withdraw.id, rule],
  );

describe("a backtest", () => {
  it("counts what is refused for no later limit, and what waits for an approval for each", () => {
    const withdraws = [past(1, 80, DAY), past(2, 30, DAY), past(3, 20, DAY)];
    expect(stopped({ dailyLimit: 100 }, withdraws)).toEqual([[2, "withdrawDailyLimit"]]);
    expect(stopped({ dailyLimit: 100, approvalAbove: 79 }, withdraws)).toEqual([
      [1, "withdrawApprovalAbove"],
      [2, "withdrawDailyLimit"],
    ]);
  });

  it("starts a new sum each day, each night and for each key", () => {
    const nextDay = DAY + 24 * 60 * MINUTE_MS;
    const withdraws = [
      past(1, 80, DAY),
      past(2, 80, DAY, "b"),
      past(3, 80, NIGHT),
      past(4, 80, NIGHT + 3 * 60 * MINUTE_MS),
      past(5, 80, nextDay),
    ];
    expect(stopped({ keyDailyLimit: 100 }, withdraws)).toEqual([
      [3, "withdrawKeyDailyLimit"],
      [5, "withdrawKeyDailyLimit"],
    ]);
    expect(stopped({ nightLimit: 100 }, withdraws)).toEqual([[4, "withdrawNightLimit"]]);
    expect(stopped({ allowedPixKeys: { enforced: true, coolDownHours: 24 } }, withdraws)).toEqual([
      [2, "allowedPixKeys"],
    ]);
  });

  it("stops duplicates within ten minutes of an accepted one", () => {
    const withdraws = [
      past(1, 80, DAY),
      past(2, 80, DAY + 10 * MINUTE_MS),
      past(3, 80, DAY + 10 * MINUTE_MS + 1),
      past(4, 81, DAY + 10 * MINUTE_MS + 1),
    ];
    expect(stopped({ duplicateGuard: true }, withdraws)).toEqual([[2, "duplicateWithdrawGuard"]]);
  });
});
