import { describe, expect, it } from "vitest";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { audit, auditAll } from "../../../support/probes/ledger/audit.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";

const DAY_MS = 86_400_000;

/** A company with a payment on each of two days, which are returned. */
async function givenTwoDays(): Promise<{ company: TestCompany; days: [string, string] }> {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const first = saoPauloDay(clock.now());
  await givenSettled(company, 2_500);
  clock.advance(DAY_MS);
  await givenSettled(company, 700);
  await waitUntilDrained(company);
  return { company, days: [first, saoPauloDay(clock.now())] };
}

const RESTORE = [
  "DELETE FROM daily_totals",
  "INSERT INTO daily_totals SELECT * FROM kept_totals",
  "DROP TABLE kept_totals",
];

const wrong = (day: string) => `I9 the daily totals of ${day} are not the sums of its movements`;

describe("the audit of daily totals", () => {
  it.each([
    ["a total of the finished day", "UPDATE daily_totals SET gross = gross + 1 WHERE day = ?1", 0],
    ["a total of the newest day", "UPDATE daily_totals SET fees = 1 WHERE day = ?2", 1],
    ["a missing day", "DELETE FROM daily_totals WHERE day = ?2", 1],
    ["another method", "UPDATE daily_totals SET payment_method = 'BOLETO' WHERE day = ?1", 0],
    [
      "totals of a day without movements",
      "INSERT INTO daily_totals SELECT '9999-01-01', payment_method, 1, 1, 0, 0, 1, hours FROM daily_totals WHERE day = ?1",
      1,
    ],
  ])("finds %s, in each step until it is repaired", async (_what, statement, index) => {
    const { company, days } = await givenTwoDays();
    expect((await audit(company)).violations).toEqual([]);
    await tamper(company, "CREATE TABLE kept_totals AS SELECT * FROM daily_totals");
    await tamper(
      company,
      statement.replaceAll("?1", `'${days[0]}'`).replaceAll("?2", `'${days[1]}'`),
    );

    for (const fromStart of [true, false]) {
      const step = await auditAll(company, fromStart);
      const isFound = fromStart || index === 1;
      expect(step.violations).toEqual(isFound ? [wrong(days[index]!)] : []);
    }
    const repeated = await callsTo(company.id).auditLedger({
      companyId: company.id,
      pass: "reconcile",
      fromStart: false,
    });
    expect(repeated.violations).toEqual([wrong(days[index]!)]);
    expect(await callsTo(company.id).isFrozen()).toBe(false);
    await tamper(company, ...RESTORE);
    expect((await auditAll(company, true)).violations).toEqual([]);
    expect((await audit(company)).violations).toEqual([]);
  });

  it("leaves out the movements from before there were daily totals", async () => {
    const { company } = await givenTwoDays();
    await tamper(
      company,
      "CREATE TABLE kept_totals AS SELECT * FROM daily_totals",
      "DELETE FROM daily_totals WHERE day = (SELECT min(day) FROM daily_totals)",
      "UPDATE company SET daily_totals_from = 2",
    );
    expect((await auditAll(company, true)).violations).toEqual([]);
    await tamper(company, "UPDATE company SET daily_totals_from = 1");
    expect((await auditAll(company, true)).violations).toHaveLength(1);
    await tamper(company, ...RESTORE);
  });
});
