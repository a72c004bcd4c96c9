import { expect, it } from "vitest";
import { LedgerStore } from "../../../../src/company/ledger/ledger-store.ts";
import type { Posting } from "../../../../src/domain/ledger/ledger.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";

it.each<[string, Posting[]]>([
  [
    "less than nothing",
    [
      { account: "provider", amount: -500 },
      { account: "fees", amount: 499 },
    ],
  ],
  [
    "more than nothing",
    [
      { account: "provider", amount: -500 },
      { account: "fees", amount: 501 },
    ],
  ],
])("a movement whose postings sum to %s is rejected", async (_sum, postings) => {
  const company = await givenCompany();
  await inAccount(company.id, (_, { storage }) => {
    const ledger = new LedgerStore(storage.sql);
    ledger.beginCommit();
    expect(() => ledger.post({ type: "charge_paid", postings }, 1)).toThrow(/sum to/);
  });
  expect(await movementsOf(company)).toEqual([]);
});

it("a movement is never older than the previous one, although the clock went back", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await givenSettled(company, 2_000);
  clock.advance(-60_000);
  await givenSettled(company, 1_000);

  const times = await inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec<{ at: number }>("SELECT created_at AS at FROM movements ORDER BY sequence")
      .toArray()
      .map(({ at }) => at),
  );
  expect(times).toEqual([clock.now() + 60_000, clock.now() + 60_000]);
});
