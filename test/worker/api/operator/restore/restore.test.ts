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
import { refund } from "../../../../support/builders/operations/refund.ts";
import { givenRestorable } from "../../../../support/builders/operations/undecided.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import {
  archivingEnv,
  bookmarkD1,
  bookmarkObject,
  emptyD1,
  givenArchived,
  reconcile,
  restore,
} from "../../../../support/faults/restore.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

/** Requests of a service with an archive. */
const archived = { env: archivingEnv };
const FROZEN = { status: 422, code: "COMPANY_FROZEN" };

/**
 * An object that was restored never numbers its changes without a gap again: D1 has the events between, which
 * `reconcile` proves instead of the invariants after each test.
 */
const skipObjectsInvariants = takeCreatedCompanies;

async function givenArchivedPaid(company: TestCompany, amount: number) {
  const charge = await givenTransaction(company, { amount }, archived);
  await pay(company, charge.id, undefined, archived);
  return charge;
}

/** A charge that its PSP reports as paid under the number of a payment. */
async function givenReported(company: TestCompany, amount: number, number: number) {
  const { id } = await givenTransaction(company, { amount }, archived);
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
  const charge = await createTransaction(
    company,
    { amount: 5_000 },
    { key: "order-1", ...archived },
  );
  await pay(company, charge.body.data.id, undefined, archived);
  await refund(company, charge.body.data.id, 1_000);
  await givenTransaction(company, { amount: 700 }, archived);
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
  const again = await createTransaction(
    company,
    { amount: 5_000 },
    { key: "order-1", ...archived },
  );
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

  expect((await checkCompany(env, company.id, Date.now())).violations.join()).toContain(
    "set aside",
  );
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
});
