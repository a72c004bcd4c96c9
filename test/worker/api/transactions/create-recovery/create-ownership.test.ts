import { expect, it } from "vitest";
import {
  releaseLease,
  saveProviderResult,
  stealLease,
} from "../../../../../src/api/transactions/repository.ts";
import { postponeSweep } from "../../../../../src/api/transactions/sweep/repository.ts";
import { transactions } from "../../../../../src/db/schema/transactions.ts";
import { withTexts } from "../../../../../src/db/archive/archived-texts.ts";
import { databaseFor } from "../../../../../src/db/client.ts";
import type { TransactionRow } from "../../../../../src/db/projection/transaction-mapper.ts";
import { eq } from "drizzle-orm";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { settle } from "../../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";

const PIX = { qrcode: "the first answer's code", url: null, expirationDate: 1 };
const ANSWER = {
  status: "waiting_payment",
  columns: { pix: PIX },
  failure: null,
  nextSweepAt: null,
} as const;

/** A claimed transaction without a bank response: `creating`, its lease released. */
async function givenUnanswered(): Promise<{ company: TestCompany; row: TransactionRow }> {
  const company = await givenCompany();
  const bank = new FakeBank();
  bank.onCreate = async () => ({ kind: "unknown" });
  const deps = cronDeps(new TestClock(), bank);
  const answer = await createTransaction(company, {}, { key: "tx_1", deps });
  expect(answer.status).toBe(503);
  return { company, row: await rowOf(company) };
}

async function rowOf(company: TestCompany): Promise<TransactionRow> {
  const [row] = await databaseFor(env, company.id)
    .select()
    .from(transactions)
    .where(eq(transactions.companyId, company.id));
  return withTexts(env, row!);
}

it("a payment that was booked before the create result is not reverted by it", async () => {
  const { company, row } = await givenUnanswered();
  await settle(company, { id: row.id, amount: row.amount });
  expect(await rowOf(company)).toMatchObject({ status: "paid", version: 1, nextSweepAt: null });

  const answered = await saveProviderResult(env, row, ANSWER, Date.now());

  expect(answered).toMatchObject({
    status: "paid",
    version: 1,
    nextSweepAt: null,
    pix: PIX,
    answeredStatus: "waiting_payment",
  });
});

it("the first result stays, whatever a former lease holder reports", async () => {
  const { row } = await givenUnanswered();
  const first = await saveProviderResult(env, row, ANSWER, 1_000);
  const late = await saveProviderResult(
    env,
    row,
    { ...ANSWER, columns: { pix: { ...PIX, qrcode: "a late answer's code" } } },
    2_000,
  );
  expect(late).toEqual(first);
});

it("one of two concurrent requests steals an expired lease", async () => {
  const { row } = await givenUnanswered();
  const taken = await Promise.all([stealLease(env, row, 10), stealLease(env, row, 20)]);
  expect(taken.filter((one) => one !== null)).toHaveLength(1);
});

it("the lease of a finished create cannot be stolen", async () => {
  const { row } = await givenUnanswered();
  await saveProviderResult(env, row, ANSWER, Date.now());
  expect(await stealLease(env, row, 10)).toBeNull();
});

it("a former holder does not release the new holder's lease", async () => {
  const { company, row } = await givenUnanswered();
  const taken = await stealLease(env, row, 4_102_444_800_000);
  await releaseLease(env, row);
  expect((await rowOf(company)).leaseUntil).toBe(taken?.leaseUntil);
});

it("a settled charge is not added to the sweep again", async () => {
  const { company, row } = await givenUnanswered();
  await settle(company, { id: row.id, amount: row.amount });
  await postponeSweep(env, row, 1);
  expect((await rowOf(company)).nextSweepAt).toBeNull();
});
