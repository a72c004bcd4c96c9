import { expect, it } from "vitest";
import { MOVEMENTS_PER_STEP, type AuditStep } from "../../../../src/company/ledger/audit.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { costInObject } from "../../../support/probes/database/cost.ts";
import { DAY_MS, givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { LEDGER_SQL } from "../../../support/faults/ledger-sql.ts";
import { audit, auditAll } from "../../../support/probes/ledger/audit.ts";
import { tamper } from "../../../support/faults/tamper.ts";

/** A ledger of so many movements: a payment, and its parts that were released one by one. */
async function givenMovements(count: number): Promise<TestCompany> {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const installments = count - 1;
  const terms = { paymentMethod: "CREDIT_CARD" as const, installments, releaseDays: 1 };
  await givenSettled(company, count * 10, { terms, payment: { paidAt: clock.now() } });
  clock.advance(count * DAY_MS);
  await waitUntilDrained(company);
  return company;
}

it("a step verifies at most 500 movements and the next step continues", async () => {
  const company = await givenMovements(MOVEMENTS_PER_STEP + 101);

  expect(await audit(company)).toEqual({ movement: 500, done: false, violations: [] });
  expect(await audit(company)).toEqual({ movement: 601, done: true, violations: [] });
  expect(await audit(company)).toEqual({ movement: 601, done: true, violations: [] });
  expect(await audit(company, true)).toEqual({ movement: 500, done: false, violations: [] });
  expect(await audit(company)).toEqual({ movement: 601, done: true, violations: [] });
});

it("a charge with more movements than it lists is valid", async () => {
  const company = await givenMovements(1_100);

  expect(await auditAll(company)).toEqual({ movement: 1_100, done: true, violations: [] });
  expect(await auditAll(company, true)).toEqual({ movement: 1_100, done: true, violations: [] });
});

it("a ledger of exactly one step finishes in the step that finds no more movements", async () => {
  const company = await givenMovements(MOVEMENTS_PER_STEP);

  expect(await audit(company)).toEqual({ movement: 500, done: false, violations: [] });
  expect(await audit(company)).toEqual({ movement: 500, done: true, violations: [] });
});

it("the last step finds a wrong balance of the newest movement; earlier steps do not judge it", async () => {
  const company = await givenMovements(MOVEMENTS_PER_STEP + 101);
  await tamper(company, LEDGER_SQL.addToBalance("fees", 1));

  expect((await audit(company)).violations).toEqual([]);
  expect((await audit(company)).violations).toEqual([
    "I2 movement 601 leaves fees at a wrong balance",
    "I2 movement 601 leaves provider at a wrong balance",
  ]);

  await tamper(company, LEDGER_SQL.addToBalance("fees", -1));
});

it("the next step finds a balance that changed after its verification", async () => {
  const company = await givenMovements(3);
  await auditAll(company);
  await tamper(company, LEDGER_SQL.addToBalance("fees", 1));

  expect((await audit(company)).violations).toEqual([
    "I2 fees is not the sum of its postings",
    "I2 provider is not the sum of its postings",
  ]);
  await tamper(company, LEDGER_SQL.addToBalance("fees", -1));
});

it("a ledger without movements is valid", async () => {
  const company = await givenCompany();

  expect(await auditAll(company)).toEqual({ movement: 0, done: true, violations: [] });
});

it("a step reads only new movements once the history is verified", async () => {
  const reads: number[] = [];
  for (const movements of [3, 900]) {
    const company = await givenMovements(movements);
    await auditAll(company);
    await givenSettled(company, 100);
    const { read } = await costInObject(company, async (account) => {
      const step = await account.auditLedger({
        companyId: company.id,
        pass: "cron",
        fromStart: false,
      });
      expect(step).toMatchObject({ movement: movements + 1, done: true, violations: [] });
    });
    reads.push(read);
  }

  expect(reads[1]).toBe(reads[0]);
  expect(reads[0]).toBeLessThan(70);
});

it("a step in the middle of a long ledger reads about as many rows as it verifies", async () => {
  const company = await givenMovements(1_200);
  await audit(company);

  const { read } = await costInObject(company, (account) =>
    account.auditLedger({ companyId: company.id, pass: "cron", fromStart: false }),
  );

  // One row for each movement, and the charge names all of them.
  expect(read).toBeLessThan(MOVEMENTS_PER_STEP * 9);
});

it("a changed movement with its old hash before the watermark is found only in a check from the start", async () => {
  const company = await givenMovements(10);
  await auditAll(company);
  await tamper(company, LEDGER_SQL.setType(5, "chargeback"));

  expect((await auditAll(company)).violations).toEqual([]);
  const found = await auditAll(company, true);
  expect(found).toEqual({
    movement: 0,
    done: true,
    violations: ["I1 movement 5 does not carry the hash of its content"],
  });

  await tamper(company, LEDGER_SQL.setType(5, "credit_released"));
  expect(await auditAll(company)).toEqual({ movement: 10, done: true, violations: [] });
});

/** Open withdraws: far more than a step of either walk reads otherwise. */
const OPEN = 16_000;

it("a reconciliation sums up open items in its last step only", async () => {
  const company = await givenMovements(MOVEMENTS_PER_STEP + 101);
  await withdraw(company, { amount: 10 });
  const columns = await inAccount(company.id, (_, { storage }) =>
    storage.sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('withdraws')").toArray(),
  );
  const changed: Record<string, string> = { id: "id + n", idempotency_key: "'open-' || n" };
  const values = columns.map(({ name }) => changed[name] ?? name);
  await tamper(
    company,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${OPEN})
     INSERT INTO withdraws SELECT ${values.join()} FROM numbers, (SELECT * FROM withdraws)`,
  );

  const steps: AuditStep[] = [];
  const cost = (fromStart: boolean) =>
    costInObject(company, async (account) => {
      steps.push(
        await account.auditLedger({ companyId: company.id, pass: "reconcile", fromStart }),
      );
    });
  const [first, last] = [await cost(true), await cost(false)];

  expect(steps.map(({ done }) => done)).toEqual([false, true]);
  expect(last.read).toBeGreaterThan(OPEN);
  expect(first.read).toBeLessThan(OPEN);
  expect(steps[1]?.violations).toContain("I4 payout is not the sum of withdraws in flight");
  await tamper(company, "DELETE FROM withdraws WHERE id > 1");
});
