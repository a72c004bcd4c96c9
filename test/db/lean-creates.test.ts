import { runInDurableObject } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import { expect, it } from "vitest";
import { companyStub } from "../../src/company/stub.ts";
import { env } from "../support/env.ts";

const { TEST_MIGRATIONS } = workerEnv as unknown as {
  TEST_MIGRATIONS: { name: string; queries: string[] }[];
};
const MIGRATION = "0007_lean_creates.sql";
/** The tables that it changes or reads; the object whose database it is has some of the others. */
const TABLES = /`(leads|transactions|companies|cursors)`/;

it("the migration carries leads, their number and what is listed over", async () => {
  const index = TEST_MIGRATIONS.findIndex(({ name }) => name === MIGRATION);
  expect(index).toBeGreaterThan(0);
  const rows = await runInDurableObject(companyStub(env, 0xff_ff00), (_account, { storage }) => {
    const run = (query: string) => storage.sql.exec(query);
    for (const { queries } of TEST_MIGRATIONS.slice(0, index)) {
      queries.filter((query) => TABLES.test(query)).forEach(run);
    }
    for (const id of [1, 2, 3]) {
      run(`INSERT INTO companies (id, name, mode, provider_company_id, webhook_secret_sealed, created_at)
        VALUES (${id}, '', 'sandbox', '${id}', '', 0)`);
    }
    for (const [company, number] of [
      [1, 1],
      [1, 2],
      [2, 1],
    ]) {
      run(`INSERT INTO leads VALUES (${company}, 'doc:${number}', ${number}, 'lead', 0)`);
    }
    for (const [company, seq, lead] of [
      [1, 1, 1],
      [1, 2, 2],
      [1, 3, 1],
      [2, 1, 1],
    ]) {
      run(`INSERT INTO transactions (company_id, seq, id, lead_number, lead_uuid, external_ref, amount,
          currency, payment_method, installments, postback_url, traceable, payer, items, provider,
          secure_random, created_at, status, version, updated_at, paid_amount, refunded_amount,
          request_hash, lease_until, sweep_at)
        VALUES (${company}, ${seq}, '${company}.${seq}', ${lead}, 'lead', '', 1, 'BRL', 'PIX', 1, '', 0,
          '{}', '[]', 'Sandbox', '', 0, 'waiting_payment', 0, 0, 0, 0, 'x', 0, ${seq})`);
    }

    TEST_MIGRATIONS[index]!.queries.forEach(run);

    return {
      counts: run("SELECT id, lead_count FROM transactions ORDER BY company_id, seq").toArray(),
      indexed: run(`SELECT id FROM transactions INDEXED BY transactions_lead
        WHERE company_id = 1 AND lead_number = 1 AND is_repeat = 1 ORDER BY seq`).toArray(),
      listed: run("SELECT count(*) AS n FROM transactions WHERE sweep_at IS NOT NULL").one(),
      cursors: run("SELECT name, value / 86400000 AS day FROM cursors ORDER BY name").toArray(),
    };
  });
  expect(rows.counts).toEqual([
    { id: "1.1", lead_count: null },
    { id: "1.2", lead_count: null },
    { id: "1.3", lead_count: 2 },
    { id: "2.1", lead_count: 1 },
  ]);
  expect(rows.indexed).toEqual([{ id: "1.1" }, { id: "1.3" }]);
  expect(rows.listed).toEqual({ n: 4 });
  const day = Math.floor((Date.now() - 3_600_000) / 86_400_000);
  expect(rows.cursors).toEqual([
    { name: "open", day },
    { name: "unanswered", day },
  ]);
});
