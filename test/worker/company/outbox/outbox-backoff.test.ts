import { expect, it } from "vitest";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

it("during a D1 outage one request retries and the others only commit", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const charges = [];
  for (let made = 0; made < 5; made++) charges.push(await givenTransaction(company));
  const down = unavailableProjection();
  const restore = await replaceInObject(company, down);

  for (const [index, charge] of charges.entries()) {
    const answer = await settle(company, charge, { paymentId: endToEndId(index + 1) });
    expect(answer.kind).toBe("credited");
  }

  expect(down.calls()).toBe(1);
  expect(await outboxLength(company)).toBe(5);
  await restore();
  await waitUntilDrained(company);
  expect(await outboxLength(company)).toBe(0);
});

it("once the backoff is over, the next request tries again", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const [first, second] = [await givenTransaction(company), await givenTransaction(company)];
  const restore = await replaceInObject(company, unavailableProjection());
  await settle(company, first);
  await restore();

  clock.advance(60_000);
  await settle(company, second, { paymentId: endToEndId(2) });

  expect(await outboxLength(company)).toBe(0);
});
