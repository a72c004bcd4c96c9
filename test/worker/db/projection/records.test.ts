import { expect, it } from "vitest";
import { recordsOf } from "../../../../src/db/projection/records.ts";
import type { OutboxEntry } from "../../../../src/domain/events/outbox.ts";
import {
  claim,
  end,
  PAID,
  report,
  settle,
  withdraw,
  drained,
} from "../../../support/builders/commands.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { replaceInObject } from "../../../support/probes/object.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { deliveriesOf, eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const POSTBACK = "https://loja.example.com/postback";

/** Everything the company's object tells D1 from now on, as it told it. */
async function overhear(company: TestCompany): Promise<OutboxEntry[]> {
  const told: OutboxEntry[] = [];
  await replaceInObject(company, {
    records: (real) => ({
      apply: (companyId, entries, nowMs) => {
        told.push(...entries);
        return real.apply(companyId, entries, nowMs);
      },
    }),
  });
  return told;
}

async function givenTold() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, { amount: 5_000, postbackUrl: POSTBACK });
  const told = await overhear(company);
  await end(company, transaction, "cancelled");
  await settle(company, transaction);
  await withdraw(company);
  await claim(company);
  await report(company, PAID);
  await drained(company);
  const again = (entries: OutboxEntry[]) => recordsOf(env).apply(company.id, entries, clock.now());
  return { clock, company, told, again };
}

async function everything(company: TestCompany): Promise<unknown[]> {
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

it("telling D1 everything once more changes nothing", async () => {
  const { company, told, again } = await givenTold();
  expect(told.length).toBeGreaterThanOrEqual(4);
  const before = await everything(company);

  await again(told);

  expect(await everything(company)).toEqual(before);
});

it("an older state that comes late overwrites no newer one", async () => {
  const { company, told, again } = await givenTold();
  const before = await everything(company);

  for (const entry of told.toReversed()) await again([entry]);

  expect(await everything(company)).toEqual(before);
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid", version: 2 }]);
});

it("an event that was delivered is not due again when D1 is told once more", async () => {
  const { clock, company, told, again } = await givenTold();
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

it("an event that is told once more gets no delivery to a URL that the company has set since", async () => {
  const { clock, company, again, told } = await givenTold();
  const before = await deliveriesOf(company);
  await env.DB.prepare("UPDATE companies SET webhook_url = ? WHERE id = ?")
    .bind("https://loja.example.com/endpoint", company.id)
    .run();
  clock.advance(60_000);

  await again(told);

  expect(before).toHaveLength(2);
  expect(await deliveriesOf(company)).toEqual(before);
});
