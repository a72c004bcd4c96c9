import { expect, it } from "vitest";
import { ALARMS } from "../../../../../src/api/operator/alarms/thresholds.ts";
import type { ServiceFigures } from "../../../../../src/api/operator/status/figures.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AT = Date.parse("2026-11-23T12:00:00Z");

/** A service with one of everything, all of it well. */
const WELL: ServiceFigures = {
  at: AT,
  contradictions: [],
  latePasses: [],
  failing: [],
  oldest: { delivery: null, callback: null, outboxEntry: null, payout: null },
  undecidedPayouts: [],
  receivers: [],
  loosened: [],
  givings: [],
  heartbeats: [beat({ lastSuccessAt: AT - MINUTE })],
  deadLetters: { open: 0, oldestAt: null },
  failingAccounts: [],
  expiring: [],
  databases: [{ name: "DB", latencyMs: 3, bytes: 1_000, measuredAt: AT }],
  providers: [],
};

function beat(fields: Partial<ServiceFigures["heartbeats"][number]>) {
  const none = { lastSuccessAt: null, lastErrorAt: null, lastError: null };
  return { task: "tick_companies", lastStartAt: AT, ...none, ...fields };
}

function account(fields: Partial<ServiceFigures["expiring"][number]>) {
  return {
    companyId: 17,
    account: "first",
    host: "pix.bank.example",
    lastSuccessAt: null,
    failingSince: null,
    lastFaultAt: null,
    certificateExpiresAt: null,
    credentialsExpireAt: null,
    ...fields,
  };
}

const oldest = (fields: Partial<ServiceFigures["oldest"]>) => ({
  oldest: { ...WELL.oldest, ...fields },
});
const databaseOf = (fields: Partial<ServiceFigures["databases"][number]>) => ({
  databases: [{ ...WELL.databases[0]!, ...fields }],
});
const payout = (ageMs: number) => ({
  undecidedPayouts: [{ companyId: 17, withdrawId: 7, amount: 1_000, since: AT - ageMs }],
});
const violated = (acknowledged: ServiceFigures["failing"][number]["acknowledged"]) => ({
  failing: [{ companyId: 17, name: "Loja", checkedAt: AT, violations: ["I1 sum"], acknowledged }],
});
const contradiction = (kind: ServiceFigures["contradictions"][number]["kind"]) => ({
  contradictions: [{ kind, since: AT, amount: 100, held: 0 }],
});

/** The alarm, figures that do not raise it, figures that do, and what it says then. */
const CASES: [string, Partial<ServiceFigures>, Partial<ServiceFigures>, RegExp][] = [
  [
    "ledger_violated",
    violated({
      companyId: 17,
      violations: '["I1 sum"]',
      at: AT,
      actorName: "Ana",
      reason: "Known",
    }),
    violated(null),
    /^Company 17: I1 sum$/,
  ],
  [
    "psp_failing",
    { failingAccounts: [account({ failingSince: AT - 5 * MINUTE + 1 })] },
    { failingAccounts: [account({ failingSince: AT - 5 * MINUTE })] },
    /^pix\.bank\.example has failed for company 17 \(account first\) for 5 min\.$/,
  ],
  [
    "payout_undecided",
    payout(30 * MINUTE),
    payout(31 * MINUTE),
    /Withdraw 7 of company 17.*31 min/,
  ],
  [
    "outbox_late",
    oldest({ outboxEntry: AT - 10 * MINUTE }),
    oldest({ outboxEntry: AT - 11 * MINUTE }),
    /A change for D1 has waited for 11 min/,
  ],
  [
    "database_silent",
    databaseOf({ latencyMs: 5_000 }),
    databaseOf({ latencyMs: null }),
    /^DB does not answer\.$/,
  ],
  [
    "access_ended",
    { expiring: [account({ certificateExpiresAt: AT + 7 * DAY + 1 })] },
    { expiring: [account({ certificateExpiresAt: AT + 90 * DAY, credentialsExpireAt: AT })] },
    /company 17 to pix\.bank\.example ends at 2026-11-23T12:00:00\.000Z/,
  ],
  [
    "cron_task_silent",
    { heartbeats: [beat({ lastSuccessAt: AT - 10 * MINUTE })] },
    { heartbeats: [beat({ lastErrorAt: AT - 11 * MINUTE, lastError: "no such table" })] },
    /^tick_companies has not succeeded ever\. Last error: no such table$/,
  ],
  [
    "psp_behind",
    {},
    {
      latePasses: [
        {
          companyId: 17,
          account: "first",
          list: "payments",
          pass: "newest",
        } as ServiceFigures["latePasses"][number],
      ],
    },
    /The pass newest over payments of company 17/,
  ],
  [
    "callback_late",
    oldest({ callback: AT - 15 * MINUTE }),
    oldest({ callback: AT - 16 * MINUTE }),
    /A PSP's callback has waited for 16 min/,
  ],
  [
    "delivery_late",
    oldest({ delivery: AT - 15 * MINUTE }),
    oldest({ delivery: AT - 16 * MINUTE }),
    /A due webhook delivery has waited for 16 min/,
  ],
  [
    "receiver_failing",
    {},
    {
      receivers: [
        { companyId: 17, host: "shop.example", since: AT - DAY, failure: "500", openedAt: null },
      ],
    },
    /shop\.example of company 17 has refused webhooks for 1440 min: 500\./,
  ],
  [
    "dead_letters",
    {},
    { deadLetters: { open: 1, oldestAt: AT } },
    /Messages wait in the dead-letter table/,
  ],
  [
    "contradiction_open",
    contradiction("payment_set_aside"),
    contradiction("payout_status"),
    /A provider and the ledger do not agree/,
  ],
  [
    "settings_loosened",
    { loosened: [] },
    {
      loosened: [
        {
          companyId: 3,
          applicationId: null,
          field: "withdrawApprovalAbove",
          effectiveAt: AT + DAY,
        },
      ],
    },
    /^Company 3 loosens withdrawApprovalAbove from 2026-11-24T12:00:00\.000Z\.$/,
  ],
  [
    "operators_changed",
    { givings: [] },
    { givings: [{ to: "op_2", by: "op_1", what: "added", at: AT }] },
    /^Operator op_1 added operator op_2 at 2026-11-23T12:00:00\.000Z\.$/,
  ],
  [
    "access_ending",
    { expiring: [account({ certificateExpiresAt: AT + 7 * DAY })] },
    { expiring: [account({ certificateExpiresAt: AT + 30 * DAY })] },
    /ends at 2026-12-23/,
  ],
  [
    "database_filling",
    databaseOf({ bytes: 6_999_999_999 }),
    databaseOf({ bytes: 7_000_000_000 }),
    /DB is 70 % full/,
  ],
  [
    "database_slow",
    databaseOf({ latencyMs: 2_000 }),
    databaseOf({ latencyMs: 2_001 }),
    /DB answered after 2001 ms/,
  ],
];

it("every alarm has its case here, and none is raised while all is well", () => {
  expect(CASES.map(([id]) => id)).toEqual(ALARMS.map(({ id }) => id));
  expect(ALARMS.flatMap(({ findings }) => findings(WELL))).toEqual([]);
});

it.each(CASES)("%s is raised beyond its threshold, and not before", (id, before, beyond, text) => {
  const { findings } = ALARMS.find((alarm) => alarm.id === id)!;
  expect(findings({ ...WELL, ...before })).toEqual([]);
  expect(findings({ ...WELL, ...beyond })).toEqual([expect.stringMatching(text)]);
});

it("a failing PSP's alarm names the call that failed last, its reason and its trace", () => {
  const host = "pix.bank.example";
  const { findings } = ALARMS.find(({ id }) => id === "psp_failing")!;
  const fault = { lastFaultAt: AT, lastFaultCompany: 17, lastFaultMs: 10_000 };
  const why = { lastFaultCall: "PUT cob", lastFault: "timeout", lastFaultTrace: "4bf9" };
  const provider = { host, calls: 9, faults: 9, lastSuccessAt: null, lagMs: 0, ...fault, ...why };
  const failingAccounts = [account({ failingSince: AT - 10 * MINUTE })];
  expect(findings({ ...WELL, failingAccounts, providers: [provider] })).toEqual([
    expect.stringContaining("Last fault: PUT cob, timeout, trace 4bf9."),
  ]);
  const untraced = { ...provider, lastFaultTrace: null };
  expect(findings({ ...WELL, failingAccounts, providers: [untraced] })).toEqual([
    expect.stringMatching(/Last fault: PUT cob, timeout\.$/),
  ]);
});

it("a limit of an application that was loosened names the application", () => {
  const one = { companyId: 3, applicationId: "app_erp", field: "mandate", effectiveAt: AT + DAY };
  const { findings } = ALARMS.find(({ id }) => id === "settings_loosened")!;
  expect(findings({ ...WELL, loosened: [one] })).toEqual([
    "Company 3 loosens mandate of application app_erp from 2026-11-24T12:00:00.000Z.",
  ]);
});
