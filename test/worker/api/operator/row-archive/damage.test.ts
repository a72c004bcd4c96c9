import { describe, expect, it } from "vitest";
import { archiveRows } from "../../../../../src/api/operator/row-archive/tasks.ts";
import { erasePayers } from "../../../../../src/api/payers/tasks.ts";
import { SINGLE_STEP } from "../../../../../src/domain/shared/cron-step.ts";
import { bodiesOf } from "../../../../../src/db/archive/archived-texts.ts";
import { TimedOut } from "../../../../../src/lib/timeout.ts";
import { MARKED_PIX } from "../../../../support/builders/charges/marked-payer.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import {
  ageRows,
  archiveAll,
  filesOf,
  givenPaidCharges,
  LEAVING,
  refusing,
  runInD1,
  runRowArchive,
  spreadOverMonths,
} from "../../../../support/builders/companies/archived-rows.ts";
import {
  env,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { refund, simulate } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { resendAllPages } from "../../../../support/builders/webhooks/resend-range.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { changedBefore } from "../../../../support/faults/changed-before.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
async function damage(company: TestCompany, change: (text: string) => string | null) {
  for (const kind of ["transactions", "events"] as const) {
    for (const name of await filesOf(company, kind)) {
      const changed = change(await (await env.ARCHIVE!.get(name))!.text());
      if (changed === null) await env.ARCHIVE!.delete(name);
      else await env.ARCHIVE!.put(name, changed);
    }
  }
}

/** Each line keeps what it is found by. */
function withoutTexts(text: string): string {
  const kept = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { number: number; id?: string });
  return kept.map(({ number, id }) => `${JSON.stringify({ number, id })}\n`).join("");
}

describe.each<[string, (text: string) => string | null]>([
  ["is gone", () => null],
  ["is empty", () => ""],
  ["is cut in half", (text) => text.slice(0, text.length / 2)],
  ["has a line null", () => "null\n"],
  ["has lines without their texts", withoutTexts],
])("a file that %s", (_, change) => {
  it("is told where its texts are shown, and stops neither a refund nor the company's changes", async () => {
    const {
      company,
      ids: [id = ""],
    } = await givenPaidCharges(1);
    await archiveAll(company);
    await damage(company, change);
    const shown = await call(`/api/v1/transactions/${id}`, { company });
    expect([shown.status, shown.body.data.archived, shown.body.data.textsMissing]).toEqual([
      200,
      true,
      true,
    ]);
    expect((await call("/api/v1/events", { company })).body.items[0].data).toBeNull();

    expect((await refund(company, id, 100)).status).toBe(200);
    await simulate(company, id, "dispute");
    const next = await givenTransaction(company, MARKED_PIX);
    await pay(company, next.id);
    await waitUntilDrained(company);
    expect((await call(`/api/v1/transactions/${next.id}`, { company })).body.data.status).toBe(
      "PAID",
    );
  });
});

it("a damaged file of one payer stops no other payer's erasure", async () => {
  const { company } = await givenPaidCharges(1);
  await archiveAll(company);
  await damage(company, (text) => text.slice(0, text.length / 2));
  await givenTransaction(company, { ...MARKED_PIX, customer: { name: "Outra Pessoa" } });
  await env.DB.prepare(
    `INSERT INTO payer_erasures SELECT company_id, seq, 'request', 1, NULL FROM transactions
     WHERE company_id = ?`,
  )
    .bind(company.id)
    .run();
  await call(`/api/v1/sandbox/transactions/${(await idOf(company, 2))!}/expire`, {
    method: "POST",
    company,
  });
  for (let minute = 1; minute < 60; minute += 15) {
    await erasePayers(env, { platformClock: { now: () => Date.now() + minute * MINUTE_MS } });
  }
  const names = await runInD1(
    "SELECT payer ->> '$.name' AS name FROM transactions WHERE company_id = ? ORDER BY seq",
    company.id,
  );
  expect(names).toEqual([{ name: "" }, { name: "" }]);
});

const idOf = async (company: TestCompany, seq: number) =>
  (
    await runInD1<{ id: string }>(
      "SELECT id FROM transactions WHERE company_id = ? AND seq = ?",
      company.id,
      seq,
    )
  )[0]?.id;

it("rows that come back with D1 leave to a file that has all of them", async () => {
  const { company, ids } = await givenPaidCharges(3);
  await ageRows(company);
  const before = await runInD1<Record<string, unknown>>(
    "SELECT * FROM transactions WHERE company_id = ?",
    company.id,
  );
  const others = "company_id = ? AND id <> ?";
  const move = (ms: number) =>
    runInD1(
      `UPDATE transactions SET created_at = created_at + ? WHERE ${others}`,
      ms,
      company.id,
      ids[0],
    );
  // Another run takes the first row between this one's reading and leaving.
  const overlapped = changedBefore(LEAVING, async () => {
    await move(300 * DAY_MS);
    await runRowArchive(company);
    await move(-300 * DAY_MS);
  });
  await runRowArchive(company, overlapped);
  for (const row of before) {
    await runInD1(
      `UPDATE transactions SET payer = ?, items = ?, metadata = ?, pix = ?, boleto = ?, return_url = ?,
       archive_file = NULL WHERE id = ?`,
      ...["payer", "items", "metadata", "pix", "boleto", "return_url", "id"].map(
        (name) => row[name],
      ),
    );
  }
  await runInD1("DELETE FROM archive_progress WHERE company_id = ?", company.id);
  await runInD1("DELETE FROM archive_waiting WHERE company_id = ?", company.id);
  await runRowArchive(company);
  for (const id of ids) {
    const { data } = (await call(`/api/v1/transactions/${id}`, { company })).body;
    expect([data.archived, data.textsMissing, data.items]).toEqual([
      true,
      undefined,
      expect.arrayContaining([expect.anything()]),
    ]);
  }
});

it("a waiting row whose file cannot be written does not keep the others, and the status says so", async () => {
  const { company, ids } = await givenPaidCharges(2);
  await ageRows(company);
  await runInD1(`UPDATE transactions SET dispute = '{"status":"OPEN"}' WHERE id = ?`, ids[0]);
  await runInD1("UPDATE transactions SET created_at = ? WHERE id = ?", Date.now(), ids[1]);
  await runRowArchive(company);
  await runInD1("UPDATE transactions SET dispute = NULL WHERE id = ?", ids[0]);
  await runInD1(
    "UPDATE transactions SET created_at = ? WHERE id = ?",
    Date.now() - 429 * DAY_MS,
    ids[1],
  );
  await runRowArchive(company, refusing("/000000000001-"), Date.now() + 2 * DAY_MS);
  expect(
    await runInD1(
      "SELECT archive_file IS NOT NULL AS gone FROM transactions WHERE company_id = ? ORDER BY seq",
      company.id,
    ),
  ).toEqual([{ gone: 0 }, { gone: 1 }]);
});

it("a company's backlog leaves pages of the run to the next company", async () => {
  const { company } = await givenPaidCharges(1);
  const { company: other } = await givenPaidCharges(1);
  await ageRows(company);
  await ageRows(other);
  await spreadOverMonths(company, 70);
  const step = { ...SINGLE_STEP, state: [company.id, other.id] };
  await archiveRows(env, { platformClock: { now: Date.now } }, step);
  const files = await Promise.all([filesOf(company, "transactions"), filesOf(other, "events")]);
  expect(files.map(({ length }) => length)).toEqual([57, 1]);
});

it("a delivery whose event is lost ends after its attempts, and disables no host", async () => {
  const clock = new TestClock();
  const { company } = await givenPaidCharges(1, { clock });
  await archiveAll(company);
  await damage(company, () => null);
  const range = { from: "2020-01-01", to: "2099-01-01", status: ["delivered"] };
  await resendAllPages(company, range, { clock });
  const sink = new WebhookSink(clock);
  for (let attempt = 0; attempt < 11; attempt++) {
    await sink.deliverAll(company);
    clock.advance(13 * 60 * MINUTE_MS);
  }
  expect(sink.received).toEqual([]);
  const ended = await runInD1<{ status: string; log: string }>(
    `SELECT status, attempts_log AS log FROM deliveries WHERE company_id = ? AND status <> 'delivered'
     ORDER BY company_sequence DESC LIMIT 1`,
    company.id,
  );
  expect(ended).toMatchObject([{ status: "exhausted" }]);
  const faults = (JSON.parse(ended[0]!.log) as { fault: string | null }[]).map(
    ({ fault }) => fault,
  );
  expect(faults.filter((fault) => fault === "archive")).toHaveLength(11);
  expect(await runInD1("SELECT * FROM webhook_hosts WHERE company_id = ?", company.id)).toEqual([]);
});

it("a silent bucket holds a page up once, however many files it needs", async () => {
  let asked = 0;
  const bucket: R2Bucket = Object.assign(Object.create(env.ARCHIVE!), {
    get: () => {
      asked += 1;
      return Promise.reject(new TimedOut("no answer"));
    },
  });
  const found = Array.from({ length: 30 }, (_, index) => ({
    companySequence: index + 1,
    body: "",
    archiveFile: `events/1/2025-01/${index}`,
  }));
  const bodies = await bodiesOf({ ...env, ARCHIVE: bucket }, found);
  expect([...bodies.values()]).toEqual(found.map(() => null));
  expect(asked).toBe(6);
});
