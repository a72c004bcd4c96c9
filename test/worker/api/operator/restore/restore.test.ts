import { expect, it } from "vitest";
import { approve, proposeOn } from "../../../../support/builders/operations/decide.ts";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { endToEndId, settle } from "../../../../support/builders/charges/charge-commands.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  inAccount,
  takeCreatedCompanies,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { usePauses } from "../../../../support/builders/companies/pauses.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { givenRestorable } from "../../../../support/builders/operations/undecided.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import {
  archiveDamaged,
  bookmarkD1,
  bookmarkObject,
  emptyD1,
  givenArchived,
  reconcile,
  restore,
} from "../../../../support/faults/restore.ts";
import { withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const pauses = usePauses();
const MINUTE_MS = 60_000;
const SERVICE_PAUSED = { status: 503, code: "SERVICE_PAUSED", retryAfter: true };
const FROZEN = { status: 422, code: "COMPANY_FROZEN" };

/**
 * An object that was restored never numbers its changes without a gap again: D1 has the events between, which
 * `reconcile` proves instead of the invariants after each test.
 */
const skipObjectsInvariants = takeCreatedCompanies;

async function givenArchivedPaid(company: TestCompany, amount: number) {
  const charge = await givenTransaction(company, { amount });
  await pay(company, charge.id);
  return charge;
}

/** A charge that its PSP reports as paid under the number of a payment. */
async function givenReported(company: TestCompany, amount: number, number: number) {
  const { id } = await givenTransaction(company, { amount });
  const report = () =>
    settle(company, { id, amount }, { paymentId: endToEndId(number), paidAt: 1 });
  await report();
  return { id, report };
}

/** Columns that a restore does not keep: how long a create's lease was, and what its bytes were counted as. */
const NOT_KEPT = new Set(["lease_until", "day_bytes"]);

/** All rows of D1 that merchants see, deliveries without their attempts. */
async function seen(company: TestCompany) {
  const rows = async (query: string) => {
    const { results } = await env.DB.prepare(query).bind(company.id).all();
    return results.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !NOT_KEPT.has(column))),
    );
  };
  return {
    transactions: await rows("SELECT * FROM transactions WHERE company_id = ? ORDER BY seq"),
    withdraws: await rows("SELECT * FROM withdraws WHERE company_id = ?"),
    reports: await rows("SELECT * FROM daily_reports WHERE company_id = ?"),
    events: await rows("SELECT * FROM events WHERE company_id = ? ORDER BY company_sequence"),
    deliveries: await rows(
      "SELECT company_sequence, target, url FROM deliveries WHERE company_id = ? ORDER BY company_sequence",
    ),
  };
}

/** Merchants see all of before, once, and that the restore froze the company, under the next number. */
async function expectSeenAgain(company: TestCompany, before: Awaited<ReturnType<typeof seen>>) {
  const { events, deliveries, ...rest } = await seen(company);
  expect({ ...rest, events: events.slice(0, -1), deliveries: deliveries.slice(0, -1) }).toEqual(
    before,
  );
  const newest = { company_sequence: before.events.length + 1 };
  expect(events.at(-1)).toMatchObject({ ...newest, type: "company.frozen" });
  expect(deliveries.at(-1)).toMatchObject(newest);
}

/** A charge paid and refunded in part, one that nobody paid, and a paid withdraw. */
async function givenHistory(company: TestCompany) {
  const charge = await createTransaction(company, { amount: 5_000 }, { key: "order-1" });
  await pay(company, charge.body.data.id);
  await refund(company, charge.body.data.id, 1_000);
  await givenTransaction(company, { amount: 700 });
  const withdraw = await requestWithdraw(company, { amount: 2_000 });
  await runPayout(company, withdraw.body.id);
  await waitUntilDrained(company);
  return { charge, withdraw };
}

it("D1 older than the object: what it lost is written again, and a repeated create makes no second charge", async () => {
  const company = await givenArchived();
  await givenArchivedPaid(company, 9_000);
  const bookmark = await bookmarkD1(company);
  const { charge } = await givenHistory(company);
  const before = await seen(company);
  expect(before.withdraws).toHaveLength(1);
  await bookmark.rollBack();
  expect(await reconcile(company)).not.toEqual([]);

  expect(await restore(company)).toMatchObject({ refused: [], renumbered: 0 });

  await expectSeenAgain(company, before);
  expect(await reconcile(company)).toEqual([]);
  const again = await createTransaction(company, { amount: 5_000 }, { key: "order-1" });
  expect(again.body.data.id).toBe(charge.body.data.id);
});

it("D1 without any row of the company: all is written again, and twice is as once", async () => {
  const company = await givenArchived();
  await givenArchivedPaid(company, 9_000);
  await givenHistory(company);
  const before = await seen(company);
  await emptyD1(company);

  await restore(company);
  await restore(company);

  await expectSeenAgain(company, before);
  expect(await reconcile(company)).toEqual([]);
});

it("an object older than D1: its next event gets a number that no merchant has seen, and is not lost", async () => {
  const company = await givenArchived();
  await givenReported(company, 1_000, 1);
  const bookmark = await bookmarkObject(company);
  const lost = await givenReported(company, 2_000, 2);
  const known = await storedEventsOf(company);
  await bookmark.rollBack();
  const next = await givenReported(company, 4_000, 3);
  expect(await storedEventsOf(company)).toEqual(known);

  expect((await checkCompany(env, company.id, Date.now())).violations.join()).toContain("rejected");
  expect(await restore(company)).toMatchObject({ refused: [], renumbered: 1 });
  await lost.report();
  await reconcile(company, true);

  expect(await reconcile(company)).toEqual([]);
  const events = await storedEventsOf(company);
  expect(events.slice(0, known.length)).toEqual(known);
  expect(events.slice(known.length).map(({ objectId }) => objectId)).toEqual([
    next.id,
    "company:freeze",
    lost.id,
  ]);
  skipObjectsInvariants();
});

it("an object older than D1 is found by the cron's check, which freezes its withdraws", async () => {
  const company = await givenArchived();
  await givenReported(company, 1_000, 1);
  const bookmark = await bookmarkObject(company);
  const lost = await givenReported(company, 2_000, 2);
  await bookmark.rollBack();

  const check = await checkCompany(env, company.id, Date.now());

  expect(check.violations.join()).toContain("the object is older than D1");
  await expectProblem(await requestWithdraw(company), FROZEN);
  await restore(company);
  await lost.report();
  await reconcile(company, true);
  expect(await reconcile(company)).toEqual([]);
  skipObjectsInvariants();
});

it("D1 and object at different moments before now: D1 gets all again, and the object's numbers go on after it", async () => {
  const company = await givenArchived();
  await givenReported(company, 1_000, 1);
  const d1 = await bookmarkD1(company);
  await givenReported(company, 2_000, 2);
  const object = await bookmarkObject(company);
  const lost = await givenReported(company, 4_000, 3);
  const known = await storedEventsOf(company);
  await d1.rollBack();
  await object.rollBack();

  expect(await restore(company)).toMatchObject({ refused: [] });
  const restored = await storedEventsOf(company);
  expect(restored.slice(0, -1)).toEqual(known);
  expect(restored.at(-1)).toMatchObject({
    type: "company.frozen",
    companySequence: known.length + 1,
  });
  expect(await reconcile(company)).toContain(
    `I9 D1 says that transaction ${lost.id} has moved, which it has not`,
  );
  await lost.report();
  await reconcile(company, true);

  expect(await reconcile(company)).toEqual([]);
  expect((await storedEventsOf(company)).slice(0, known.length)).toEqual(known);
  skipObjectsInvariants();
});

it("a restore freezes the withdraws, which the operators' status explains", async () => {
  const company = await givenArchived();
  await givenArchivedPaid(company, 9_000);

  await restore(company);
  await restore(company);

  await expectProblem(await requestWithdraw(company), FROZEN);
  const health = await callAsOperator(`/companies/${company.id}/health`);
  expect(health.body.freeze.reason).toContain("restore");
});

it("INVALID_STATE: a step of a restore in the middle, of a company that nobody froze", async () => {
  const company = await givenCompany();
  const after = `${company.id}/001795219200000-019aa6c0-5e00-8d2c-9f31-6b1f0c000001`;
  const path = `/companies/${company.id}/restore`;
  await expectProblem(await callAsOperator(path, { body: { after } }), {
    status: 409,
    code: "INVALID_STATE",
  });
});

it("the company is paused from the first step to the last one, in every isolate", async () => {
  const company = await givenArchived();
  for (let charges = 0; charges < 51; charges++) await givenTransaction(company);
  const path = `/companies/${company.id}/restore`;
  const step = (after: string) =>
    callAsOperator(path, { deps: { platformClock: pauses.clock }, body: { after } });
  const first = await step("");
  expect(first.body.after).not.toBeNull();
  expect(pauses.waits).toEqual([15_000]);
  await expectProblem(await createTransaction(company), SERVICE_PAUSED);
  await expectProblem(await requestWithdraw(company), SERVICE_PAUSED);
  let { after } = first.body;
  while (after !== null) after = (await step(after)).body.after;
  expect((await createTransaction(company)).status).toBe(200);
  await expectProblem(await requestWithdraw(company), FROZEN);
});

it("a company of a paused service waits for no isolate, and stays paused after its last step", async () => {
  const company = await givenArchived();
  const deps = { platformClock: pauses.clock };
  await callAsOperator("/service/pause", { deps, body: { reason: "D1 goes back." } });
  pauses.clock.advance(MINUTE_MS);
  await restore(company);
  expect(pauses.waits).toEqual([15_000]);
  await expectProblem(await createTransaction(company), SERVICE_PAUSED);
});

it("a service that goes on in the middle of a restore makes no second charge under an old key", async () => {
  const company = await givenArchived();
  const bookmark = await bookmarkD1(company);
  for (let charge = 0; charge < 55; charge++) {
    await createTransaction(company, {}, { key: `order-${charge}` });
  }
  const deps = { platformClock: pauses.clock };
  await callAsOperator("/service/pause", { deps, body: { reason: "D1 goes back." } });
  pauses.clock.advance(MINUTE_MS);
  await bookmark.rollBack();
  const path = `/companies/${company.id}/restore`;
  const step = async (after: string) =>
    (await callAsOperator(path, { deps, body: { after } })).body.after;
  const after = await step("");
  expect(after).not.toBeNull();

  await callAsOperator("/service/resume", { deps, body: { reason: "Too early." } });

  const old = { key: "order-54" };
  await expectProblem(await createTransaction(company, {}, old), SERVICE_PAUSED);
  expect(await step(after)).toBeNull();
  expect((await createTransaction(company, {}, old)).headers.has("Idempotent-Replayed")).toBe(true);
});

it("INVALID_STATE: a step after somebody ended the company's pause", async () => {
  const company = await givenArchived();
  for (let charge = 0; charge < 51; charge++) await givenTransaction(company);
  const path = `/companies/${company.id}/restore`;
  const { after } = (await callAsOperator(path, { body: { after: "" } })).body;
  const body = { reason: "Nothing needs it.", companyId: company.id };
  expect((await callAsOperator("/service/resume", { body })).body.data.companies).toEqual([]);
  const next = await callAsOperator(path, { body: { after } });
  await expectProblem(next, { status: 409, code: "INVALID_STATE" });
});

it("a restore keeps the reason of a freeze of charges, and announces nothing before its end", async () => {
  const company = await givenArchived();
  for (let charge = 0; charge < 51; charge++) await givenTransaction(company);
  const body = { withdraws: false, charges: true, reason: "A card test." };
  await callAsOperator(`/companies/${company.id}/freeze`, { body });
  await waitUntilDrained(company);
  const before = await storedEventsOf(company);
  const path = `/companies/${company.id}/restore`;
  const { after } = (await callAsOperator(path, { body: { after: "" } })).body;
  await waitUntilDrained(company);
  const found = await inAccount(company.id, (account) => account.findFreeze());
  expect(found).toMatchObject({ withdraws: true, charges: true, cause: { reason: body.reason } });
  expect(await storedEventsOf(company)).toEqual(before);
  await callAsOperator(path, { body: { after } });
  await waitUntilDrained(company);
  const [announced] = (await storedEventsOf(company)).slice(before.length);
  expect(JSON.parse(announced!.body)).toMatchObject({
    type: "company.frozen",
    data: { reason: body.reason, frozen: { withdraws: true, charges: true } },
  });
});

it("an object goes back only once its company is paused, and that pause outlasts it until the restore ends", async () => {
  const pausedThen: Promise<unknown>[] = [];
  const company = await givenRestorable(() => {
    pausedThen.push(pauses.isolate().of(env, company.id));
  });
  const proposed = await proposeOn(`/companies/${company.id}/restore/object`, { to: 1_000 });
  const approved = await approve(proposed.body.data.id, { deps: { platformClock: pauses.clock } });
  expect(approved.status, approved.text).toBe(200);
  expect(await Promise.all(pausedThen)).toMatchObject([
    { by: { kind: "operator", id: "approver" } },
  ]);
  expect(pauses.waits).toEqual([15_000]);
  await expectProblem(await createTransaction(company), SERVICE_PAUSED);
  await restore(company);
  expect((await createTransaction(company)).status).toBe(200);
});

it("an object goes back to a time once another operator approves it, and is frozen when that is answered", async () => {
  const bookmarks: string[] = [];
  const company = await givenRestorable((bookmark) => bookmarks.push(bookmark));
  const path = `/companies/${company.id}/restore/object`;
  const proposed = await proposeOn(path, { to: 1_000 });
  expect([proposed.status, proposed.body.data.action]).toEqual([202, "company.restore"]);
  expect(bookmarks).toEqual([]);

  const { status, body } = await approve(proposed.body.data.id);

  expect([status, body.data.outcome]).toEqual([200, { undo: "before" }]);
  expect(bookmarks).toEqual(["at 1000"]);
  expect(await inAccount(company.id, (account) => account.isFrozen())).toBe(true);
  const { frozen } = (await callAsOperator("/status")).body;
  expect(frozen).toContainEqual(expect.objectContaining({ companyId: company.id }));
});

it("INVALID_STATE: an object that the platform does not take back, and a time to come", async () => {
  const company = await givenArchived();
  const path = `/companies/${company.id}/restore/object`;
  const later = await proposeOn(path, { to: Date.now() + 60_000 });
  await expectProblem(later, { status: 409, code: "INVALID_STATE" });
  const proposed = await proposeOn(path, { to: 1_000 });
  const refused = await approve(proposed.body.data.id);
  await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
  expect(await inAccount(company.id, (account) => account.isFrozen())).toBe(false);
  expect(await pauses.isolate().of(env, company.id)).toBeNull();
});

it("a step whose entries D1 refuses one by one runs no more statements than an invocation may", async () => {
  const company = await givenArchived();
  await givenReported(company, 1_000, 1);
  await waitUntilDrained(company);
  await archiveDamaged(company, 10);
  let statements = 0;
  const ofStep: number[] = [];
  const counting = withD1(env, (label, run) => {
    if (/operator_keys/.test(label)) statements = 0;
    statements += label.split(";\n").length;
    ofStep.push(statements);
    return run();
  });
  const { refused } = await restore(company, { env: counting });
  expect(refused).toHaveLength(200);
  expect(Math.max(...ofStep)).toBeGreaterThan(300);
  expect(Math.max(...ofStep)).toBeLessThanOrEqual(1_000);
});
