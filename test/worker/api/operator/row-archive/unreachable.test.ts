import { expect, it } from "vitest";
import { bodiesOf } from "../../../../../src/db/archive/archived-texts.ts";
import { projectionWriter } from "../../../../../src/db/projection/projection-writer.ts";
import { MARKED_BOLETO, MARKED_PIX } from "../../../../support/builders/charges/marked-payer.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import {
  ageRows,
  archiveAll,
  filesOf,
  givenPaidCharges,
  LEAVING,
  oldestLateOf,
  refusing,
  runInD1,
  runRowArchive,
  withBucket,
  withoutFiles,
} from "../../../../support/builders/companies/archived-rows.ts";
import {
  configureObject,
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { cancel, refund, simulate } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { changedBefore } from "../../../../support/faults/changed-before.ts";
import { restore } from "../../../../support/faults/restore.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const itemsOf = async (company: TestCompany, id: string) => {
  const { data } = (await call(`/api/v1/transactions/${id}`, { company })).body;
  return { items: data.items, textsMissing: data.textsMissing };
};
const WHOLE = { items: MARKED_PIX.items, textsMissing: undefined };

const newestEvent = async (company: TestCompany) =>
  JSON.parse((await storedEventsOf(company)).at(-1)!.body).data;

it("an outbox is held for two minutes at most, however many late events come", async () => {
  const clock = new TestClock();
  const { company, ids } = await givenPaidCharges(4, { clock });
  await archiveAll(company);
  await configureObject(company.id, { projection: projectionWriter(withoutFiles()) });
  const before = (await storedEventsOf(company)).length;
  const written: number[] = [];
  for (const id of ids) {
    await simulate(company, id, "dispute");
    await waitUntilDrained(company);
    written.push((await storedEventsOf(company)).length - before);
    clock.advance(100_000);
  }
  expect(written.slice(0, 2)).toEqual([0, 0]);
  expect(written[2]).toBeGreaterThan(0);
});

it("an event that D1 held back for longer still waits for its texts", async () => {
  const clock = new TestClock();
  const { company, ids } = await givenPaidCharges(1, { clock });
  await archiveAll(company);
  const down = { write: () => Promise.reject(new Error("D1 is down")) };
  await configureObject(company.id, { projection: down });
  await simulate(company, ids[0]!, "dispute");
  await waitUntilDrained(company);
  clock.advance(180_000);
  await configureObject(company.id, { projection: projectionWriter(withoutFiles()) });
  await waitUntilDrained(company);
  await configureObject(company.id, { projection: projectionWriter(env) });
  await waitUntilDrained(company);
  expect(await newestEvent(company)).toMatchObject({ metadata: MARKED_PIX.metadata });
});

it("a restore waits for the archive, and writes an event as it was", async () => {
  const { company, ids } = await givenPaidCharges(1);
  await archiveAll(company);
  await refund(company, ids[0]!, 100);
  await waitUntilDrained(company);
  const newest = (await storedEventsOf(company)).at(-1)!;
  for (const table of ["deliveries", "events"]) {
    const own = "company_id = ? AND company_sequence = ?";
    await runInD1(`DELETE FROM ${table} WHERE ${own}`, company.id, newest.companySequence);
  }
  const silent = withBucket({
    get: (name: string) =>
      name.startsWith("transactions/")
        ? Promise.reject(new Error("R2 is down"))
        : env.ARCHIVE!.get(name),
  });
  await expect(restore(company, { env: silent })).rejects.toThrow();
  await restore(company);
  const written = (await storedEventsOf(company)).find(
    ({ companySequence }) => companySequence === newest.companySequence,
  );
  expect(written!.body).toBe(newest.body);
});

it("two runs and an erasure between them lose no row's texts", async () => {
  const { company, ids } = await givenPaidCharges(2, {
    request: { ...MARKED_PIX, shipping: undefined },
  });
  await ageRows(company);
  const [otherIsReady, otherMayLeave] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  let other = Promise.resolve();
  const slow = changedBefore(LEAVING, async () => {
    otherIsReady.resolve();
    await otherMayLeave.promise;
  });
  const overtaken = changedBefore(LEAVING, async () => {
    await runInD1(
      "UPDATE transactions SET payer = json_set(payer, '$.name', '') WHERE id = ?",
      ids[1],
    );
    other = runRowArchive(company, slow);
    await otherIsReady.promise;
  });
  const { ARCHIVE: bucket } = withBucket({
    get: async (name: string) => {
      otherMayLeave.resolve();
      await other;
      return env.ARCHIVE!.get(name);
    },
  });
  await runRowArchive(company, { ...overtaken, ARCHIVE: bucket! });
  otherMayLeave.resolve();
  await other;
  for (const id of ids) expect(await itemsOf(company, id)).toEqual(WHOLE);
});

it("a row that came back whole does not leave for its damaged file", async () => {
  const { company, ids } = await givenPaidCharges(1);
  await ageRows(company);
  const [row] = await runInD1("SELECT * FROM transactions WHERE company_id = ?", company.id);
  await runRowArchive(company);
  for (const name of await filesOf(company, "transactions")) {
    const { number, id } = JSON.parse(await (await env.ARCHIVE!.get(name))!.text());
    await env.ARCHIVE!.put(name, `${JSON.stringify({ number, id })}\n`);
  }
  await runInD1(
    `UPDATE transactions SET payer = ?, items = ?, metadata = ?, pix = ?, archive_file = NULL WHERE id = ?`,
    row.payer,
    row.items,
    row.metadata,
    row.pix,
    row.id,
  );
  await runInD1("DELETE FROM archive_progress WHERE company_id = ?", company.id);
  await runRowArchive(company);
  expect(await itemsOf(company, ids[0]!)).toEqual(WHOLE);
});

it("a row that waited and cannot leave is late, and lets others go first", async () => {
  const { company, ids } = await givenPaidCharges(3);
  await ageRows(company);
  await runInD1(
    `UPDATE transactions SET dispute = '{"status":"OPEN"}' WHERE company_id = ?`,
    company.id,
  );
  await runRowArchive(company);
  await runInD1("UPDATE transactions SET dispute = NULL WHERE company_id = ?", company.id);
  for (const [index, id] of ids.entries()) {
    const ms = (index - 2) * 31 * DAY_MS;
    await runInD1("UPDATE transactions SET created_at = created_at + ? WHERE id = ?", ms, id);
  }
  const in2Days = Date.now() + 2 * DAY_MS;
  for (let hour = 0; hour < 3; hour++) {
    await runRowArchive(company, refusing("/000000000001-"), in2Days + hour * HOUR_MS);
  }
  const left = await runInD1(
    "SELECT archive_file IS NOT NULL AS gone, created_at FROM transactions WHERE company_id = ? ORDER BY seq",
    company.id,
  );
  expect(left.map(({ gone }) => gone)).toEqual([0, 1, 1]);
  expect(await oldestLateOf(company)).toBe(left[0].created_at);
  await runRowArchive(company, env, in2Days + DAY_MS);
  expect(await oldestLateOf(company)).toBeNull();
});

it("a slip and the way back to the shop answer 503 while the archive is silent", async () => {
  const company = await givenCompany();
  const boleto = await givenTransaction(company, {
    ...MARKED_BOLETO,
    returnUrl: "https://loja.example.com/volta",
  });
  await cancel(company, boleto.id);
  await waitUntilDrained(company);
  await archiveAll(company);
  for (const [path, status] of [
    [`/boletos/${boleto.secureId}`, 200],
    [`/checkout/${boleto.secureId}/return`, 303],
  ] as const) {
    const answers = [await call(path, { env }), await call(path, { env: withoutFiles() })];
    expect(answers.map((answer) => answer.status)).toEqual([status, 503]);
  }
});

it("one file that cannot be read hides no other", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `events/1/2025-01/one-of-${index}`);
  for (const [index, name] of names.entries()) {
    const line = { number: index + 1, objectId: "x", body: "{}" };
    await env.ARCHIVE!.put(name, `${JSON.stringify(line)}\n`);
  }
  const broken = withBucket({
    get: (name: string) =>
      name === names[0] ? Promise.reject(new Error("R2 stumbles")) : env.ARCHIVE!.get(name),
  });
  const found = names.map((archiveFile, index) => ({
    companySequence: index + 1,
    body: "",
    archiveFile,
  }));
  const bodies = await bodiesOf(broken, found);
  expect([...bodies.values()]).toEqual([null, ...names.slice(1).map(() => "{}")]);
});
