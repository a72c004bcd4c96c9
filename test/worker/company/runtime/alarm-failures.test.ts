import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { alarmOf, outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const FULL = "database or disk is full: SQLITE_FULL";
const HOUR_MS = 3_600_000;

afterEach(() => vi.restoreAllMocks());

/** A company that D1 is owed a payment of, whose alarm stands. */
async function givenBacklog() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, { amount: 2_500 });
  const restore = await replaceInObject(company, unavailableProjection());
  await settle(company, transaction);
  return { clock, company, restore };
}

/** Fails every commit of the object; answers what ends that. */
async function fillStorage(company: TestCompany, also: { setAlarm?: true } = {}) {
  const real = await inAccount(company.id, (_, { storage }) => {
    const transactionSync = storage.transactionSync.bind(storage);
    const setAlarm = storage.setAlarm.bind(storage);
    storage.transactionSync = () => {
      throw new Error(FULL);
    };
    if (also.setAlarm) storage.setAlarm = () => Promise.reject(new Error(FULL));
    return { commit: () => transactionSync, alarm: () => setAlarm };
  });
  return () =>
    inAccount(company.id, (_, { storage }) => {
      storage.transactionSync = real.commit();
      storage.setAlarm = real.alarm();
    });
}

/** What is logged as an error, by its event. */
function errorsOf(spy: { mock: { calls: unknown[][] } }): string[] {
  return spy.mock.calls.map(([line]) => (JSON.parse(String(line)) as { event: string }).event);
}

it("an alarm of a full object drains what it can, schedules the next alarm and logs an error", async () => {
  const { clock, company, restore } = await givenBacklog();
  await restore();
  const empty = await fillStorage(company);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);

  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);

  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.paid"]);
  expect(await alarmOf(company)).toBe(clock.now() + 60_000);
  expect(errorsOf(errors)).toContain("alarm_commit_failed");
  await empty();
});

it("an alarm that cannot schedule the next one does not throw, and the cron still runs the work", async () => {
  const { company, restore } = await givenBacklog();
  const empty = await fillStorage(company, { setAlarm: true });
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);

  await inAccount(company.id, (account) => account.alarm());

  expect(errorsOf(errors)).toContain("alarm_set_failed");
  await empty();
  await restore();
  await inAccount(company.id, (account) => account.runNow());
  expect(await outboxLength(company)).toBe(0);
});

it("an alarm whose reads fail does not throw", async () => {
  const { company, restore } = await givenBacklog();
  const exec = await inAccount(company.id, (_, { storage }) => {
    const real = storage.sql.exec.bind(storage.sql);
    storage.sql.exec = () => {
      throw new Error("disk I/O error: SQLITE_IOERR");
    };
    return () => real;
  });
  vi.spyOn(console, "error").mockImplementation(() => undefined);

  await inAccount(company.id, (account) => account.alarm());
  const failed = await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec = exec();
    return storage.getAlarm();
  });

  expect(failed).not.toBeNull();
  await restore();
});

it("a commit schedules a new alarm when the platform dropped the previous one", async () => {
  const { clock, company, restore } = await givenBacklog();
  await inAccount(company.id, (_, { storage }) => storage.deleteAlarm());
  const second = await givenTransaction(company, { amount: 900 });

  await settle(company, second, { paymentId: endToEndId(2) });
  expect(await alarmOf(company)).toBeNull();

  clock.advance(HOUR_MS);
  const third = await givenTransaction(company, { amount: 900 });
  await settle(company, third, { paymentId: endToEndId(3) });
  expect(await alarmOf(company)).toBeGreaterThan(clock.now());
  await restore();
});
