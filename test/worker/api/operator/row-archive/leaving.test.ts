import { describe, expect, it } from "vitest";
import { archiveRows } from "../../../../../src/api/operator/row-archive/tasks.ts";
import { archivedRows } from "../../../../../src/db/archive/archived-rows.ts";
import { archivedBefore } from "../../../../../src/domain/storage/archive-files.ts";
import {
  ageRows,
  archiveAll,
  archivedText,
  filesOf,
  givenPaidCharges,
  LEAVING,
  oldestLateOf,
  runInD1,
  runRowArchive,
  spreadOverMonths,
} from "../../../../support/builders/companies/archived-rows.ts";
import { erasePayer } from "../../../../support/builders/charges/payer-requests.ts";
import { MARKED_DOCUMENT, MARKED_PIX } from "../../../../support/builders/charges/marked-payer.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { simulate } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { changedBefore } from "../../../../support/faults/changed-before.ts";
import { CRASH, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";

const DAY_MS = 24 * 60 * 60_000;

/** A company with closed charges that are old enough to leave. */
async function givenOldCharges(count: number) {
  const made = await givenPaidCharges(count);
  await ageRows(made.company);
  return made;
}

function rowsOf({ id }: TestCompany, table: "transactions" | "events") {
  return runInD1(`SELECT * FROM ${table} WHERE company_id = ?`, id);
}

async function itemsOf(company: TestCompany, id: string) {
  const { body } = await call(`/api/v1/transactions/${id}`, { company });
  return body.data.items;
}

describe("the cron's archiving of rows", () => {
  it("writes readable lines by company and month, and one file of each kind", async () => {
    const { company, ids } = await givenOldCharges(2);
    await runRowArchive(company);
    const [transactions] = await rowsOf(company, "transactions");
    const month = new Date(transactions.created_at - 3 * 60 * 60_000).toISOString().slice(0, 7);
    const [file] = await filesOf(company, "transactions");
    expect(file).toMatch(
      new RegExp(`^transactions/${company.id}/${month}/000000000001-000000000002-[0-9a-f]{16}`),
    );
    const lines = (await (await env.ARCHIVE!.get(file!))!.text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      ids.map((id, index) => ({ number: index + 1, id, items: MARKED_PIX.items })),
    );
    const events = await rowsOf(company, "events");
    expect(new Set(events.map(({ body }) => body))).toEqual(new Set([""]));
    expect(await filesOf(company, "events")).toHaveLength(1);
    const progress = await env.DB.prepare("SELECT * FROM archive_progress WHERE company_id = ?")
      .bind(company.id)
      .all<any>();
    expect(progress.results).toMatchObject([
      { kind: "events", after_number: events.length, oldest_late_at: null },
      { kind: "transactions", after_number: 2, oldest_late_at: null },
    ]);
  });

  it("leaves less than two fifths of a paid charge's row and its event", async () => {
    const { company } = await givenOldCharges(1);
    const bytes = async () =>
      [...(await rowsOf(company, "transactions")), ...(await rowsOf(company, "events"))]
        .flatMap((row) => Object.values(row))
        .reduce<number>(
          (sum, value) => sum + (value === null ? 0 : JSON.stringify(value).length),
          0,
        );
    const before = await bytes();
    await runRowArchive(company);
    expect(await bytes()).toBeLessThan(0.4 * before);
  });

  it("leaves young rows, and all where it is switched off or no bucket is bound", async () => {
    const { company } = await givenOldCharges(1);
    const { id } = await givenTransaction(company);
    await pay(company, id);
    await waitUntilDrained(company);
    const { ARCHIVE: _bucket, ...unbound } = env;
    await runRowArchive(company, { ...env, ARCHIVE_AFTER_MONTHS: "0" });
    await runRowArchive(company, unbound);
    expect(await filesOf(company, "transactions")).toEqual([]);
    await runRowArchive(company);
    const rows = await rowsOf(company, "transactions");
    expect(rows.map(({ archive_file: file }) => file !== null)).toEqual([true, false]);
  });

  it("comes to every company by itself", async () => {
    const { company } = await givenOldCharges(1);
    await runInD1("INSERT OR REPLACE INTO cursors VALUES ('archive', ?)", company.id - 1);
    await archiveRows(env, { platformClock: { now: Date.now } });
    expect(await filesOf(company, "transactions")).toHaveLength(1);
    const { value } = (await env.DB.prepare(
      "SELECT value FROM cursors WHERE name = 'archive'",
    ).first<{
      value: number;
    }>())!;
    expect(value === 0 || value > company.id - 1).toBe(true);
  });

  it("stops before an invocation's 1,000 statements, tells what is late, and goes on", async () => {
    const { company } = await givenOldCharges(1);
    await spreadOverMonths(company, 70);
    let statements = 0;
    const counted = withD1(env, (label, run) => {
      statements += label.split(";\n").length;
      return run();
    });
    await runRowArchive(company, counted);
    expect(statements).toBeLessThan(1_000 - 20 * 6);
    const files = [
      ...(await filesOf(company, "transactions")),
      ...(await filesOf(company, "events")),
    ];
    expect(files).toHaveLength(60);
    expect(await oldestLateOf(company)).not.toBeNull();
    await runRowArchive(company);
    expect(await filesOf(company, "transactions")).toHaveLength(70);
    expect(await oldestLateOf(company)).toBeNull();
  });

  it("lets an open charge and an event with an open delivery wait, and leave a day after their end", async () => {
    const { company, ids } = await givenOldCharges(3);
    await simulate(company, ids[1]!, "dispute");
    await waitUntilDrained(company);
    // Also what is missing makes no difference: numbers may have gaps.
    const [, missing] = await rowsOf(company, "events");
    await runInD1("DELETE FROM events WHERE company_id = ? AND company_sequence = 2", company.id);
    await runInD1(
      "UPDATE deliveries SET status = 'pending', next_attempt_at = 1 WHERE company_id = ? AND company_sequence = 3",
      company.id,
    );
    await runRowArchive(company);
    const isThere = async () =>
      (await rowsOf(company, "transactions")).map(({ archive_file: file }) => file === null);
    expect(await isThere()).toEqual([false, true, false]);
    const events = await rowsOf(company, "events");
    expect(events.find(({ company_sequence: number }) => number === 3).body).not.toBe("");

    await runInD1("UPDATE transactions SET dispute = NULL WHERE id = ?", ids[1]);
    await runInD1(
      "UPDATE deliveries SET status = 'delivered', next_attempt_at = NULL WHERE company_id = ?",
      company.id,
    );
    await runRowArchive(company);
    expect(await isThere()).toEqual([false, true, false]);
    await runRowArchive(company, env, Date.now() + DAY_MS);
    expect(await isThere()).toEqual([false, false, false]);
    const old = (await rowsOf(company, "events")).filter(
      ({ created_at: at }) => at < Date.now() - 400 * DAY_MS,
    );
    expect(new Set(old.map(({ body }) => body))).toEqual(new Set([""]));
    const waiting = await env.DB.prepare("SELECT * FROM archive_waiting WHERE company_id = ?")
      .bind(company.id)
      .all();
    expect(waiting.results).toEqual([]);
    expect(await itemsOf(company, ids[1]!)).toEqual(MARKED_PIX.items);
    const columns = Object.keys(missing);
    const values = columns.map(() => "?").join();
    await runInD1(
      `INSERT INTO events (${columns.join()}) VALUES (${values})`,
      ...Object.values(missing),
    );
  });
});

describe("an interrupted or repeated run", () => {
  it("that crashed between file and rows loses nothing, and writes the same file again", async () => {
    const { company, ids } = await givenOldCharges(2);
    const crash = injectFault({ on: LEAVING, when: "before" });
    await runRowArchive(company, withD1(env, crash.intercept));
    expect(crash.injections()).toBe(1);
    const left = await filesOf(company, "transactions");
    expect(left).toHaveLength(1);
    expect(await itemsOf(company, ids[0]!)).toEqual(MARKED_PIX.items);

    await runRowArchive(company);
    expect(await filesOf(company, "transactions")).toEqual(left);
    expect(await itemsOf(company, ids[0]!)).toEqual(MARKED_PIX.items);
  });

  it("whose answer was lost takes out nothing twice, and counts once", async () => {
    const { company, ids } = await givenOldCharges(2);
    const before = (await archivedRows(env, Date.now())).transactions.archived;
    const lost = injectFault({
      on: LEAVING,
      when: "after",
      error: "D1_ERROR: Network connection lost.",
    });
    await runRowArchive(company, withD1(env, lost.intercept));
    expect(lost.injections()).toBe(1);
    expect(await filesOf(company, "transactions")).toHaveLength(1);
    expect(await itemsOf(company, ids[1]!)).toEqual(MARKED_PIX.items);
    expect((await archivedRows(env, Date.now())).transactions.archived).toBe(before + 2);
  });

  it("beside another one loses no text", async () => {
    const { company, ids } = await givenOldCharges(3);
    // The other run archives all between this one's reading and its file.
    const from = changedBefore(LEAVING, () => runRowArchive(company));
    await Promise.all([runRowArchive(company, from), runRowArchive(company)]);
    for (const id of ids) expect(await itemsOf(company, id)).toEqual(MARKED_PIX.items);
    for (const { archive_file: file } of await rowsOf(company, "transactions")) {
      expect(await env.ARCHIVE!.head(file)).not.toBeNull();
    }
  });

  it("takes no row that changed meanwhile, nor keeps its line", async () => {
    const { company, ids } = await givenOldCharges(2);
    const from = changedBefore(LEAVING, () =>
      runInD1("UPDATE transactions SET version = version + 1 WHERE id = ?", ids[0]),
    );
    await runRowArchive(company, from);
    const rows = await rowsOf(company, "transactions");
    expect(rows.map(({ archive_file: file }) => file !== null)).toEqual([false, true]);
    expect(await archivedText(company)).not.toContain(`"id":"${ids[0]}"`);
    expect(await itemsOf(company, ids[1]!)).toEqual(MARKED_PIX.items);
    await runInD1("UPDATE transactions SET version = version - 1 WHERE id = ?", ids[0]);
  });

  it("keeps no line of a payer who is erased meanwhile", async () => {
    const { company } = await givenOldCharges(1);
    const from = changedBefore(LEAVING, () => erasePayer(company, MARKED_DOCUMENT));
    await runRowArchive(company, from);
    expect(await archivedText(company)).not.toContain("Rua Marcada");
    const [row] = await rowsOf(company, "transactions");
    expect(row.archive_file).toBeNull();
  });

  it("that the archive does not answer is told, and goes on", async () => {
    const { company } = await givenOldCharges(1);
    const bucket: R2Bucket = Object.assign(Object.create(env.ARCHIVE!), {
      put: () => Promise.reject(new Error(CRASH)),
      head: () => Promise.resolve(null),
    });
    await runRowArchive(company, { ...env, ARCHIVE: bucket });
    const [row] = await rowsOf(company, "transactions");
    expect(row).toMatchObject({ archive_file: null, metadata: MARKED_PIX.metadata });
    const { body } = await callAsOperator("/status", { method: "GET" });
    expect(await oldestLateOf(company)).toBe(row.created_at);
    // Thirteen months after it was made; another company's row may be late for longer.
    const due = Date.now() - (archivedBefore(Date.now(), 13) - row.created_at);
    expect(Date.parse(body.archive.rows.transactions.lateSince)).toBeLessThan(due + 60_000);
    await archiveAll(company);
    expect(await oldestLateOf(company)).toBeNull();
  });
});
