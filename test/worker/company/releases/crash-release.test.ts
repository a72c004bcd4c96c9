import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { syncCharge } from "../../../../src/api/transactions/sync.ts";
import { findTransaction } from "../../../../src/api/transactions/repository.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  configureObject,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { bookingOf } from "../../../support/builders/operations/operations.ts";
import { CRASH, injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import {
  accountsOf,
  alarmOf,
  dumpObject,
  movementsOf,
  nextAlarmOf,
  outboxLength,
} from "../../../support/probes/ledger/ledger.ts";
import {
  DAY_MS,
  dispute,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import {
  failNextCommit,
  unavailableProjection,
  replaceInObject,
  killObject,
} from "../../../support/faults/object.ts";
import { releasesOf } from "../../../support/probes/charges/operation-rows.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

/** After a release that failed none is tried for so long. */
const RELEASE_RETRY_MS = 60_000;
const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;

async function givenAwaiting() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const payment = { paidAt: clock.now() };
  const transaction = await givenSettled(company, 2_500, { terms: BOLETO, payment });
  return { clock, company, transaction, object: callsTo(company.id) };
}

it("a release whose commit fails changes nothing, freezes nothing and succeeds a minute later", async () => {
  const { clock, company, transaction, object } = await givenAwaiting();
  clock.advance(DAY_MS);
  const moneyBefore = [await accountsOf(company), await movementsOf(company)];
  await failNextCommit(company);

  expect((await object.balances()).balances).toMatchObject({
    available: 0,
    awaiting: 2_500,
    frozen: false,
  });

  expect([await accountsOf(company), await movementsOf(company)]).toEqual(moneyBefore);
  expect(await releasesOf(company, transaction)).toHaveLength(1);
  clock.advance(RELEASE_RETRY_MS - 1);
  await waitUntilDrained(company);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
  clock.advance(1);
  await waitUntilDrained(company);
  await waitUntilDrained(company);

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, awaiting: 0 });
  expect((await movementsOf(company)).map(({ type }) => type)).toEqual([
    "charge_paid",
    "credit_released",
  ]);
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual([
    "transaction.paid",
    "balance.released",
  ]);
});

it("an alarm whose release fails does not throw and schedules the next one", async () => {
  const { clock, company } = await givenAwaiting();
  clock.advance(DAY_MS);
  await failNextCommit(company);

  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
  expect(await nextAlarmOf(company)).toBe(clock.now() + RELEASE_RETRY_MS);
  clock.advance(RELEASE_RETRY_MS);
  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, awaiting: 0 });
  expect(await nextAlarmOf(company)).toBeNull();
});

it("a release while D1 is down is announced once and without a gap when D1 is back", async () => {
  const { clock, company, object } = await givenAwaiting();
  const down = unavailableProjection();
  const restore = await replaceInObject(company, down);
  clock.advance(DAY_MS);

  await runDurableObjectAlarm(companyStub(env, company.id));
  await object.runNow();
  expect(down.calls()).toBeGreaterThan(1);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, awaiting: 0 });
  expect(await outboxLength(company)).toBe(1);
  expect(await eventsOf(company)).toHaveLength(1);
  expect((await withdraw(company, { amount: 2_500 })).kind).toBe("accepted");
  await restore();
  await waitUntilDrained(company);
  await waitUntilDrained(company);

  const events = await eventsOf(company);
  expect(events.map(({ type, companySequence }) => [type, companySequence])).toEqual([
    ["transaction.paid", 1],
    ["balance.released", 2],
  ]);
  expect(events[1]).toMatchObject({
    objectId: "balance:BRL",
    sequence: 1,
    body: { data: { releasedCents: 2_500, accBalance: 25, accBalanceCreditAwaiting: 0 } },
  });
});

it("an object that crashes after a release and before its drain announces it once after the restart", async () => {
  const { clock, company } = await givenAwaiting();
  await replaceInObject(company, unavailableProjection());
  clock.advance(DAY_MS);
  await runDurableObjectAlarm(companyStub(env, company.id));

  await killObject(company);
  await configureObject(company.id, { clock });
  expect(await outboxLength(company)).toBe(1);
  await waitUntilDrained(company);
  await waitUntilDrained(company);

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual([
    "transaction.paid",
    "balance.released",
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, awaiting: 0 });
});

it("an object that crashes before a release is due releases it after the restart", async () => {
  const { clock, company } = await givenAwaiting();
  const alarm = await nextAlarmOf(company);
  expect(alarm).toBe(clock.now() + DAY_MS);

  await killObject(company);
  await configureObject(company.id, { clock });
  expect(await alarmOf(company)).toBe(alarm);
  clock.advance(DAY_MS);
  await runDurableObjectAlarm(companyStub(env, company.id));

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, awaiting: 0 });
});

it.each([
  ["never told", "before", ["transaction.paid", "dispute.opened", "transaction.disputed"]],
  [
    "recorded, its reply lost",
    "after",
    ["transaction.paid", "dispute.opened", "transaction.disputed"],
  ],
] as const)("a dispute that was %s is recorded once by its repeat", async (_how, when, types) => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 2_500);
  const bank = new FakeBank();
  const asked = { id: "d1", kind: "DISPUTE", amount: 2_500, status: "OPEN" } as const;
  bank.setDisputes([], asked);
  const row = await findTransaction(env, company.id, transaction.id);
  const lost = injectFault({ on: /^recordDispute$/, when });
  const booking = await bookingOf(company, bank, clock);
  const cut = { ...booking, env: withAccounts(env, lost.intercept) };
  await expect(syncCharge(cut, bank, row!)).rejects.toThrow(CRASH);

  await syncCharge(booking, bank, row!);
  expect(await dispute(company, transaction, asked)).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(types);
});

it.each(["WON", "LOST"] as const)(
  "a dispute that is %s and whose response was lost is resolved once, by its repeat or by an outdated list",
  async (status) => {
    const company = await givenCompany();
    const transaction = await givenSettled(company, 2_500);
    await dispute(company, transaction);
    await dispute(company, transaction, { status });
    const before = await dumpObject(company);

    expect(await dispute(company, transaction, { status })).toEqual({ kind: "already" });
    expect(await dispute(company, transaction)).toEqual({ kind: "already" });

    expect(await dumpObject(company)).toBe(before);
  },
);
