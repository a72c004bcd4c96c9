import { expect, it } from "vitest";
import { endToEndId, drained, settle } from "../../../support/builders/commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { outboxLength } from "../../../support/builders/ledger.ts";
import { downRecords, replaceInObject } from "../../../support/probes/object.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";

it("requests leave a D1 that is down to its backoff: one tries, the others only commit", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const charges = [];
  for (let made = 0; made < 5; made++) charges.push(await givenTransaction(company));
  const down = downRecords();
  const restore = await replaceInObject(company, down);

  for (const [index, charge] of charges.entries()) {
    const answer = await settle(company, charge, { paymentId: endToEndId(index + 1) });
    expect(answer.kind).toBe("credited");
  }

  expect(down.calls()).toBe(1);
  expect(await outboxLength(company)).toBe(5);
  await restore();
  await drained(company);
  expect(await outboxLength(company)).toBe(0);
});

it("once the backoff is over, the next request tries again", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const [first, second] = [await givenTransaction(company), await givenTransaction(company)];
  const restore = await replaceInObject(company, downRecords());
  await settle(company, first);
  await restore();

  clock.advance(60_000);
  await settle(company, second, { paymentId: endToEndId(2) });

  expect(await outboxLength(company)).toBe(0);
});
