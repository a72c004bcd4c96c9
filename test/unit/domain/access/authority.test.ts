import { describe, expect, it } from "vitest";
import { partsBeyond, type Authority } from "../../../../src/domain/access/authority.ts";
import type { SpendingLimits } from "../../../../src/domain/withdraws/spending-limits.ts";

const NO_SPENDING_LIMITS: SpendingLimits = { dailyLimit: null, pixKeys: null, until: null };

function authority(parts: Partial<Authority> = {}): Authority {
  return {
    scopes: ["keys:write", "withdraws:write"],
    networks: null,
    expiresAt: null,
    spendingLimits: null,
    refundDailyLimit: null,
    ...parts,
  };
}

const other = (given: Partial<Authority>, own: Partial<Authority>) =>
  partsBeyond(authority(given), authority(own), { isOther: true });
const itself = (given: Partial<Authority>, own: Partial<Authority>) =>
  partsBeyond(authority(given), authority(own), { isOther: false });

describe("an authority goes beyond another one's", () => {
  it.each<[string, Partial<Authority>, Partial<Authority>, string[]]>([
    ["scopes by one more", { scopes: ["balance:read"] }, {}, ["scopes"]],
    ["networks by any address", {}, { networks: ["10.0.0.0/8"] }, ["networks"]],
    [
      "networks by a wider one",
      { networks: ["10.0.0.0/7"] },
      { networks: ["10.0.0.0/8"] },
      ["networks"],
    ],
    ["time by no end", {}, { expiresAt: 10 }, ["expiresAt"]],
    ["time by a later end", { expiresAt: 11 }, { expiresAt: 10 }, ["expiresAt"]],
    [
      "all of them at once",
      { scopes: ["pii:read"] },
      { networks: ["10.0.0.0/8"], expiresAt: 10 },
      ["scopes", "networks", "expiresAt"],
    ],
  ])("in %s", (_, given, own, parts) => {
    expect(other(given, own)).toEqual(parts);
    expect(itself(given, own)).toEqual(parts);
  });

  it.each<[string, Partial<SpendingLimits>, Partial<SpendingLimits>]>([
    ["no daily limit", { dailyLimit: null }, { dailyLimit: 100 }],
    ["a higher daily limit", { dailyLimit: 101 }, { dailyLimit: 100 }],
    ["any key", { pixKeys: null }, { pixKeys: ["a@example.com"] }],
    [
      "one more key",
      { pixKeys: ["a@example.com", "b@example.com"] },
      { pixKeys: ["a@example.com"] },
    ],
    ["no end", { until: null }, { until: 10 }],
    ["a later end", { until: 11 }, { until: 10 }],
  ])("in its spending limits by %s", (_, given, own) => {
    const limits = [given, own].map((parts) => ({
      spendingLimits: { ...NO_SPENDING_LIMITS, ...parts },
    }));
    expect(itself(limits[0]!, limits[1]!)).toEqual(["spendingLimits"]);
  });

  it("without its spending limits", () => {
    expect(itself({}, { spendingLimits: { ...NO_SPENDING_LIMITS, dailyLimit: 100 } })).toEqual([
      "spendingLimits",
    ]);
  });

  it("in scopes, if another application withdraws beside one with spending limits", () => {
    const spendingLimits = { ...NO_SPENDING_LIMITS, dailyLimit: 100 };
    expect(other({ spendingLimits }, { spendingLimits })).toEqual(["scopes"]);
    expect(
      other({ spendingLimits: { ...spendingLimits, dailyLimit: 1 } }, { spendingLimits }),
    ).toEqual(["scopes"]);
  });
});

describe("an authority does not go beyond another one's", () => {
  it.each<[string, Partial<Authority>, Partial<Authority>]>([
    ["equal", {}, {}],
    ["with fewer scopes", { scopes: ["keys:write"] }, {}],
    ["with limits that the other lacks", { networks: ["10.0.0.0/8"], expiresAt: 1 }, {}],
    ["with smaller networks", { networks: ["10.1.0.0/16"] }, { networks: ["10.0.0.0/8"] }],
    ["with an earlier end", { expiresAt: 9 }, { expiresAt: 10 }],
    [
      "without withdraws and without the other's spending limits",
      { scopes: ["keys:write"] },
      { spendingLimits: { ...NO_SPENDING_LIMITS, until: 10 } },
    ],
    [
      "with spending limits that the other lacks",
      { spendingLimits: { ...NO_SPENDING_LIMITS, until: 10 } },
      {},
    ],
  ])("%s", (_, given, own) => {
    expect(other(given, own)).toEqual([]);
  });

  it("with smaller spending limits of its own", () => {
    const own = { dailyLimit: 100, pixKeys: ["a@example.com", "b@example.com"], until: 10 };
    const smaller = { dailyLimit: 99, pixKeys: ["b@example.com"], until: 9 };
    expect(itself({ spendingLimits: smaller }, { spendingLimits: own })).toEqual([]);
    expect(itself({ spendingLimits: own }, { spendingLimits: own })).toEqual([]);
  });
});
