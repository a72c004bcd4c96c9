import { expect, it } from "vitest";
import type { Position } from "../../../../src/company/storage/due-index.ts";
import { compose } from "../../../../src/company/compose.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";

const OPEN = 5;
const SLICE = 2;

it("pages of open work reach each row, also one that is postponed between two pages", async () => {
  const company = await givenCompany({ balance: 10_000 });
  for (let number = 1; number <= OPEN; number++) {
    await withdraw(company, { amount: 10 * number, idempotencyKey: `wd_${number}` });
  }

  const seen = await inAccount(company.id, (_, { storage: { sql } }) => {
    const { awaiting } = compose(sql).stores.withdraws;
    const ids: number[] = [];
    let place: Position | null = null;
    for (let slice = 0; slice <= OPEN; slice++) {
      const rows: Position[] = awaiting.after(place, SLICE);
      ids.push(...rows.map(({ id }) => id));
      // The next row is postponed behind all others.
      if (slice === 0) awaiting.snooze([3], (rows.at(-1)?.dueAt ?? 0) + 1_000_000);
      if (rows.length < SLICE) break;
      place = rows.at(-1) ?? null;
    }
    return ids;
  });

  expect(seen).toEqual([1, 2, 4, 5, 3]);
});
