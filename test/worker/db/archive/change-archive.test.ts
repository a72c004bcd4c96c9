import { expect, it } from "vitest";
import { archiveKeyAt } from "../../../../src/db/archive/change-archive.ts";
import type { Env } from "../../../../src/config.ts";
import { readinessOf } from "../../../../src/api/health/readiness.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import {
  configureObject,
  env,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { usePauses } from "../../../support/builders/companies/pauses.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { emptyD1, givenArchived, reconcile, restore } from "../../../support/faults/restore.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { eventually } from "../../../support/probes/until.ts";
import { storedEventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

usePauses();
const MINUTE_MS = 60_000;
const bucket = env.ARCHIVE!;

/** An archive that takes nothing, as while R2 is down. */
const DOWN: Env = {
  ...env,
  ARCHIVE: Object.assign(Object.create(bucket), {
    put: () => Promise.reject(new Error("R2 is down")),
  }),
};

/** A company with a clock of its own. */
async function givenClocked() {
  const company = await givenArchived();
  const clock = new TestClock();
  await configureObject(company.id, { clock });
  return { company, clock };
}

/** Lets the archive take nothing of the object, until the returned function is called. */
function withoutArchive(company: TestCompany) {
  return replaceInObject(company, {
    archive: (real) => real && { ...real, put: () => Promise.reject(new Error("R2 is down")) },
  });
}

async function keysOf({ id }: TestCompany): Promise<string[]> {
  const { objects } = await bucket.list({ prefix: `changes/${id}/` });
  return objects.map(({ key }) => key);
}

function rowsKept({ id }: TestCompany): Promise<number> {
  return inAccount(
    id,
    (_, { storage }) => storage.sql.exec("SELECT number FROM unarchived").toArray().length,
  );
}

/** Has the object keep changes that are older than what it keeps, as after a long outage. */
async function keepOlder({ id }: TestCompany, changes: number): Promise<void> {
  const change = JSON.stringify({ charges: [], entries: [] });
  await inAccount(id, (_, { storage }) => {
    storage.sql.exec("UPDATE unarchived SET number = number + ?", changes);
    for (let number = 1; number <= changes; number++) {
      const row = "INSERT INTO unarchived (number, at, change, next_try_at) VALUES (?, 1, ?, 1)";
      storage.sql.exec(row, number, change);
    }
  });
}

/** What the status says of the company. */
async function behind({ id }: TestCompany): Promise<{ since: string } | undefined> {
  const { body } = await callAsOperator("/status", { method: "GET" });
  return body.archive.longest.find(({ companyId }: { companyId: number }) => companyId === id);
}

it("what the archive does not take is kept, told after a minute, and archived once it is back", async () => {
  const { company, clock } = await givenClocked();
  const isBack = await withoutArchive(company);
  const before = (await keysOf(company)).length;
  const since = clock.now();
  const charge = await givenTransaction(company, { amount: 2_500 });
  await pay(company, charge.id);
  await eventually(async () => (await rowsKept(company)) > 0);
  expect(await behind(company)).toBeUndefined();

  clock.advance(MINUTE_MS);
  await waitUntilDrained(company);
  expect(await behind(company)).toEqual({
    companyId: company.id,
    since: new Date(since).toISOString(),
  });
  expect(await readinessOf({ ...env }, clock)).toMatchObject({ archive: "behind" });

  // What comes meanwhile waits behind it, without asking the archive again.
  await pay(company, (await givenTransaction(company, { amount: 700 })).id);
  await isBack();
  const kept = await rowsKept(company);
  clock.advance(MINUTE_MS);
  await waitUntilDrained(company);
  expect(kept).toBeGreaterThan(2);
  expect(await rowsKept(company)).toBe(0);
  expect(await behind(company)).toBeUndefined();
  // Two creates by themselves, and one file of all that waited.
  expect((await keysOf(company)).length).toBe(before + 3);

  const events = await storedEventsOf(company);
  await emptyD1(company);
  expect(await restore(company)).toMatchObject({ refused: [], renumbered: 0 });
  // The last one says that the restore has frozen the company.
  expect((await storedEventsOf(company)).slice(0, -1)).toEqual(events);
  expect(await reconcile(company)).toEqual([]);
});

it("a report that gets lost is repeated, so that no company stays behind for ever", async () => {
  const { company, clock } = await givenClocked();
  const isBack = await withoutArchive(company);
  await pay(company, (await givenTransaction(company)).id);
  clock.advance(MINUTE_MS);
  await waitUntilDrained(company);
  await isBack();
  const isHeard = await replaceInObject(company, {
    archive: (real) => real && { ...real, report: () => Promise.reject(new Error("no answer")) },
  });
  clock.advance(MINUTE_MS);
  await waitUntilDrained(company);
  expect(await behind(company)).toBeDefined();
  await isHeard();
  clock.advance(MINUTE_MS);
  await waitUntilDrained(company);
  expect(await behind(company)).toBeUndefined();
  expect(await rowsKept(company)).toBe(0);
});

it("a charge whose create the archive did not take comes back with its idempotency key", async () => {
  const { company } = await givenClocked();
  const charge = await givenTransaction(company, { amount: 900 }, { env: DOWN });
  await eventually(async () => (await rowsKept(company)) === 1);
  await emptyD1(company);
  expect(await restore(company)).toMatchObject({ refused: [] });
  const found = await env.DB.prepare("SELECT amount FROM transactions WHERE id = ?")
    .bind(charge.id)
    .first();
  expect(found).toEqual({ amount: 900 });
});

it("a restore does not begin while the object keeps what the archive lacks, however much that is", async () => {
  const { company } = await givenClocked();
  const isBack = await withoutArchive(company);
  const key = "order-1";
  const charge = await createTransaction(company, { amount: 900 }, { key, env: DOWN });
  await eventually(async () => (await rowsKept(company)) > 0);
  await keepOlder(company, 1_500);
  await emptyD1(company);
  const begun = await callAsOperator(`/companies/${company.id}/restore`, {
    body: { after: "", since: 0 },
  });
  await expectProblem(begun, { status: 409, code: "INVALID_STATE" });

  await isBack();
  expect(await restore(company)).toMatchObject({ refused: [] });
  expect(await rowsKept(company)).toBe(0);
  const again = await createTransaction(company, { amount: 900 }, { key });
  expect(again.body.data.id).toBe(charge.body.data.id);
});

it("what was archived under the keys of before is written again, and what came since", async () => {
  const { company } = await givenClocked();
  const old = [];
  for (let charges = 0; charges < 60; charges++) old.push(await givenTransaction(company));
  await eventually(async () => (await keysOf(company)).length === old.length);
  for (const key of await keysOf(company)) {
    await bucket.put(key.replace("changes/", ""), await (await bucket.get(key))!.text());
    await bucket.delete(key);
  }
  const { id } = await givenTransaction(company);
  await pay(company, id);
  await eventually(async () => (await keysOf(company)).length === 2);
  await emptyD1(company);
  expect(await restore(company)).toMatchObject({ changes: 62, refused: [] });
  const count = "SELECT count(*) AS rows FROM transactions WHERE company_id = ?";
  expect(await env.DB.prepare(count).bind(company.id).first()).toEqual({ rows: 61 });
});

it("a key of a time is before all keys of that time, and expires by the prefix of the lifecycle rule", () => {
  expect(archiveKeyAt(7, 1_795_564_800_000)).toBe("changes/7/001795564800000");
});
