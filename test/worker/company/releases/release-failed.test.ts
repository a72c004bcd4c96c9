import { env } from "../../../support/builders/companies/env.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { runCheck } from "../../../support/probes/database/projection-checks.ts";
import { LEDGER_SQL } from "../../../support/faults/ledger-sql.ts";
import { accountsOf, alarmOf } from "../../../support/probes/ledger/ledger.ts";
import { DAY_MS, givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { tamper } from "../../../support/faults/tamper.ts";

const RETRY_MS = 60_000;
const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
const CORRUPT_BALANCE = "I2 movement 1 leaves awaiting at a wrong balance";

const awaiting = (company: TestCompany, amount: number) =>
  tamper(company, LEDGER_SQL.setBalance("awaiting", amount));

/** 25.00 whose day has come, of an account that does not hold them. */
async function givenUnreleasableCredit() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await givenSettled(company, 2_500, { terms: BOLETO, payment: { paidAt: clock.now() } });
  await awaiting(company, 100);
  clock.advance(DAY_MS);
  return { clock, company, object: callsTo(company.id) };
}

it("balances that contradict a release freeze withdraws, and payments are still credited", async () => {
  const { company, object } = await givenUnreleasableCredit();
  const logged = vi.spyOn(console, "error");

  await givenSettled(company, 900);

  expect(logged.mock.calls.flat().join("\n")).toContain('"event":"release_failed"');
  logged.mockRestore();
  expect(await accountsOf(company)).toMatchObject({ available: 900, awaiting: 100 });
  expect(await object.isFrozen()).toBe(true);
  expect(await withdraw(company, { amount: 500 })).toEqual({ kind: "frozen" });
  expect((await object.balances()).balances).toMatchObject({ available: 900, frozen: true });
  await awaiting(company, 2_500);
});

it("the audit finds the cause of a failed release and releases nothing before", async () => {
  const { clock, company } = await givenUnreleasableCredit();

  expect((await runCheck(company)).violations).toEqual(
    expect.arrayContaining([CORRUPT_BALANCE, expect.stringMatching(/^I4 /)]),
  );
  await awaiting(company, 2_500);
  expect((await auditAll(company)).violations).toEqual([]);

  expect(await accountsOf(company)).toEqual({ awaiting: 2_500, provider: -2_500 });
  clock.advance(RETRY_MS);
});

it("a failed release is retried a minute later, not with each call", async () => {
  const { clock, company, object } = await givenUnreleasableCredit();
  await waitUntilDrained(company);
  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);
  expect(await alarmOf(company)).toBe(clock.now() + RETRY_MS);
  await awaiting(company, 2_500);

  clock.advance(RETRY_MS - 1);
  await waitUntilDrained(company);
  expect((await object.balances()).balances).toMatchObject({ available: 0, awaiting: 2_500 });
  clock.advance(1);

  expect((await object.balances()).balances).toMatchObject({ available: 2_500, awaiting: 0 });
  expect(await object.isFrozen()).toBe(true);
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  expect((await withdraw(company, { amount: 2_500 })).kind).toBe("accepted");
});
