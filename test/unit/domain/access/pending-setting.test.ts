import { expect, it } from "vitest";
import {
  APPLICATION_GUARDS,
  applicationAt,
  type ApplicationLimits,
} from "../../../../src/domain/access/application-guards.ts";
import {
  COMPANY_GUARDS,
  companyAt,
  type Policies,
} from "../../../../src/domain/access/company-guards.ts";
import { planChange, type PendingSetting } from "../../../../src/domain/access/pending-setting.ts";
import { NO_REFUND_POLICY } from "../../../../src/domain/exits/refund-policy.ts";
import { NO_POLICY } from "../../../../src/domain/withdraws/withdraw-policy.ts";

const NOW = 1_000_000;
const DELAY = 86_400_000;
const BY = { by: "app_1", nowMs: NOW, delayMs: DELAY };
const TIGHT: Policies = {
  withdrawPolicy: {
    duplicateGuard: true,
    dailyLimit: 100,
    nightLimit: 100,
    keyDailyLimit: 100,
    approvalAbove: 100,
    allowedPixKeys: { enforced: true, coolDownHours: 168 },
  },
  refundPolicy: {
    dailyLimit: 100,
    approvalAbove: 100,
    roleLimits: { support: { refundDailyLimit: 100 } },
  },
};
const LOOSE: Record<string, unknown> = {
  duplicateWithdrawGuard: false,
  withdrawDailyLimit: null,
  withdrawNightLimit: 101,
  withdrawKeyDailyLimit: null,
  withdrawApprovalAbove: 101,
  "allowedPixKeys.enforced": false,
  "allowedPixKeys.coolDownHours": 0,
  refundDailyLimit: null,
  refundApprovalAbove: null,
  "roleLimits.support.refundDailyLimit": null,
};

const plan = (
  change: Record<string, unknown>,
  { settings = TIGHT, pending = [] as readonly PendingSetting[] } = {},
) => planChange(COMPANY_GUARDS, { settings, pending }, change, BY);

it.each(Object.entries(LOOSE))("%s waits when it is loosened", (field, to) => {
  const { settings, pending, loosened } = plan({ [field]: to });
  expect(settings).toEqual(TIGHT);
  expect(pending).toEqual(loosened);
  expect(loosened).toMatchObject([{ field, to, effectiveAt: NOW + DELAY, by: "app_1" }]);
  const company = { ...TIGHT, pendingSettings: [...pending] };
  expect(companyAt(company, NOW + DELAY - 1)).toBe(company);
  const later = companyAt(company, NOW + DELAY);
  expect(later.pendingSettings).toEqual([]);
  expect(COMPANY_GUARDS[field]?.of(later)).toEqual(to);
});

it.each(Object.entries(LOOSE))("%s holds at once when it is tightened", (field) => {
  const open = { withdrawPolicy: NO_POLICY, refundPolicy: { ...NO_REFUND_POLICY, roleLimits: {} } };
  const to = COMPANY_GUARDS[field]?.of(TIGHT);
  const { settings, pending } = plan({ [field]: to }, { settings: open });
  expect(pending).toEqual([]);
  expect(COMPANY_GUARDS[field]?.of(settings)).toEqual(to);
});

it("the tight part of a request holds at once, the loose part waits", () => {
  const { settings, pending } = plan({ withdrawDailyLimit: 50, withdrawNightLimit: null });
  expect(settings.withdrawPolicy).toMatchObject({ dailyLimit: 50, nightLimit: 100 });
  expect(pending.map(({ field }) => field)).toEqual(["withdrawNightLimit"]);
});

it("a tightening forgets what waited, another loosening begins anew, the same one goes on", () => {
  const waiting = {
    field: "withdrawDailyLimit",
    from: 100,
    to: 500,
    effectiveAt: NOW + 5,
    by: "b",
  };
  const kept = { field: "refundDailyLimit", from: 100, to: null, effectiveAt: NOW + 5, by: "b" };
  const pending = [waiting, kept];
  expect(plan({ withdrawDailyLimit: 90 }, { pending }).pending).toEqual([kept]);
  expect(plan({ withdrawDailyLimit: 100 }, { pending }).pending).toEqual([kept]);
  expect(plan({ withdrawDailyLimit: 600 }, { pending }).pending).toMatchObject([
    kept,
    { to: 600, effectiveAt: NOW + DELAY },
  ]);
  expect(plan({ withdrawDailyLimit: 500 }, { pending }).pending).toEqual([kept, waiting]);
});

it("what is due holds before a change is judged", () => {
  const due = { field: "withdrawDailyLimit", from: 100, to: 500, effectiveAt: NOW, by: "b" };
  const { settings, pending } = plan({ withdrawDailyLimit: 400 }, { pending: [due] });
  expect(settings.withdrawPolicy.dailyLimit).toBe(400);
  expect(pending).toEqual([]);
});

const LIMITED: ApplicationLimits = {
  networks: ["10.0.0.0/8", "192.0.2.1/32"],
  spendingLimits: { dailyLimit: 100, pixKeys: ["a", "b"], until: 500 },
  refundDailyLimit: 100,
};

const planLimits = (change: Partial<ApplicationLimits>) =>
  planChange(APPLICATION_GUARDS, { settings: LIMITED, pending: [] }, change, BY);

it.each<[string, Partial<ApplicationLimits>, Partial<ApplicationLimits>, string[]]>([
  ["any address", { networks: null }, {}, ["networks"]],
  ["a network inside", { networks: ["10.1.0.0/16"] }, { networks: ["10.1.0.0/16"] }, []],
  [
    "one network less and another more",
    { networks: ["192.0.2.1/32", "198.51.100.0/24"] },
    { networks: ["192.0.2.1/32"] },
    ["networks"],
  ],
  ["quite another network", { networks: ["198.51.100.0/24"] }, {}, ["networks"]],
  ["a wider network", { networks: ["10.0.0.0/7"] }, { networks: ["10.0.0.0/8"] }, ["networks"]],
  ["no spending limits", { spendingLimits: null }, {}, ["spendingLimits"]],
  [
    "spending limits of less",
    { spendingLimits: { dailyLimit: 50, pixKeys: ["a"], until: 400 } },
    { spendingLimits: { dailyLimit: 50, pixKeys: ["a"], until: 400 } },
    [],
  ],
  [
    "spending limits of less a day to another key",
    { spendingLimits: { dailyLimit: 50, pixKeys: ["a", "c"], until: null } },
    { spendingLimits: { dailyLimit: 50, pixKeys: ["a"], until: 500 } },
    ["spendingLimits"],
  ],
  ["no limit of refunds", { refundDailyLimit: null }, {}, ["refundDailyLimit"]],
])("an application with %s", (_what, change, atOnce, waiting) => {
  const { settings, pending } = planLimits(change);
  expect(settings).toEqual({ ...LIMITED, ...atOnce });
  expect(pending.map(({ field }) => field)).toEqual(waiting);
  const later = applicationAt({ ...settings, pendingSettings: [...pending] }, NOW + DELAY);
  expect(later).toEqual({ ...LIMITED, ...change, pendingSettings: later.pendingSettings });
});

it("spending limits with their members in another order are the same: nothing waits", () => {
  const spendingLimits = { until: 500, pixKeys: ["a", "b"], dailyLimit: 100 };
  expect(planLimits({ spendingLimits }).loosened).toEqual([]);
});
