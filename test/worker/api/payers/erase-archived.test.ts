import { expect, it } from "vitest";
import { erasePayers } from "../../../../src/api/payers/tasks.ts";
import type { Env } from "../../../../src/config.ts";
import { SINGLE_STEP } from "../../../../src/domain/shared/cron-step.ts";
import {
  ERASED_MARKS,
  MARKED_DOCUMENT,
  MARKED_PIX,
} from "../../../support/builders/charges/marked-payer.ts";
import { copyCharge } from "../../../support/builders/charges/copied-charges.ts";
import { erasePayer } from "../../../support/builders/charges/payer-requests.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import {
  ageRows,
  archiveAll,
  archivedText,
  filesOf,
  runRowArchive,
  withoutFiles,
} from "../../../support/builders/companies/archived-rows.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { dumpD1 } from "../../../support/probes/database/dumps.ts";

const MINUTE_MS = 60_000;
const OTHER = { customer: { name: "Outra Pessoa", document: { number: "52998224725" } } };

/** A company with a marked payer's paid charge and another payer's, which are old enough to leave D1. */
async function givenOldCharges() {
  const company = await givenCompany({ webhookUrl: "https://loja.example.com/hook" });
  const { id } = await givenTransaction(company, MARKED_PIX);
  await pay(company, id);
  const other = await givenTransaction(company, {
    ...MARKED_PIX,
    ...OTHER,
    ip: "203.0.113.5",
  });
  await pay(company, other.id);
  await waitUntilDrained(company);
  await ageRows(company);
  return { company, id, other: other.id };
}

/** The marks that D1 or the archive's files still have. */
async function marksLeft(company: TestCompany): Promise<string[]> {
  const stored = `${await dumpD1(company.id)}\n${await archivedText(company)}`;
  // The address of the other payer is the same.
  const ofAddress = Object.values(MARKED_PIX.shipping.address);
  return ERASED_MARKS.filter((mark) => stored.includes(mark) && !ofAddress.includes(mark));
}

const addressOf = async (company: TestCompany, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company })).body.data.shipping.address.street;

/** The cron's task so many minutes from now, with its further invocations: other tests have left erasures that are due. */
async function runCron(minutes: number, from: Env = env): Promise<void> {
  const deps = { platformClock: { now: () => Date.now() + minutes * MINUTE_MS } };
  let isOver = false;
  const step = { ...SINGLE_STEP, continue: async () => void (isOver = false) };
  for (let invocation = 0; !isOver && invocation < 20; invocation++) {
    isOver = true;
    await erasePayers(from, deps, step);
  }
}

it("erases a payer from the archive's files, and leaves the others", async () => {
  const { company, id, other } = await givenOldCharges();
  await runRowArchive(company);
  expect(await marksLeft(company)).not.toEqual([]);
  expect(await archivedText(company)).toContain(`"id":"${id}"`);

  const { body } = await erasePayer(company, MARKED_DOCUMENT);

  expect(body.data).toMatchObject({ erased: 1, open: 0, status: "done" });
  expect(await marksLeft(company)).toEqual([]);
  expect(await addressOf(company, id)).toBe("");
  expect(await addressOf(company, other)).toBe("Rua Marcada");
  const events = await call("/api/v1/events", { company });
  expect(events.body.items[0].data).toMatchObject({
    payer: { name: null, documentMasked: null },
    metadata: MARKED_PIX.metadata,
  });
  expect(events.text).not.toContain(MARKED_PIX.ip);
  expect(events.text).toContain("203.0.113.5");
});

it("says pending while the archive does not answer, and the cron goes on", async () => {
  const { company } = await givenOldCharges();
  await runRowArchive(company);
  const { body } = await erasePayer(company, MARKED_DOCUMENT, { env: withoutFiles() });
  expect(body.data).toMatchObject({ erased: 0, open: 1, status: "pending" });
  await runCron(1, withoutFiles());
  expect(await marksLeft(company)).not.toEqual([]);
  await runCron(12);
  expect(await marksLeft(company)).toEqual([]);
});

it("reaches a file that no row names, as after a crash", async () => {
  const { company } = await givenOldCharges();
  const crash = injectFault({
    on: /update "(transactions|events)" set[^;]*"archive_file"/,
    when: "before",
    times: 2,
  });
  await runRowArchive(company, withD1(env, crash.intercept));
  expect(crash.injections()).toBe(2);
  expect(await marksLeft(company)).not.toEqual([]);
  const { body } = await erasePayer(company, MARKED_DOCUMENT);
  expect(body.data.status).toBe("done");
  expect(await marksLeft(company)).toEqual([]);
});

it("loses no change of two payers of one file that are erased at once", async () => {
  const { company, id, other } = await givenOldCharges();
  await runRowArchive(company);
  await Promise.all([
    erasePayer(company, MARKED_DOCUMENT),
    erasePayer(company, OTHER.customer.document.number),
  ]);
  await runCron(12);
  expect([await addressOf(company, id), await addressOf(company, other)]).toEqual(["", ""]);
  expect(await archivedText(company)).not.toContain("Rua Marcada");
});

it("goes through more files than one invocation may write, and is done only after the last", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, MARKED_PIX);
  await pay(company, id);
  await waitUntilDrained(company);
  await archiveAll(company);
  await spreadOverFiles(company, 210);

  const { body } = await erasePayer(company, MARKED_DOCUMENT);
  expect(body.data.status).toBe("pending");
  expect(await archivedText(company)).toContain("Rua Marcada");
  for (let minute = 1; minute <= 5; minute++) await runCron(minute);
  expect(await archivedText(company)).not.toContain("Rua Marcada");
  const again = await erasePayer(company, MARKED_DOCUMENT);
  expect(again.body.data).toMatchObject({ open: 0, status: "done" });
});

/** Copies a company's first charge, each copy in a file of its own. */
async function spreadOverFiles(company: TestCompany, copies: number): Promise<void> {
  const [file = ""] = await filesOf(company, "transactions");
  const line = JSON.parse(await (await env.ARCHIVE!.get(file))!.text());
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  for (let seq = 2; seq <= copies; seq++) {
    const number = String(seq).padStart(12, "0");
    const name = `${folder}${number}-${number}-0123456789abcdef.ndjson`;
    const id = await copyCharge(company, seq, { archive_file: name });
    await env.ARCHIVE!.put(name, `${JSON.stringify({ ...line, number: seq, id })}\n`);
  }
}
