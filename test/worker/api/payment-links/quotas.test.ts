import { expect, it } from "vitest";
import {
  actOnLink,
  givenLink,
  transactionOf,
} from "../../../support/builders/charges/payment-links.ts";
import { createTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const usageOf = (company: TestCompany) =>
  inAccount(company.id, (_account, { storage }) =>
    storage.sql
      .exec<{
        events: number;
        charges: number;
        bytes: number;
        open: number;
        ended: number;
      }>(
        `SELECT usage_events AS events, usage_link_charges AS charges, usage_link_bytes AS bytes,
           open_link_charges AS open, ended_charges AS ended FROM company`,
      )
      .one(),
  );
const expire = (company: TestCompany, id: string) =>
  call(`/api/v1/sandbox/transactions/${id}/expire`, { method: "POST", company });

it("a link's charge counts for links alone: as it is made, open, and ended without money", async () => {
  const company = await givenCompany();
  const { slug } = await givenLink(company);
  const own = await createTransaction(company);
  const first = transactionOf(await actOnLink(slug));
  const second = transactionOf(await actOnLink(slug));
  const before = await usageOf(company);
  expect(before).toMatchObject({ events: 0, charges: 2, open: 2, ended: 2 });
  expect(before.bytes).toBeGreaterThan(2 * 2_600);
  const sums = await env.DB.prepare(
    `SELECT day_charges AS charges, day_link_charges AS ofLinks, day_bytes AS bytes
     FROM transactions WHERE company_id = ? ORDER BY seq`,
  )
    .bind(company.id)
    .all<{ charges: number; ofLinks: number; bytes: number }>();
  expect(sums.results.map(({ charges, ofLinks }) => [charges, ofLinks])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
  expect(new Set(sums.results.map(({ bytes }) => bytes)).size).toBe(1);

  await expire(company, first);
  expect(await usageOf(company)).toMatchObject({ events: 0, open: 1, ended: 2 });
  // Money is the merchant's, and so are its events.
  await pay(company, second);
  expect(await usageOf(company)).toMatchObject({ open: 0, ended: 2 });
  expect((await usageOf(company)).events).toBeGreaterThan(0);
  // A late payment counts the charge as ended no second time.
  await pay(company, first);
  await expire(company, own.body.data.id);
  expect(await usageOf(company)).toMatchObject({ open: 0, ended: 3 });
});

it("the merchant's quota of charges refuses none of a link, and a link's none of his", async () => {
  const company = await givenCompany();
  const { slug } = await givenLink(company);
  await createTransaction(company);
  await env.DB.prepare("UPDATE transactions SET day_charges = 250000 WHERE company_id = ?")
    .bind(company.id)
    .run();
  await expectProblem(await createTransaction(company), {
    status: 429,
    code: "QUOTA_EXCEEDED",
    extensions: {
      quota: "chargesPerDay",
      limit: 250_000,
      used: 250_000,
      until: expect.any(String),
    },
    retryAfter: true,
  });
  expect((await actOnLink(slug)).status).toBe(303);
  await env.DB.prepare(
    "UPDATE transactions SET day_charges = 3, day_link_charges = 2 WHERE company_id = ?",
  )
    .bind(company.id)
    .run();
  await inAccount(company.id, (_account, { storage }) =>
    storage.sql.exec("UPDATE company SET usage_link_charges = 50000"),
  );
  const refused = await actOnLink(slug);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain("Não foi possível preparar o pagamento agora");
  expect((await createTransaction(company)).status).toBe(200);
  await waitUntilDrained(company);
});
