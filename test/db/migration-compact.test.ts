import { runInDurableObject } from "cloudflare:test";
import { getTableColumns } from "drizzle-orm";
import { env as workerEnv } from "cloudflare:workers";
import { expect, it } from "vitest";
import { companyStub } from "../../src/company/stub.ts";
import { transactions } from "../../src/db/schema/transactions.ts";
import {
  transactionRow,
  type StoredTransaction,
  type TransactionRow,
} from "../../src/db/transaction-mapper.ts";
import { EXAMPLE_TRANSACTION } from "../../src/domain/examples.ts";
import { pack } from "../../src/lib/packed.ts";
import { env } from "../support/env.ts";

const { TEST_MIGRATIONS } = workerEnv as unknown as {
  TEST_MIGRATIONS: { name: string; queries: string[] }[];
};
const COMPACT_TRANSACTIONS = /_compact_transactions\.sql$/;
/** An object that is nobody's, whose SQLite is emptied to play D1. */
const NOBODY = 99_999_998;

const HASH = "0123456789abcdef".repeat(2);
const RANDOM = "Ut5lMAe-mTrCDP-VsRWzFQ";
const END_TO_END_ID = "E00000000202611212301pyq8djnbirg";
const ITEMS = [{ title: "Camiseta", unitPrice: 2_500, quantity: 1, tangible: true }];
const PIX = { qrcode: "000201", url: null, expirationDate: 5 };

/** A row with all that it had to have, in the shape before. */
const OLD = {
  company_id: 1,
  seq: 1,
  id: "01a20057-d8b3-8381-bdb8-2f0180000001",
  lead_number: 1,
  lead_uuid: "",
  external_ref: "",
  amount: 2_500,
  currency: "BRL",
  payment_method: "PIX",
  installments: 1,
  postback_url: "",
  traceable: 0,
  payer: pack(JSON.stringify(EXAMPLE_TRANSACTION.payer)),
  items: pack(JSON.stringify(ITEMS)),
  provider: "Sandbox",
  secure_random: RANDOM,
  created_at: 1,
  status: "creating",
  version: 0,
  updated_at: 1,
  paid_amount: 0,
  refunded_amount: 0,
  request_hash: HASH,
  lease_until: 30_001,
};

it("older rows are carried over: those in the middle of their life, and those at its end", async () => {
  const second = "01a20057-d8b3-8381-bdb8-2f0180000002";
  const rows = await migrated([
    OLD,
    {
      ...OLD,
      seq: 2,
      id: second,
      payment_method: "CREDIT_CARD",
      provider: "PixApi",
      metadata: pack('{"a":"\u0001é"}'),
      shipping: '{"fee":1500}',
      pix: pack(JSON.stringify(PIX)),
      status: "paid",
      version: 3,
      end_to_end_id: END_TO_END_ID,
      request_hash: HASH + HASH,
      answered_at: 7,
      answered_status: "waiting_payment",
      event_numbers: "[4,5]",
    },
    {
      ...OLD,
      seq: 3,
      id: "01a20057-d8b3-8381-bdb8-2f0180000003",
      payment_method: "BOLETO",
      payer: new TextEncoder().encode(
        JSON.stringify({ ...EXAMPLE_TRANSACTION.payer, address: {} }),
      ),
      items: new TextEncoder().encode("[]"),
      metadata: new Uint8Array(),
      shipping: "{}",
      boleto: pack('{"dueDate":"2026-11-30"}'),
    },
  ]);

  expect(rows).toMatchObject([
    {
      id: OLD.id,
      currency: "BRL",
      paymentMethod: "PIX",
      provider: "Sandbox",
      payer: EXAMPLE_TRANSACTION.payer,
      items: ITEMS,
      metadata: null,
      pix: null,
      shippingFee: null,
      secureRandom: RANDOM,
      requestHash: HASH,
      leaseUntil: 30_001,
      answeredStatus: null,
      endToEndId: null,
      eventNumbers: [],
    },
    {
      id: second,
      paymentMethod: "CREDIT_CARD",
      provider: "PixApi",
      metadata: '{"a":"\u0001é"}',
      shippingFee: 1_500,
      pix: PIX,
      version: 3,
      endToEndId: END_TO_END_ID,
      requestHash: HASH + HASH,
      leaseUntil: 0,
      answeredAt: 7,
      answeredStatus: "waiting_payment",
      eventNumbers: [4, 5],
    },
    {
      paymentMethod: "BOLETO",
      payer: { ...EXAMPLE_TRANSACTION.payer, address: {} },
      items: [],
      metadata: "",
      shippingFee: null,
      boleto: { dueDate: "2026-11-30" },
    },
  ]);
});

it("a payer of any bytes is carried over whole", async () => {
  const name = Array.from({ length: 300 }, (_, index) => String.fromCharCode(index * 97)).join("");
  const payer = { ...EXAMPLE_TRANSACTION.payer, name };
  const [row] = await migrated([{ ...OLD, payer: pack(JSON.stringify(payer)) }]);
  expect(row?.payer).toEqual(payer);
});

it.each(["creating", "waiting_payment", "authorized", "paid", "refused", "failed", "cancelled"])(
  "what was answered as %s is still that",
  async (status) => {
    const [row] = await migrated([{ ...OLD, answered_at: 2, answered_status: status }]);
    expect(row?.answeredStatus).toBe(status);
  },
);

/** Rows of the older shape as the product reads them after the migration. */
function migrated(older: Record<string, unknown>[]): Promise<TransactionRow[]> {
  return runInDurableObject(companyStub(env, NOBODY), (_account, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite_*'",
    );
    for (const { name } of tables.toArray()) sql.exec(`DROP TABLE ${name}`);
    for (const { name, queries } of TEST_MIGRATIONS) {
      const isIt = COMPACT_TRANSACTIONS.test(name);
      if (isIt) for (const row of older) insert(sql, row);
      for (const query of queries) sql.exec(query);
      if (isIt) break;
    }
    return sql
      .exec("SELECT * FROM transactions ORDER BY seq")
      .toArray()
      .map((row) => transactionRow(storedOf(row)));
  });
}

function insert(sql: SqlStorage, row: Record<string, unknown>): void {
  const names = Object.keys(row);
  sql.exec(
    `INSERT INTO transactions (${names.join()}) VALUES (${names.map(() => "?").join()})`,
    ...Object.values(row),
  );
}

function storedOf(row: Record<string, SqlStorageValue>): StoredTransaction {
  const columns = Object.entries(getTableColumns(transactions));
  const values = columns.map(([name, column]) => {
    const value = row[column.name] ?? null;
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(values) as StoredTransaction;
}
