import { expect, it } from "vitest";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { OutboxEntry } from "../../../../src/domain/events/outbox-entry.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { endCharge, settle } from "../../../support/builders/charges/charge-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const POSTBACK = "https://loja.example.com/postback";

/** Everything the company's object tells D1 from now on, as it told it. */
async function captureEntries(company: TestCompany): Promise<OutboxEntry[]> {
  const told: OutboxEntry[] = [];
  await replaceInObject(company, {
    projection: (real) => ({
      write: (companyId, entries, nowMs) => {
        told.push(...entries);
        return real.write(companyId, entries, nowMs);
      },
    }),
  });
  return told;
}

async function givenProjectedEntries() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, { amount: 5_000, postbackUrl: POSTBACK });
  const told = await captureEntries(company);
  await endCharge(company, transaction, "cancelled");
  await settle(company, transaction);
  await withdraw(company);
  await claimPayout(company);
  await reportPayout(company, PAID);
  await waitUntilDrained(company);
  const again = (entries: OutboxEntry[]) =>
    projectionWriter(env).write(company.id, entries, clock.now());
  return { clock, company, told, again };
}

async function dumpProjection(company: TestCompany): Promise<unknown[]> {
  const { results: withdraws } = await env.DB.prepare(
    "SELECT * FROM withdraws WHERE company_id = ?",
  )
    .bind(company.id)
    .all();
  return [
    await transactionsOf(company),
    await eventsOf(company),
    await deliveriesOf(company),
    withdraws,
  ];
}

it("a repeated drain of all entries changes nothing", async () => {
  const { company, told, again } = await givenProjectedEntries();
  expect(told.length).toBeGreaterThanOrEqual(4);
  const before = await dumpProjection(company);

  await again(told);

  expect(await dumpProjection(company)).toEqual(before);
});

it("a late older state does not overwrite a newer one", async () => {
  const { company, told, again } = await givenProjectedEntries();
  const before = await dumpProjection(company);

  for (const entry of told.toReversed()) await again([entry]);

  expect(await dumpProjection(company)).toEqual(before);
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid", version: 2 }]);
});

it("a delivered event is not due again after a repeated drain", async () => {
  const { clock, company, told, again } = await givenProjectedEntries();
  const sink = new WebhookSink(clock);
  await sink.deliverAll(company);
  expect(sink.received).toHaveLength(2);
  clock.advance(60_000);

  await again(told);
  await sink.deliverAll(company);

  expect(sink.received).toHaveLength(2);
  expect((await deliveriesOf(company)).map((each) => each.status)).toEqual([
    "delivered",
    "delivered",
  ]);
});

it("an event of a repeated drain gets no delivery to a URL that was set later", async () => {
  const { clock, company, again, told } = await givenProjectedEntries();
  const before = await deliveriesOf(company);
  await env.DB.prepare("UPDATE companies SET webhook_url = ? WHERE id = ?")
    .bind("https://loja.example.com/endpoint", company.id)
    .run();
  clock.advance(60_000);

  await again(told);

  expect(before).toHaveLength(2);
  expect(await deliveriesOf(company)).toEqual(before);
});
