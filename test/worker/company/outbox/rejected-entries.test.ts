import { afterEach, expect, it, vi } from "vitest";
import { contradictionId } from "../../../../src/domain/reconciliation/contradiction.ts";
import { OutboxStore } from "../../../../src/company/outbox/outbox-store.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  endCharge,
  endToEndId,
  settle,
} from "../../../support/builders/charges/charge-commands.ts";
import { runCheck, reconcile } from "../../../support/probes/database/projection-checks.ts";
import { deleteProjection } from "../../../support/faults/projection.ts";
import { decide, propose } from "../../../support/builders/reconciliation/decisions.ts";
import { alarmOf, outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, evict, replaceInObject } from "../../../support/faults/object.ts";
import {
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const HOUR_MS = 3_600_000;
/** Rejections before operators are notified. */
const REPORTED_AFTER = 8;

afterEach(() => vi.restoreAllMocks());

/** A company that was paid twice; D1 has lost the first transaction. */
async function givenRejectedEntry() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const lost = await givenTransaction(company, { amount: 1_000 });
  const other = await givenTransaction(company, { amount: 2_000 });
  const restore = await deleteProjection(company, "transactions", `id = '${lost.id}'`);
  await settle(company, lost);
  // A call waits only some seconds for a slow D1.
  await waitUntilDrained(company);
  return { clock, company, lost, other, restore };
}

interface RejectedRow {
  subject: string;
  refusals: number;
  next_try_at: number | null;
  reason: string;
}

function rejectedOf(company: TestCompany): Promise<RejectedRow[]> {
  return inAccount(
    company.id,
    (_, { storage }) =>
      storage.sql
        .exec("SELECT subject, refusals, next_try_at, reason FROM outbox_set_aside ORDER BY id")
        .toArray() as unknown as RejectedRow[],
  );
}

/** Fires each alarm at its time until operators are notified. */
async function untilReported(company: TestCompany, clock: TestClock): Promise<void> {
  for (let alarms = 0; alarms < 2 * REPORTED_AFTER; alarms++) {
    const [first] = await rejectedOf(company);
    if (first === undefined || first.refusals >= REPORTED_AFTER) return;
    clock.advance(Math.max(0, first.next_try_at! - clock.now()));
    await inAccount(company.id, (account) => account.alarm());
  }
}

function contradictionsOf(company: TestCompany): Promise<Record<string, unknown>[]> {
  return inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("SELECT finding, kind, object, status FROM contradictions").toArray(),
  );
}

it("a transaction that D1 rejects does not delay other objects' projections and events", async () => {
  const { clock, company, lost, other, restore } = await givenRejectedEntry();

  await settle(company, other, { paymentId: endToEndId(2) });

  const events = await eventsOf(company);
  // The feed has a gap where the first one's event will be; no event is renumbered.
  expect(events.map((event) => [event.companySequence, event.objectId])).toEqual([[2, other.id]]);
  expect(await rejectedOf(company)).toMatchObject([
    { subject: lost.id, refusals: 1, reason: `transaction ${lost.id} is not in D1` },
  ]);
  await restore();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
  expect((await eventsOf(company)).map((event) => event.companySequence)).toEqual([1, 2]);
});

it("later entries of the same object wait and are drained in order", async () => {
  const { clock, company, lost, restore } = await givenRejectedEntry();
  await requestRefund(company, lost, { amount: 100 });
  await reportOperation(company, { kind: "done" });
  await waitUntilDrained(company);
  const before = await rejectedOf(company);
  expect(before.length).toBeGreaterThan(1);
  expect(new Set(before.map(({ subject }) => subject))).toEqual(new Set([lost.id]));
  expect(before.slice(1).map(({ next_try_at: at }) => at)).toEqual(before.slice(1).map(() => null));
  await restore();

  clock.advance(HOUR_MS);
  await waitUntilDrained(company);

  expect(await rejectedOf(company)).toEqual([]);
  const events = await eventsOf(company);
  expect(events.map((event) => event.companySequence)).toEqual(events.map((_, index) => index + 1));
  const copies = await transactionsOf(company);
  expect(copies.find(({ id }) => id === lost.id)?.version).toBe(before.length);
});

it("an operator is notified once at the eighth rejection, about two minutes later", async () => {
  const { clock, company, lost, restore } = await givenRejectedEntry();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const begun = clock.now();

  await untilReported(company, clock);

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
  expect(await rejectedOf(company)).toMatchObject([{ refusals: REPORTED_AFTER + 3 }]);
  expect(await contradictionsOf(company)).toEqual(opened);
  await restore();
  clock.advance(HOUR_MS);
  await inAccount(company.id, (account) => account.alarm());
  expect(await rejectedOf(company)).toEqual([]);
});

it("the alarm is set to the next attempt, also after an eviction", async () => {
  const { clock, company, restore } = await givenRejectedEntry();
  await untilReported(company, clock);
  await evict(company, { clock });
  await waitUntilDrained(company);
  const [first] = await rejectedOf(company);
  expect(first!.next_try_at).toBe(clock.now() + HOUR_MS);
  // The contradiction itself was drained, so nothing else is due.
  expect(await outboxLength(company)).toBe(1);
  expect(await alarmOf(company)).toBeLessThanOrEqual(first!.next_try_at!);
  expect(await alarmOf(company)).not.toBeNull();
  await restore();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
});

it.each([
  "D1_ERROR: D1 is down",
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: no such table: events: SQLITE_ERROR",
])("no entry is quarantined for %s", async (message) => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company);
  const broken = {
    ...env,
    DB: { prepare: env.DB.prepare.bind(env.DB), batch: () => Promise.reject(new Error(message)) },
  } as unknown as typeof env;
  const restore = await replaceInObject(company, { projection: () => projectionWriter(broken) });
  await settle(company, transaction);

  for (let minutes = 0; minutes < 2 * REPORTED_AFTER; minutes++) {
    clock.advance(60_000);
    await waitUntilDrained(company);
  }

  expect(await rejectedOf(company)).toEqual([]);
  expect(await outboxLength(company)).toBe(1);
  await restore();
  await waitUntilDrained(company);
});

it("an unresponsive D1 does not count as another rejection of quarantined entries", async () => {
  const { clock, company, restore } = await givenRejectedEntry();
  const mend = await replaceInObject(company, unavailableProjection());
  for (let minutes = 0; minutes < 2 * REPORTED_AFTER; minutes++) {
    clock.advance(60_000);
    await waitUntilDrained(company);
  }
  expect(await rejectedOf(company)).toMatchObject([{ refusals: 1 }]);
  expect(await contradictionsOf(company)).toEqual([]);
  await mend();
  await restore();
  clock.advance(60_000);
  await waitUntilDrained(company);
  expect(await rejectedOf(company)).toEqual([]);
});

it("an entry that violates a D1 constraint is quarantined alone", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const [bad, good] = [await givenTransaction(company), await givenTransaction(company)];
  await env.DB.prepare(
    `CREATE TRIGGER refuse_${company.id} BEFORE UPDATE ON transactions WHEN NEW.id = '${bad.id}'
     BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  ).run();
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, bad, "failed");
  await endCharge(company, good, "failed");
  await restore();

  await waitUntilDrained(company);

  expect((await rejectedOf(company)).map(({ subject }) => subject)).toEqual([bad.id]);
  expect((await eventsOf(company)).map((event) => event.objectId)).toEqual([good.id]);
  await env.DB.prepare(`DROP TRIGGER refuse_${company.id}`).run();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
});

it("an operator's retry runs at once, and a drop ends it", async () => {
  const { clock, company, lost, restore } = await givenRejectedEntry();
  await untilReported(company, clock);
  await restore();
  await inAccount(company.id, async (account, { storage }) => {
    new OutboxStore(storage.sql).retryRejected(lost.id);
    await account.runNow();
  });
  expect(await rejectedOf(company)).toEqual([]);
  expect((await eventsOf(company)).map((event) => event.companySequence)).toEqual([1]);

  const again = await deleteProjection(company, "transactions", `id = '${lost.id}'`);
  await requestRefund(company, lost, { amount: 100 });
  await reportOperation(company, { kind: "done" });
  await waitUntilDrained(company);
  const waiting = await rejectedOf(company);
  expect(waiting.length).toBeGreaterThan(0);
  await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      expect(new OutboxStore(storage.sql).dropRejected(lost.id)).toBe(waiting.length);
      expect(new OutboxStore(storage.sql).dropRejected(lost.id)).toBe(0);
    }),
  );
  expect(await rejectedOf(company)).toEqual([]);
  await again();
  // A dropped entry never reaches D1.
  takeCreatedCompanies();
});

it("the checks report a quarantined entry as pending, not missing, until it is drained", async () => {
  const { clock, company, other, restore } = await givenRejectedEntry();
  await settle(company, other, { paymentId: endToEndId(2) });
  const said = "I9 1 changes are rejected: D1 refuses them";

  // Its charge is missing in D1, which is why D1 refuses it; no event is.
  const found = [said, "I7 D1 lacks its transactions 1 to 1"];
  expect((await runCheck(company)).violations).toEqual(found);
  expect((await reconcile(company, false)).flatMap((step) => step.violations)).toEqual(found);

  await restore();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
  expect((await runCheck(company)).violations).toEqual([]);
  expect((await reconcile(company, false)).flatMap((step) => step.violations)).toEqual([]);
});

it("an event whose entry was dropped is missing from then on", async () => {
  const { company, lost, other, restore } = await givenRejectedEntry();
  await settle(company, other, { paymentId: endToEndId(2) });
  await runCheck(company);
  await inAccount(company.id, (_, { storage }) =>
    new OutboxStore(storage.sql).dropRejected(lost.id),
  );

  expect((await runCheck(company)).violations).toContain("I8 event 1 is missing");

  await restore();
  takeCreatedCompanies();
});

it("a rejected retry notifies operators again, so that the entry can still be dropped", async () => {
  const { clock, company, lost, restore } = await givenRejectedEntry();
  await untilReported(company, clock);
  expect(await contradictionsOf(company)).toHaveLength(1);
  await decide(contradictionId(company.id, 1), { action: "retry", reason: "D1 was mended" });
  expect(await contradictionsOf(company)).toMatchObject([{ status: "decided" }]);

  await untilReported(company, clock);

  expect(await contradictionsOf(company)).toMatchObject([
    { status: "decided" },
    { kind: "entry_set_aside", object: lost.id, status: "open" },
  ]);
  await restore();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
});

it("an entry that D1 accepts is resolved, so that nobody drops its successors", async () => {
  const { clock, company, lost, restore } = await givenRejectedEntry();
  await untilReported(company, clock);
  await restore();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
  expect(await rejectedOf(company)).toEqual([]);
  expect(await contradictionsOf(company)).toMatchObject([{ status: "decided" }]);
  const again = await deleteProjection(company, "transactions", `id = '${lost.id}'`);
  await requestRefund(company, lost, { amount: 100 });
  await reportOperation(company, { kind: "done" });
  await waitUntilDrained(company);
  const waiting = await rejectedOf(company);
  expect(waiting.length).toBeGreaterThan(0);

  const body = { action: "dismiss", reason: "It is lost" };
  expect(await propose(contradictionId(company.id, 1), body)).toMatchObject({ status: 409 });

  expect(await rejectedOf(company)).toHaveLength(waiting.length);
  await again();
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
});
