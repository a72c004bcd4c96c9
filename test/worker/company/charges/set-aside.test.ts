import { afterEach, expect, it, vi } from "vitest";
import { contradictionId } from "../../../../src/domain/reconciliation/contradiction.ts";
import { OutboxStore } from "../../../../src/company/outbox/outbox-store.ts";
import { recordsOf } from "../../../../src/db/projection/records.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { drained, end, endToEndId, settle } from "../../../support/builders/commands.ts";
import {
  env,
  givenCompany,
  inAccount,
  takeMadeCompanies,
  type TestCompany,
} from "../../../support/builders/company.ts";
import { check, deleteCopy, reconcile } from "../../../support/probes/copies.ts";
import { decide, propose } from "../../../support/builders/decisions.ts";
import { alarmOf, outboxLength } from "../../../support/builders/ledger.ts";
import { downRecords, evict, replaceInObject } from "../../../support/probes/object.ts";
import { answerOperation, askRefund } from "../../../support/builders/object-operations.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

const HOUR_MS = 3_600_000;
/** Refusals after which a person is told. */
const TOLD_AFTER = 8;

afterEach(() => vi.restoreAllMocks());

/** A company that was paid twice; D1 has lost the first transaction. */
async function givenLost() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const lost = await givenTransaction(company, { amount: 1_000 });
  const other = await givenTransaction(company, { amount: 2_000 });
  const restore = await deleteCopy(company, "transactions", `id = '${lost.id}'`);
  await settle(company, lost);
  return { clock, company, lost, other, restore };
}

interface SetAsideRow {
  subject: string;
  refusals: number;
  next_try_at: number | null;
  reason: string;
}

function setAsideOf(company: TestCompany): Promise<SetAsideRow[]> {
  return inAccount(
    company.id,
    (_, { storage }) =>
      storage.sql
        .exec("SELECT subject, refusals, next_try_at, reason FROM outbox_set_aside ORDER BY id")
        .toArray() as unknown as SetAsideRow[],
  );
}

/** Fires each alarm at its time, until a person was told. */
async function untilTold(company: TestCompany, clock: TestClock): Promise<void> {
  for (let alarms = 0; alarms < 2 * TOLD_AFTER; alarms++) {
    const [first] = await setAsideOf(company);
    if (first === undefined || first.refusals >= TOLD_AFTER) return;
    clock.advance(Math.max(0, first.next_try_at! - clock.now()));
    await inAccount(company.id, (account) => account.alarm());
  }
}

function contradictionsOf(company: TestCompany): Promise<Record<string, unknown>[]> {
  return inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("SELECT finding, kind, object, status FROM contradictions").toArray(),
  );
}

it("one transaction that D1 lost keeps no other object's copy and event waiting", async () => {
  const { clock, company, lost, other, restore } = await givenLost();

  await settle(company, other, { paymentId: endToEndId(2) });

  const events = await eventsOf(company);
  // The feed has a gap where the first one's event will be; no event is renumbered.
  expect(events.map((event) => [event.companySequence, event.objectId])).toEqual([[2, other.id]]);
  expect(await setAsideOf(company)).toMatchObject([
    { subject: lost.id, refusals: 1, reason: `transaction ${lost.id} is not in D1` },
  ]);
  await restore();
  clock.advance(HOUR_MS);
  await drained(company);
  expect((await eventsOf(company)).map((event) => event.companySequence)).toEqual([1, 2]);
});

it("what follows about the same object waits behind it, and all of it is told in order", async () => {
  const { clock, company, lost, restore } = await givenLost();
  await askRefund(company, lost, { amount: 100 });
  await answerOperation(company, { kind: "done" });
  await drained(company);
  const before = await setAsideOf(company);
  expect(before.length).toBeGreaterThan(1);
  expect(new Set(before.map(({ subject }) => subject))).toEqual(new Set([lost.id]));
  expect(before.slice(1).map(({ next_try_at: at }) => at)).toEqual(before.slice(1).map(() => null));
  await restore();

  clock.advance(HOUR_MS);
  await drained(company);

  expect(await setAsideOf(company)).toEqual([]);
  const events = await eventsOf(company);
  expect(events.map((event) => event.companySequence)).toEqual(events.map((_, index) => index + 1));
  const copies = await transactionsOf(company);
  expect(copies.find(({ id }) => id === lost.id)?.version).toBe(before.length);
});

it("at its eighth refusal, about two minutes later, a person is told, once", async () => {
  const { clock, company, lost, restore } = await givenLost();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const begun = clock.now();

  await untilTold(company, clock);

  expect(clock.now() - begun).toBeGreaterThanOrEqual(120_000);
  expect(clock.now() - begun).toBeLessThanOrEqual(240_000);
  const opened = [
    {
      finding: `entry_set_aside:${lost.id}:1`,
      kind: "entry_set_aside",
      object: lost.id,
      status: "open",
    },
  ];
  expect(await contradictionsOf(company)).toEqual(opened);
  const told = errors.mock.calls.filter(([line]) =>
    String(line).includes('"event":"entry_set_aside"'),
  );
  expect(told).toHaveLength(1);
  for (let hours = 0; hours < 3; hours++) {
    clock.advance(HOUR_MS);
    await inAccount(company.id, (account) => account.alarm());
  }
  expect(await setAsideOf(company)).toMatchObject([{ refusals: TOLD_AFTER + 3 }]);
  expect(await contradictionsOf(company)).toEqual(opened);
  await restore();
  clock.advance(HOUR_MS);
  await inAccount(company.id, (account) => account.alarm());
  expect(await setAsideOf(company)).toEqual([]);
});

it("the alarm stands at the next try, also after the object was taken out of memory", async () => {
  const { clock, company, restore } = await givenLost();
  await untilTold(company, clock);
  await evict(company, { clock });
  await drained(company);
  const [first] = await setAsideOf(company);
  expect(first!.next_try_at).toBe(clock.now() + HOUR_MS);
  // The contradiction itself was drained, so nothing else is due.
  expect(await outboxLength(company)).toBe(1);
  expect(await alarmOf(company)).toBeLessThanOrEqual(first!.next_try_at!);
  expect(await alarmOf(company)).not.toBeNull();
  await restore();
  clock.advance(HOUR_MS);
  await drained(company);
});

it.each([
  "D1_ERROR: D1 is down",
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: no such table: events: SQLITE_ERROR",
])("nothing is ever set aside for %s", async (message) => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company);
  const broken = {
    ...env,
    DB: { prepare: env.DB.prepare.bind(env.DB), batch: () => Promise.reject(new Error(message)) },
  } as unknown as typeof env;
  const restore = await replaceInObject(company, { records: () => recordsOf(broken) });
  await settle(company, transaction);

  for (let minutes = 0; minutes < 2 * TOLD_AFTER; minutes++) {
    clock.advance(60_000);
    await drained(company);
  }

  expect(await setAsideOf(company)).toEqual([]);
  expect(await outboxLength(company)).toBe(1);
  await restore();
  await drained(company);
});

it("where D1 falls silent, what was set aside is not counted as refused again", async () => {
  const { clock, company, restore } = await givenLost();
  const mend = await replaceInObject(company, downRecords());
  for (let minutes = 0; minutes < 2 * TOLD_AFTER; minutes++) {
    clock.advance(60_000);
    await drained(company);
  }
  expect(await setAsideOf(company)).toMatchObject([{ refusals: 1 }]);
  expect(await contradictionsOf(company)).toEqual([]);
  await mend();
  await restore();
  clock.advance(60_000);
  await drained(company);
  expect(await setAsideOf(company)).toEqual([]);
});

it("what a constraint of D1 forbids is set aside alone", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const [bad, good] = [await givenTransaction(company), await givenTransaction(company)];
  await env.DB.prepare(
    `CREATE TRIGGER refuse_${company.id} BEFORE UPDATE ON transactions WHEN NEW.id = '${bad.id}'
     BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  ).run();
  const restore = await replaceInObject(company, downRecords());
  await end(company, bad, "failed");
  await end(company, good, "failed");
  await restore();

  await drained(company);

  expect((await setAsideOf(company)).map(({ subject }) => subject)).toEqual([bad.id]);
  expect((await eventsOf(company)).map((event) => event.objectId)).toEqual([good.id]);
  await env.DB.prepare(`DROP TRIGGER refuse_${company.id}`).run();
  clock.advance(HOUR_MS);
  await drained(company);
});

it("an operator's retry tries at once, and giving up ends it", async () => {
  const { clock, company, lost, restore } = await givenLost();
  await untilTold(company, clock);
  await restore();
  await inAccount(company.id, async (account, { storage }) => {
    new OutboxStore(storage.sql).retrySetAside(lost.id);
    await account.tick();
  });
  expect(await setAsideOf(company)).toEqual([]);
  expect((await eventsOf(company)).map((event) => event.companySequence)).toEqual([1]);

  const again = await deleteCopy(company, "transactions", `id = '${lost.id}'`);
  await askRefund(company, lost, { amount: 100 });
  await answerOperation(company, { kind: "done" });
  await drained(company);
  const waiting = await setAsideOf(company);
  expect(waiting.length).toBeGreaterThan(0);
  await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      expect(new OutboxStore(storage.sql).dropSetAside(lost.id)).toBe(waiting.length);
      expect(new OutboxStore(storage.sql).dropSetAside(lost.id)).toBe(0);
    }),
  );
  expect(await setAsideOf(company)).toEqual([]);
  await again();
  // What was given up D1 never hears of.
  takeMadeCompanies();
});

it("the checks call it owed, not missing, and say so until it is told", async () => {
  const { clock, company, other, restore } = await givenLost();
  await settle(company, other, { paymentId: endToEndId(2) });
  const said = "I9 1 changes are set aside: D1 refuses them";

  expect((await check(company)).violations).toEqual([said]);
  expect((await reconcile(company, false)).flatMap((step) => step.violations)).toEqual([said]);

  await restore();
  clock.advance(HOUR_MS);
  await drained(company);
  expect((await check(company)).violations).toEqual([]);
  expect((await reconcile(company, false)).flatMap((step) => step.violations)).toEqual([]);
});

it("an event whose entry was given up is missing from then on", async () => {
  const { company, lost, other, restore } = await givenLost();
  await settle(company, other, { paymentId: endToEndId(2) });
  await check(company);
  await inAccount(company.id, (_, { storage }) =>
    new OutboxStore(storage.sql).dropSetAside(lost.id),
  );

  expect((await check(company)).violations).toContain("I8 event 1 is missing");

  await restore();
  takeMadeCompanies();
});

it("a retry that D1 refuses again is told again, so that it can still be given up", async () => {
  const { clock, company, lost, restore } = await givenLost();
  await untilTold(company, clock);
  expect(await contradictionsOf(company)).toHaveLength(1);
  await decide(contradictionId(company.id, 1), { action: "retry", reason: "D1 was mended" });
  expect(await contradictionsOf(company)).toMatchObject([{ status: "decided" }]);

  await untilTold(company, clock);

  expect(await contradictionsOf(company)).toMatchObject([
    { status: "decided" },
    { kind: "entry_set_aside", object: lost.id, status: "open" },
  ]);
  await restore();
  clock.advance(HOUR_MS);
  await drained(company);
});

it("what D1 takes after all is open no more, so that nobody gives up what follows", async () => {
  const { clock, company, lost, restore } = await givenLost();
  await untilTold(company, clock);
  await restore();
  clock.advance(HOUR_MS);
  await drained(company);
  expect(await setAsideOf(company)).toEqual([]);
  expect(await contradictionsOf(company)).toMatchObject([{ status: "decided" }]);
  const again = await deleteCopy(company, "transactions", `id = '${lost.id}'`);
  await askRefund(company, lost, { amount: 100 });
  await answerOperation(company, { kind: "done" });
  await drained(company);
  const waiting = await setAsideOf(company);
  expect(waiting.length).toBeGreaterThan(0);

  const body = { action: "dismiss", reason: "It is lost" };
  expect(await propose(contradictionId(company.id, 1), body)).toMatchObject({ status: 409 });

  expect(await setAsideOf(company)).toHaveLength(waiting.length);
  await again();
  clock.advance(HOUR_MS);
  await drained(company);
});
