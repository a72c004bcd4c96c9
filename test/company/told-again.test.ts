import { expect, it } from "vitest";
import { companyStub } from "../../src/company/stub.ts";
import type { OutboxEntry } from "../../src/domain/outbox.ts";
import { claim, drained, settle, withdraw } from "../support/commands.ts";
import { env, givenCompany, type TestCompany } from "../support/company.ts";
import { evict, replaceInObject } from "../support/object.ts";
import { givenTransaction } from "../support/transaction.ts";
import { deliveriesOf, eventsOf, transactionsOf } from "../support/webhook-rows.ts";

/** Remembers what D1 is told from now on. */
async function listen(company: TestCompany): Promise<OutboxEntry[]> {
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

async function inD1(company: TestCompany) {
  const withdraws = await env.DB.prepare("SELECT * FROM withdraws WHERE company_id = ?")
    .bind(company.id)
    .all();
  return [
    await transactionsOf(company),
    withdraws.results,
    await eventsOf(company),
    await deliveriesOf(company),
  ];
}

it("an object that was evicted tells D1 the last it did once more, which changes nothing, and then no more", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, {
    amount: 2_500,
    postbackUrl: "https://loja.example.com/postback",
  });
  const first = await listen(company);
  await settle(company, transaction);
  await withdraw(company);
  await claim(company);
  await companyStub(env, company.id).announceTest({
    companyId: company.id,
    testId: "test-1",
    target: "endpoint",
    url: "https://loja.example.com/webhooks",
  });
  const before = await inD1(company);

  await evict(company);
  const again = await listen(company);
  await drained(company);

  expect(again.length).toBeGreaterThan(0);
  expect(again).toEqual(first.slice(-again.length));
  expect(await inD1(company)).toEqual(before);
  await evict(company);
  const later = await listen(company);
  await drained(company);
  expect(later).toEqual([]);
});
