import { describe, expect, it } from "vitest";
import { AccountHealth } from "../../../src/providers/account-health.ts";

const BANK = { companyId: 1, account: "a" };
const SECOND = 1_000;

function given() {
  const health = new AccountHealth();
  let now = 1_000_000;
  const ended = (fault: string | null, durationMs: number, times: number) => {
    for (let n = 0; n < times; n++) health.ended({ ...BANK, fault, durationMs }, now);
  };
  return {
    health,
    fails: (times = 1) => ended("timeout", 6_000, times),
    isSlow: (times = 1) => ended(null, 2_001, times),
    answers: () => ended(null, 2_000, 1),
    wait: (ms: number) => (now += ms),
    isSilent: () => health.isSilent(BANK),
    isTried: () => health.takeTry(BANK, now),
  };
}

describe("AccountHealth", () => {
  it("calls an account silent after three calls in a row without a timely answer", () => {
    const bank = given();
    bank.fails(2);
    bank.answers();
    bank.fails();
    bank.isSlow();
    expect(bank.isSilent()).toBe(false);
    bank.isSlow();
    expect(bank.isSilent()).toBe(true);
    expect(bank.health.isSilent({ ...BANK, account: "b" })).toBe(false);
    expect(bank.health.isSilent({ ...BANK, companyId: 2 })).toBe(false);
  });

  it("takes silences a minute apart for none in a row", () => {
    const bank = given();
    bank.fails(2);
    bank.wait(60 * SECOND + 1);
    bank.fails(2);
    expect(bank.isSilent()).toBe(false);
  });

  it("begins with what other isolates wrote a moment ago, once for each company", () => {
    const now = 1_000_000_000;
    const failing = { ...BANK, failingSince: now - 200_000, lastFaultAt: now - 180_000 };
    const isSilent = (known: Parameters<AccountHealth["learn"]>[0]) => {
      const health = new AccountHealth();
      health.learn(known, now);
      return health.isSilent(BANK);
    };
    expect(isSilent(failing)).toBe(true);
    expect(isSilent({ ...failing, lastFaultAt: now - 180_001 })).toBe(false);
    expect(isSilent({ ...failing, failingSince: failing.lastFaultAt })).toBe(false);
    expect(isSilent({ ...failing, failingSince: null })).toBe(false);
    const health = new AccountHealth();
    expect([1, 1, 2].map((company) => health.takeQuestion(company))).toEqual([true, false, true]);
  });

  it("has one call each half minute try a silent account, which stays silent until it answers", () => {
    const bank = given();
    expect(bank.isTried()).toBe(false);
    bank.fails(3);
    bank.wait(30 * SECOND - 1);
    expect(bank.isTried()).toBe(false);
    bank.wait(1);
    expect([bank.isTried(), bank.isTried()]).toEqual([true, false]);
    bank.wait(90 * SECOND);
    bank.fails();
    expect(bank.isSilent()).toBe(true);
    bank.wait(30 * SECOND);
    expect(bank.isTried()).toBe(true);
    bank.answers();
    expect(bank.isSilent()).toBe(false);
  });
});
