import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { env as workerEnv } from "cloudflare:workers";
import { companyStub } from "../../src/company/stub.ts";
import { env } from "../support/env.ts";

const { TEST_MIGRATIONS } = workerEnv as unknown as {
  TEST_MIGRATIONS: { name: string; queries: string[] }[];
};
const EVENTS_IN_ONE_ROW = /_events_in_one_row\.sql$/;

/** An object that is nobody's, whose SQLite is emptied to play D1. */
const NOBODY = 99_999_999;

type Row = Record<string, SqlStorageValue>;

/** Runs D1's migrations up to that one, `before`, that one, and answers what a query then finds. */
function afterMigration(before: string[], ...queries: string[]): Promise<Row[][]> {
  return runInDurableObject(companyStub(env, NOBODY), (_account, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    for (const { name } of tables.toArray()) sql.exec(`DROP TABLE ${name}`);
    for (const migration of TEST_MIGRATIONS) {
      const isLast = EVENTS_IN_ONE_ROW.test(migration.name);
      if (isLast) for (const statement of before) sql.exec(statement);
      for (const query of migration.queries) sql.exec(query);
      if (isLast) break;
    }
    return queries.map((query) => sql.exec(query).toArray());
  });
}

it("carries events, deliveries and attempts into one row each, and tells objects their events", async () => {
  const [events, transactions, withdraws, due] = await afterMigration(
    [
      `INSERT INTO events VALUES
         (1, 1, 'transaction.failed', 't1', 1, 5, '{"a":1}'),
         (1, 2, 'withdraw.paid', 'withdraw:7', 1, 6, '{}'),
         (1, 3, 'transaction.paid', 't1', 2, 7, '{}'),
         (2, 1, 'withdraw.paid', 'withdraw:7', 1, 8, '{}')`,
      `INSERT INTO deliveries VALUES
         (1, 1, 'postback', 't1', 'https://a', 'delivered', 2, NULL, 0, 9),
         (1, 1, 'endpoint', 't1', 'https://b', 'superseded', 1, NULL, 0, 10),
         (1, 3, 'postback', 't1', 'https://a', 'pending', 0, 44, 0, 11),
         (1, 3, 'endpoint', 't1', 'https://b', 'pending', 0, 33, 0, 12)`,
      `INSERT INTO attempts VALUES
         (1, 1, 'postback', 2, 60, 41, 200, NULL, 'ok "so"'),
         (1, 1, 'postback', 1, 50, 40, NULL, 'timeout', ''),
         (1, 1, 'endpoint', 1, 51, 42, 500, NULL, '')`,
      `INSERT INTO transactions (company_id, seq, id, lead_number, lead_uuid, external_ref, amount,
         currency, payment_method, installments, postback_url, traceable, payer, items, provider,
         secure_random, created_at, status, version, updated_at, paid_amount, refunded_amount,
         request_hash, lease_until)
       VALUES (1, 1, 't1', 1, 'l', '', 1, 'BRL', 'PIX', 1, '', 0, '{}', '[]', 'sandbox', 's', 1,
         'paid', 2, 1, 1, 0, 'h', 0),
         (1, 2, 't2', 1, 'l', '', 1, 'BRL', 'PIX', 1, '', 0, '{}', '[]', 'sandbox', 's', 1,
         'creating', 0, 1, 0, 0, 'h', 0)`,
      `INSERT INTO withdraws (company_id, id, payout_id, amount, fee, currency, pix_key, pix_key_type,
         creditor_document, status, version, created_at, updated_at)
       VALUES (1, 7, 'p', 1, 0, 'BRL', 'k', 'CPF', 'd', 'Paid', 3, 1, 1)`,
    ],
    "SELECT * FROM events ORDER BY company_id, company_sequence",
    "SELECT id, event_numbers AS numbers FROM transactions ORDER BY seq",
    "SELECT event_numbers AS numbers FROM withdraws",
    "SELECT company_sequence AS number FROM events INDEXED BY events_due WHERE due_at IS NOT NULL",
  );

  const told: any[] = events!.map((event) =>
    Object.assign(event, {
      postback: JSON.parse(event["postback"] as string),
      endpoint: JSON.parse(event["endpoint"] as string),
    }),
  );
  expect(told[0]).toEqual({
    company_id: 1,
    company_sequence: 1,
    type: "transaction.failed",
    object_id: "t1",
    sequence: 1,
    created_at: 5,
    body: '{"a":1}',
    due_at: null,
    postback: {
      url: "https://a",
      status: "delivered",
      dueAt: null,
      updatedAt: 9,
      attempts: 2,
      tries: [
        [50, 40, null, "timeout", ""],
        [60, 41, 200, null, 'ok "so"'],
      ],
    },
    endpoint: {
      url: "https://b",
      status: "superseded",
      dueAt: null,
      updatedAt: 10,
      attempts: 1,
      tries: [[51, 42, 500, null, ""]],
    },
  });
  expect(
    told.slice(1).map(({ postback, endpoint, due_at }) => [postback, endpoint, due_at]),
  ).toEqual([
    [null, null, null],
    [
      expect.objectContaining({ dueAt: 44, attempts: 0, tries: [] }),
      expect.objectContaining({ dueAt: 33, attempts: 0, tries: [] }),
      33,
    ],
    [null, null, null],
  ]);
  expect(transactions).toEqual([
    { id: "t1", numbers: "[1,3]" },
    { id: "t2", numbers: "[]" },
  ]);
  expect(withdraws).toEqual([{ numbers: "[2]" }]);
  expect(due).toEqual([{ number: 3 }]);
});
