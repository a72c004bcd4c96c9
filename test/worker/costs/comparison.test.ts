import { expect, it } from "vitest";
import { givenShop } from "../../../bench/workerd/counters/world.ts";
import { checkCompany } from "../../../src/api/operator/audit/tasks.ts";
import { ROUND_MS } from "../../../src/domain/reconciliation/comparison-round.ts";
import { givenTransaction, pay } from "../../support/builders/charges/transaction.ts";

/** Lives of PIX in the sandbox: a charge made, paid and announced. */
const LIVES = 99;
/** A read row costs a thousandth of a written one, in D1 and in an object (docs/performance.md). */
const READS_FOR_A_WRITE = 1_000;
/** How long charges stay in D1, in rounds: 13 months. */
const ROUNDS_KEPT = (13 * 30) / 25;
const PART_MAX = 0.02;

it("a round costs at most 2 % of the rows that payments write, with 13 months of history", async () => {
  const { company, meter, clock, options } = await givenShop();
  await meter.takeUsage();
  for (let life = 0; life < LIVES; life++) {
    const { id } = await givenTransaction(company, {}, options);
    await pay(company, id, undefined, options);
  }
  const lives = rowsOf(await meter.takeUsage());
  // The first check audits the lives themselves, and takes the first round.
  const start = clock.now();
  await checkCompany(meter.env, company.id, start);
  // The daily measurement of the object is written anew, which is no part of a round.
  await checkCompany(meter.env, company.id, start + ROUND_MS - 2);
  await meter.takeUsage();

  await checkCompany(meter.env, company.id, start + ROUND_MS - 1);
  const without = rowsOf(await meter.takeUsage());
  const { round } = await checkCompany(meter.env, company.id, start + ROUND_MS);
  const withRound = rowsOf(await meter.takeUsage());

  expect(round).toMatchObject({ startedAt: start + ROUND_MS, endedAt: start + ROUND_MS });
  const rows = round?.rows ?? 0;
  const [read, written] = [withRound.read - without.read, withRound.written - without.written];
  expect(rows).toBeGreaterThan(LIVES * 2);
  expect(read / rows).toBeLessThan(READ_PER_ROW_MAX);
  // The check is stored with or without a step: only the counter of compared rows is one more.
  expect(written).toBeLessThanOrEqual(2);
  const cost = written + read / READS_FOR_A_WRITE;
  expect((cost * ROUNDS_KEPT) / lives.written).toBeLessThanOrEqual(PART_MAX);
});

/** Rows read for each compared row: of a charge also its refunds, its dispute, and its place in both storages. */
const READ_PER_ROW_MAX = 5;

function rowsOf({ d1, object, alarms }: { d1: Rows; object: Rows; alarms: number }): Rows {
  return { read: d1.read + object.read, written: d1.written + object.written + alarms };
}

interface Rows {
  read: number;
  written: number;
}
