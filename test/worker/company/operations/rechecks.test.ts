import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import {
  type RecheckKind,
  type RecheckOutcome,
  RecheckStore,
} from "../../../../src/company/runtime/recheck-store.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
  clearBacklog,
} from "../../../support/builders/companies/company.ts";
import { nextAlarmOf } from "../../../support/probes/ledger/ledger.ts";
import { evict, replaceInObject } from "../../../support/faults/object.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More than all that is asked of one in 90 days, or in a month of days. */
const POLLS_MAX = 60;

async function givenRecheck(kind: RecheckKind, subject = "1") {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 1_000, clock });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await inAccount(company.id, (_, { storage }) =>
    new RecheckStore(storage.sql).add(kind, subject, clock.now()),
  );
  await waitUntilDrained(company);
  return { clock, company, wakeUps: notifier };
}

const claimOf = (company: TestCompany, id = 1) =>
  callsTo(company.id).claimRecheck({ companyId: company.id, id });
const answered = (company: TestCompany, outcome: RecheckOutcome) =>
  callsTo(company.id).recordRecheck({ companyId: company.id, id: 1, outcome });

async function advanceToAlarm({ clock, company }: Awaited<ReturnType<typeof givenRecheck>>) {
  const before = clock.now();
  const due = await nextAlarmOf(company);
  if (due === null) return null;
  clock.advance(due - before);
  await waitUntilDrained(company);
  return due - before;
}

/** The waits between asks until there is nothing more to ask, or so many. */
async function waitsOf(kind: RecheckKind, asks = POLLS_MAX) {
  const given = await givenRecheck(kind);
  const waits: number[] = [];
  while (waits.length < asks) {
    const wait = await advanceToAlarm(given);
    if (wait === null) break;
    expect((await claimOf(given.company)).kind).toBe("query");
    await answered(given.company, "open");
    waits.push(wait);
  }
  await clearBacklog(given.company.id);
  return waits.map((wait) => wait / HOUR_MS);
}

it("a paid payout is polled after an hour, then at doubling waits up to a week, for 90 days", async () => {
  const waits = await waitsOf("payout");

  expect(waits.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 168]);
  expect(Math.max(...waits)).toBe(168);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(90 * 24);
  expect(waits).toHaveLength(20);
});

it("an open dispute is polled after an hour, then at doubling waits up to a day, without an end", async () => {
  const waits = await waitsOf("dispute", 40);

  expect(waits.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 24]);
  expect(waits.slice(5)).toEqual(waits.slice(5).map(() => 24));
  expect(waits).toHaveLength(40);
});

it("a recheck whose message was lost is enqueued again five minutes later", async () => {
  const given = await givenRecheck("payout");
  given.clock.advance(HOUR_MS);
  await waitUntilDrained(given.company);
  await waitUntilDrained(given.company);
  expect(given.wakeUps.recheckIds).toEqual([1]);

  given.clock.advance(5 * 60_000);
  expect(await runDurableObjectAlarm(companyStub(env, given.company.id))).toBe(true);

  expect(given.wakeUps.recheckIds).toEqual([1, 1]);
  await clearBacklog(given.company.id);
});

it("a repeated message polls once after the result", async () => {
  const { clock, company } = await givenRecheck("dispute", "d1");
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
  expect(await claimOf(company)).toEqual({
    kind: "query",
    recheck: { id: 1, kind: "dispute", subject: "d1" },
  });

  expect(await answered(company, "open")).toBe("continues");

  expect(await claimOf(company)).toEqual({ kind: "wait" });
  expect(await answered(company, "done")).toBe("ended");
  expect(await claimOf(company)).toEqual({ kind: "gone" });
  expect(await answered(company, "open")).toBe("ended");
});

it("an unresponsive provider is polled each hour and abandoned with an error a month after the end", async () => {
  const given = await givenRecheck("payout");
  const startedAt = given.clock.now();
  const answers = new Set<string>();
  for (const day of [1, 30, 89, 90, 119]) {
    given.clock.advance(startedAt + day * DAY_MS - given.clock.now());
    await waitUntilDrained(given.company);
    answers.add(await answered(given.company, "unknown"));
    expect(await advanceToAlarm(given)).toBe(HOUR_MS);
  }
  expect(answers).toEqual(new Set(["continues"]));

  given.clock.advance(startedAt + 120 * DAY_MS - given.clock.now());

  expect(await answered(given.company, "unknown")).toBe("given_up");
  expect(await claimOf(given.company)).toEqual({ kind: "gone" });
});

it("a frozen company's rechecks go on, also after an eviction", async () => {
  const { clock, company } = await givenRecheck("payout");
  await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
  await evict(company, { clock });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });

  clock.advance(HOUR_MS);
  await waitUntilDrained(company);

  expect(notifier.recheckIds).toEqual([1]);
  await clearBacklog(company.id);
});

it("a scheduled recheck is not added again, and a removed one is not polled", async () => {
  const { clock, company, wakeUps } = await givenRecheck("payout");
  await inAccount(company.id, (_, { storage }) => {
    const store = new RecheckStore(storage.sql);
    store.add("payout", "1", clock.now() + DAY_MS);
    store.add("dispute", "1", clock.now());
    store.remove("dispute", "1");
    store.remove("dispute", "another");
  });

  clock.advance(HOUR_MS);
  await waitUntilDrained(company);

  expect(wakeUps.recheckIds).toEqual([1]);
  await clearBacklog(company.id);
});
