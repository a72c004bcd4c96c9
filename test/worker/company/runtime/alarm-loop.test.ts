import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { env, givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { requestRefund } from "../../../support/builders/operations/object-operations.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { alarmOf } from "../../../support/probes/ledger/ledger.ts";

afterEach(() => vi.restoreAllMocks());

/** As with every other work that fails: once a minute (`RENOTIFY_AFTER_MS`), not once a second. */
it("a waiting refund whose end cannot be booked wakes its object no more than once in ten seconds", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenPaid(company, 2_500);
  const asked = await requestRefund(company, transaction, {
    amount: 1_000,
    limits: { approvalAbove: 0 },
  });
  expect(asked.kind).toBe("waiting");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec(
        "CREATE TRIGGER refuse BEFORE INSERT ON movements BEGIN SELECT RAISE(ABORT, 'refused'); END",
      )
      .toArray(),
  );
  clock.advance(8 * 24 * 3_600_000);
  const gaps: number[] = [];
  for (let wake = 0; wake < 5; wake++) {
    await runDurableObjectAlarm(companyStub(env, company.id));
    const at = await alarmOf(company);
    gaps.push((at ?? Infinity) - clock.now());
    clock.advance((at ?? clock.now()) - clock.now());
  }
  await inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("DROP TRIGGER refuse").toArray(),
  );
  expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(10_000);
});
