import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { alarmOf, outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

it("the cron schedules a new alarm when the platform dropped the previous one", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, unavailableProjection());
  await settle(company, transaction);
  const stood = await alarmOf(company);
  expect(stood).not.toBeNull();
  await inAccount(company.id, (_, { storage }) => storage.deleteAlarm());

  clock.advance(3_600_000);
  await inAccount(company.id, (account) => account.runNow());
  expect(await outboxLength(company)).toBe(1);
  expect(await alarmOf(company)).toBeGreaterThan(stood!);
  await restore();
});
