import { afterEach, expect, it, vi } from "vitest";
import type { CalledAccount } from "../../../support/builders/companies/calls.ts";
import { MIGRATIONS } from "../../../../src/company/storage/migrations.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { settle, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { withdrawCommand } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { withAccounts } from "../../../support/faults/faulty-env.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { alarmOf, dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, evict, replaceInObject } from "../../../support/faults/object.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

const NEWER = MIGRATIONS.length + 1;

afterEach(() => vi.restoreAllMocks());

/** A company that owes D1 something, whose tables newer code has opened meanwhile. */
async function givenNewerSchema() {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 2_500 });
  const transaction = await givenTransaction(company, { amount: 900 });
  const restore = await replaceInObject(company, unavailableProjection());
  await settle(company, transaction);
  await restore();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("INSERT INTO applied_migrations (number) VALUES (?)", NEWER).toArray(),
  );
  await evict(company, { clock });
  const comeBack = async () => {
    await inAccount(company.id, (_, { storage }) =>
      storage.sql.exec("DELETE FROM applied_migrations WHERE number = ?", NEWER).toArray(),
    );
    await evict(company, { clock });
    await waitUntilDrained(company);
  };
  return { clock, company, transaction, comeBack };
}

function failing(company: TestCompany, run: (account: CalledAccount) => Promise<unknown>) {
  return inAccount(company.id, (account) =>
    run(account).then(
      (answer) => `answered ${JSON.stringify(answer)}`,
      (error: unknown) => String(error),
    ),
  );
}

it("code that is older than an object's schema answers no call and writes nothing", async () => {
  const { company, transaction, comeBack } = await givenNewerSchema();
  const before = await dumpObject(company);
  const payment = { paymentId: "E1", method: "PIX" as const, amount: 1, paidAt: 1 };

  for (const call of [
    (account: CalledAccount) => account.balances(),
    (account: CalledAccount) => account.requestWithdraw(withdrawCommand(company)),
    (account: CalledAccount) =>
      account.settlePayment({ companyId: company.id, terms: termsOf(transaction), payment }),
    (account: CalledAccount) =>
      account.auditLedger({ companyId: company.id, pass: "cron", fromStart: false }),
    (account: CalledAccount) => account.runNow(),
  ]) {
    expect(await failing(company, call)).toContain("STORAGE_NEWER");
  }

  expect(await dumpObject(company)).toBe(before);
  await comeBack();
});

it("its alarm only schedules the next one, and the backlog is drained once newer code runs", async () => {
  const { clock, company, comeBack } = await givenNewerSchema();
  const before = await dumpObject(company);

  await inAccount(company.id, (account) => account.alarm());

  expect(await alarmOf(company)).toBe(clock.now() + 60_000);
  expect(await dumpObject(company)).toBe(before);
  await comeBack();
});

it("STORAGE_UNAVAILABLE: its clients are asked to retry", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const newer = withAccounts(env, (label, run) =>
    label === "requestWithdraw"
      ? Promise.reject(
          new Error("STORAGE_NEWER: a newer version of the code has migrated the object's tables"),
        )
      : run(),
  );
  await expectProblem(await requestWithdraw(company, {}, { env: newer }), {
    status: 503,
    code: "STORAGE_UNAVAILABLE",
    retryAfter: true,
  });
});
