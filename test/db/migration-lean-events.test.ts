import { runInDurableObject } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import { expect, it } from "vitest";
import { companyStub } from "../../src/company/stub.ts";
import { bodyOf } from "../../src/db/event-bodies.ts";
import { attemptsIn, deliveriesIn } from "../../src/db/event-rows.ts";
import { formatUuid } from "../../src/domain/ids.ts";
import { DELIVERY_STATUSES } from "../../src/db/schema/webhooks.ts";
import { EVENT_TYPES } from "../../src/domain/event-types.ts";
import { pack } from "../../src/lib/packed.ts";
import { env } from "../support/env.ts";

const { TEST_MIGRATIONS } = workerEnv as unknown as {
  TEST_MIGRATIONS: { name: string; queries: string[] }[];
};
const MIGRATION = "0013_lean_events.sql";
/** An object that is nobody's, whose SQLite is emptied to play D1. */
const NOBODY = 99_999_998;
const ID = "01a20057-d8b3-8381-bdb8-2f0180000001";
const BODY = JSON.stringify({ type: "transaction.paid", data: { id: ID } });
const AT = 1_795_302_086_867;

type Row = Record<string, SqlStorageValue>;

/** Runs D1's migrations to that one, in whose old shape `given` writes, and answers what is there. */
function afterMigration(given: (sql: SqlStorage) => void, ...queries: string[]): Promise<Row[][]> {
  const index = TEST_MIGRATIONS.findIndex(({ name }) => name === MIGRATION);
  expect(index).toBeGreaterThan(0);
  return runInDurableObject(companyStub(env, NOBODY), (_account, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'",
    );
    for (const { name } of tables.toArray()) sql.exec(`DROP TABLE ${name}`);
    for (const [place, migration] of TEST_MIGRATIONS.slice(0, index + 1).entries()) {
      if (place === index) given(sql);
      for (const query of migration.queries) sql.exec(query);
    }
    return queries.map((query) => sql.exec(query).toArray());
  });
}

function insertOld(sql: SqlStorage, row: unknown[]): void {
  sql.exec(
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body,
       postback, endpoint) VALUES (1, ?, ?, ?, 1, ?, ?, ?, ?)`,
    ...row,
  );
}

it("carries every event over: its type, object, body, deliveries and their attempts", async () => {
  const delivered = {
    url: "https://a",
    status: "delivered",
    dueAt: null,
    updatedAt: AT + 90,
    attempts: 1_002,
    tries: [
      [AT + 10, 41, null, "timeout", ""],
      [AT + 50, 40, 200, null, 'ok "so" \u0000 é'],
    ],
  };
  const { dueAt: _none, ...withoutDue } = delivered;
  const pending = { ...delivered, status: "pending", dueAt: AT + 700, attempts: 0, tries: [] };
  const [rows, due] = await afterMigration(
    (sql) => {
      const both = [JSON.stringify(delivered), JSON.stringify(pending)];
      insertOld(sql, [1, "transaction.paid", ID, AT, pack(BODY), ...both]);
      insertOld(sql, [
        2,
        "withdraw.paid",
        "withdraw:7",
        AT,
        new Uint8Array([123, 125]),
        null,
        null,
      ]);
      insertOld(sql, [
        3,
        "balance.released",
        "balance:BRL",
        AT,
        pack(BODY),
        null,
        JSON.stringify(withoutDue),
      ]);
    },
    "SELECT * FROM events ORDER BY company_sequence",
    "SELECT company_sequence AS number, due_at AS at FROM events INDEXED BY events_due WHERE due_at IS NOT NULL",
  );

  const events = rows!.map(asRead);
  expect(events.map(({ type, objectId, body }) => [type, objectId, body])).toEqual([
    ["transaction.paid", ID, BODY],
    ["withdraw.paid", "withdraw:7", "{}"],
    ["balance.released", "balance:BRL", BODY],
  ]);
  const told = { ...delivered, companyId: 1, createdAt: AT };
  expect(events.map(({ deliveries }) => deliveries)).toEqual([
    [
      { ...told, ...pending, companySequence: 1, objectId: ID, target: "endpoint" },
      { ...told, companySequence: 1, objectId: ID, target: "postback" },
    ],
    [],
    [{ ...told, companySequence: 3, objectId: "balance:BRL", target: "endpoint" }],
  ]);
  expect(events[2]!.deliveries.flatMap(attemptsIn)).toEqual([
    {
      number: 1_001,
      createdAt: AT + 10,
      durationMs: 41,
      httpStatus: null,
      fault: "timeout",
      answer: "",
    },
    {
      number: 1_002,
      createdAt: AT + 50,
      durationMs: 40,
      httpStatus: 200,
      fault: null,
      answer: 'ok "so" \u0000 é',
    },
  ]);
  expect(due).toEqual([{ number: 1, at: AT + 700 }]);
});

it("knows every type and every status by the number that rows have of it", async () => {
  const [types, statuses, balances] = await afterMigration(
    (sql) => {
      for (const [place, type] of EVENT_TYPES.entries()) {
        const status = DELIVERY_STATUSES[place % DELIVERY_STATUSES.length];
        const delivery = { url: "", status, updatedAt: AT, attempts: 0, tries: [] };
        insertOld(sql, [
          place,
          type,
          `test:${place}`,
          AT,
          pack(""),
          null,
          JSON.stringify(delivery),
        ]);
      }
    },
    "SELECT type FROM events ORDER BY company_sequence",
    "SELECT endpoint ->> 1 AS status FROM events ORDER BY company_sequence LIMIT 5",
    "SELECT company_sequence AS place FROM events INDEXED BY events_balance WHERE type = 13",
  );
  expect(types).toEqual(EVENT_TYPES.map((_, place) => ({ type: place })));
  expect(statuses).toEqual(DELIVERY_STATUSES.map((_, place) => ({ status: place })));
  expect(balances).toEqual([{ place: EVENT_TYPES.indexOf("balance.released") }]);
});

/** A row as it is read from D1 today. */
function asRead(row: Row) {
  const id = row["object_id"];
  const objectId = id instanceof ArrayBuffer ? formatUuid(new Uint8Array(id)) : String(id);
  const event = {
    companyId: Number(row["company_id"]),
    companySequence: Number(row["company_sequence"]),
    objectId,
    createdAt: Number(row["created_at"]),
    postback: JSON.parse(row["postback"] as string),
    endpoint: JSON.parse(row["endpoint"] as string),
  };
  return {
    type: EVENT_TYPES[Number(row["type"])],
    objectId,
    body: bodyOf({ ...event, body: new Uint8Array(row["body"] as ArrayBuffer) }),
    deliveries: deliveriesIn(event),
  };
}
