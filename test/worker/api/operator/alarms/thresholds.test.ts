import { expect, it } from "vitest";
import { ALARMS } from "../../../../../src/api/operator/alarms/thresholds.ts";
import type { ServiceSample } from "../../../../../src/domain/figures/service-sample.ts";
import type { ServiceFigures } from "../../../../../src/api/operator/status/figures.ts";
import { watchedAccount } from "../../../../support/builders/providers/watched-account.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AT = Date.parse("2026-11-23T12:00:00Z");

/** A service with one of everything, all of it well. */
const WELL: ServiceFigures = {
  at: AT,
  weekAgo: null,
  pauses: { service: null, companies: {} },
  archivedRows: {
    transactions: { archived: 0, lateSince: null },
    events: { archived: 0, lateSince: null },
  },
  archive: { state: "ok", companies: 0, longest: [] },
  lacking: [],
  missingBindings: [],
  contradictions: [],
  latePasses: [],
  failing: [],
  oldest: { delivery: null, callback: null, outboxEntry: null, payout: null },
  undecidedPayouts: [],
  receivers: [],
  failingReceivers: { failing: 0, all: 0 },
  loosened: [],
  frozen: [],
  copies: { comparedRows: 0, mendedCopies: 0, mended: [] },
  givings: [],
  heartbeats: [beat({ lastSuccessAt: AT - MINUTE })],
  deadLetters: { open: 0, oldestAt: null },
  emails: emailsOf(0, null),
  failingAccounts: [],
  expiring: [],
  busy: [],
  nearQuota: [],
  databases: [{ name: "DB", latencyMs: 3, bytes: 1_000, measuredAt: AT }],
  providers: [],
};

function emailsOf(failed: number, newestAt: number | null): ServiceFigures["emails"] {
  return {
    failed,
    kinds: [
      { kind: "approval", failed: 0 },
      { kind: "reminder", failed },
    ],
    newestAt,
  };
}

function archiveOf(state: ServiceFigures["archive"]["state"], ages: number[]) {
  const longest = ages.map((age, index) => ({ companyId: 17 + index, since: AT - age }));
  return { archive: { state, companies: longest.length, longest } as ServiceFigures["archive"] };
}

function lateRows(ms: number): Partial<ServiceFigures> {
  const transactions = { archived: 0, lateSince: null };
  return { archivedRows: { transactions, events: { archived: 0, lateSince: AT - ms } } };
}

function pausedFor(ms: number) {
  const by = { kind: "operator" as const, id: "operator_ana", name: "Ana" };
  return { since: AT - ms, reason: "D1 goes back.", by };
}

function beat(fields: Partial<ServiceFigures["heartbeats"][number]>) {
  const none = { lastSuccessAt: null, lastErrorAt: null, lastError: null };
  return { task: "run_companies", lastStartAt: AT, ...none, ...fields };
}

const LIMITED = { "GET cob": { limit: 15_000 }, "PUT cob": { limit: 15_000 } };

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
    "service_paused",
    { pauses: { service: pausedFor(30 * MINUTE), companies: { 12: pausedFor(0) } } },
    { pauses: { service: pausedFor(31 * MINUTE), companies: { 12: pausedFor(0) } } },
    /^The service is paused for 31 min by Ana: D1 goes back\.$/,
  ],
  [
    "binding_missing",
    {},
    { missingBindings: ["PAYOUTS"] },
    /^The Worker has no binding PAYOUTS\.$/,
  ],
  [
    "psp_unreadable",
    {},
    { lacking: [{ what: "key", name: "1a2b3c4d", companyId: 17, companies: 3 }] },
    /^The secrets of 3 connections to PSPs \(company 17 among them\) are sealed under the key 1a2b3c4d/,
  ],
  [
    "psp_failing",
    { failingAccounts: [watchedAccount({ failingSince: AT - 5 * MINUTE + 1 })] },
    { failingAccounts: [watchedAccount({ failingSince: AT - 5 * MINUTE })] },
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
    { expiring: [watchedAccount({ certificateExpiresAt: AT + 7 * DAY + 1 })] },
    {
      expiring: [watchedAccount({ certificateExpiresAt: AT + 90 * DAY, credentialsExpireAt: AT })],
    },
    /company 17 to pix\.bank\.example ends at 2026-11-23T12:00:00\.000Z/,
  ],
  [
    "cron_task_silent",
    { heartbeats: [beat({ lastSuccessAt: AT - 10 * MINUTE })] },
    { heartbeats: [beat({ lastErrorAt: AT - 11 * MINUTE, lastError: "no such table" })] },
    /^run_companies has not succeeded ever\. Last error: no such table$/,
  ],
  [
    "archive_behind",
    archiveOf("behind", [10 * MINUTE]),
    archiveOf("behind", [11 * MINUTE, 2 * MINUTE]),
    /^The archive lacks changes of company 17 for 11 min\.$/,
  ],
  [
    "old_rows_late",
    lateRows(7 * DAY),
    lateRows(8 * DAY),
    /^Old events should have left D1 for the archive for 8 days\.$/,
  ],
  ["archive_missing", archiveOf("ok", []), archiveOf("missing", []), /^No archive is bound/],
  [
    "psp_quota",
    { nearQuota: [watchedAccount({ dayCalls: { "GET cob": 11_999 }, dayQuotas: LIMITED })] },
    {
      nearQuota: [
        watchedAccount({ dayCalls: { "GET cob": 12_000, "PUT cob": 9 }, dayQuotas: LIMITED }),
      ],
    },
    /^pix\.bank\.example, GET cob, company 17 \(account first\): 12000 of 15000 calls today\.$/,
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
    "receivers_failing",
    { failingReceivers: { failing: 19, all: 100 } },
    { failingReceivers: { failing: 30, all: 100 } },
    /^Of 100 receivers of webhooks 30 fail\.$/,
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
    "copy_mended",
    { copies: { comparedRows: 9, mendedCopies: 1, mended: [] } },
    {
      copies: {
        comparedRows: 9,
        mendedCopies: 5,
        mended: [{ companyId: 17, at: AT, copies: ["one", "two", "three", "four", "five"] }],
      },
    },
    /^Company 17, rewritten at 2026-11-23T12:00:00\.000Z: one; two; three; and 2 more$/,
  ],
  [
    "dead_letters",
    {},
    { deadLetters: { open: 1, oldestAt: AT } },
    /^Queues gave up messages, the oldest at 2026-11-23T12:00:00\.000Z\. Waiting in the dead-letter table: 1\.$/,
  ],
  [
    "emails_failed",
    { emails: emailsOf(0, null) },
    { emails: emailsOf(3, AT) },
    /^E-mails were given up: reminder 3, the newest at 2026-11-23T12:00:00\.000Z\.$/,
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
    { expiring: [watchedAccount({ certificateExpiresAt: AT + 7 * DAY })] },
    { expiring: [watchedAccount({ certificateExpiresAt: AT + 30 * DAY })] },
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
  expect(ALARMS.flatMap(({ findings }) => findings(WELL) ?? [])).toEqual([]);
});

it.each(CASES)("%s is raised beyond its threshold, and not before", (id, before, beyond, text) => {
  const { findings } = ALARMS.find((alarm) => alarm.id === id)!;
  expect(findings({ ...WELL, ...before })).toEqual([]);
  const found = findings({ ...WELL, ...beyond });
  expect(found).toEqual([{ about: expect.stringMatching(/./), text: expect.stringMatching(text) }]);
});

it("whether something is paused stays as it was while that is not known", () => {
  const { findings } = ALARMS.find(({ id }) => id === "service_paused")!;
  expect(findings({ ...WELL, pauses: null })).toBeNull();
});

it("a company that stays paused is named", () => {
  const { findings } = ALARMS.find(({ id }) => id === "service_paused")!;
  const pauses = { service: null, companies: { 12: pausedFor(45 * MINUTE) } };
  expect(findings({ ...WELL, pauses })).toEqual([
    { about: "company:12", text: "Company 12 is paused for 45 min by Ana: D1 goes back." },
  ]);
});

it("a task that is not even started points to the cron and its queue", () => {
  const { findings } = ALARMS.find(({ id }) => id === "cron_task_silent")!;
  const then = AT - 11 * MINUTE;
  const heartbeats = [beat({ lastStartAt: then, lastSuccessAt: then })];
  expect(findings({ ...WELL, heartbeats })).toMatchObject([
    {
      text: "run_companies has not succeeded for 11 min, nor was it started: the cron or the queue `tasks` stands.",
    },
  ]);
});

it("a few receivers that fail are no sign of the service", () => {
  const { findings } = ALARMS.find(({ id }) => id === "receivers_failing")!;
  expect(findings({ ...WELL, failingReceivers: { failing: 9, all: 9 } })).toEqual([]);
  expect(findings({ ...WELL, failingReceivers: { failing: 10, all: 10 } })).toHaveLength(1);
});

it("a failing PSP's alarm names the call that failed last, its reason and its trace", () => {
  const host = "pix.bank.example";
  const { findings } = ALARMS.find(({ id }) => id === "psp_failing")!;
  const fault = { lastFaultAt: AT, lastFaultCompany: 17, lastFaultMs: 10_000 };
  const why = { lastFaultCall: "PUT cob", lastFault: "timeout", lastFaultTrace: "4bf9" };
  const counts = { calls: 9, faults: 9, durationMs: 0, durations: {} };
  const provider = { host, ...counts, lastSuccessAt: null, lagMs: 0, ...fault, ...why };
  const failingAccounts = [watchedAccount({ failingSince: AT - 10 * MINUTE })];
  expect(findings({ ...WELL, failingAccounts, providers: [provider] })).toEqual([
    {
      about: "company:17 first",
      text: expect.stringContaining("Last fault: PUT cob, timeout, trace 4bf9."),
    },
  ]);
  const untraced = { ...provider, lastFaultTrace: null };
  expect(findings({ ...WELL, failingAccounts, providers: [untraced] })).toEqual([
    {
      about: "company:17 first",
      text: expect.stringMatching(/Last fault: PUT cob, timeout\.$/),
    },
  ]);
});

it("a limit of an application that was loosened names the application", () => {
  const one = {
    companyId: 3,
    applicationId: "app_erp",
    field: "spendingLimits",
    effectiveAt: AT + DAY,
  };
  const { findings } = ALARMS.find(({ id }) => id === "settings_loosened")!;
  expect(findings({ ...WELL, loosened: [one] })).toEqual([
    {
      about: "company:3 app_erp spendingLimits",
      text: "Company 3 loosens spendingLimits of application app_erp from 2026-11-24T12:00:00.000Z.",
    },
  ]);
});

it("database_filling is raised a month before a database takes no new charges, by its growth", () => {
  const { findings } = ALARMS.find(({ id }) => id === "database_filling")!;
  const grown = (before: number, days = 7) => {
    const sample = { at: AT - days * DAY, databases: { DB: before } } as unknown as ServiceSample;
    return findings({ ...WELL, ...databaseOf({ bytes: 3_000_000_000 }), weekAgo: sample });
  };
  // 6 GB are left: at 1.4 GB a week for 30 days.
  expect(grown(1_600_000_000)).toEqual([
    {
      about: "database:DB",
      text: "DB is 30 % full. At last week's growth it takes no new charges in 30 days.",
    },
  ]);
  expect(grown(1_700_000_000)).toEqual([]);
  expect(grown(3_000_000_000)).toEqual([]);
  expect(grown(4_000_000_000)).toEqual([]);
  // A database of some hours says nothing of a month.
  expect(grown(0, 0.5)).toEqual([]);
});
