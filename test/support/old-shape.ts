import { linesOf } from "../../src/company/journal.ts";
import { migrateCompany } from "../../src/company/migrations.ts";
import { partsOf } from "../../src/company/parts.ts";
import { ACCOUNT_LETTERS, typeOfNumber } from "../../src/company/short-words.ts";
import { idOf } from "../../src/company/stored-id.ts";
import { accountsIn, eventsIn, movementsIn } from "./ledger-rows.ts";

/** The last shape in which a movement's postings, balances and entry stood in tables of their own. */
const POSTINGS_SHAPE = 5;
/** The last one in which ids of transactions were text, and rows said in words what they say now in short. */
const WORDS_SHAPE = 7;
/** Tables that the shape of postings had as they are, but for columns of `charges` and `withdraws`. */
const KEPT = [
  "charges",
  "payments",
  "withdraws",
  "operations",
  "disputes",
  "releases",
  "release_days",
  "idempotency",
  "meta",
];

type Row = Record<string, SqlStorageValue>;

/** Writes all that is in an object's tables into tables of words, as that code left them. */
export function toWordsShape(storage: DurableObjectStorage): void {
  const { sql } = storage;
  const tables = [...KEPT, "movements", "notes", "audits", "audit_suspects"].map((table) => ({
    table,
    rows: rowsInWords(sql, table),
  }));
  dropAll(sql);
  migrateCompany(storage, WORDS_SHAPE);
  for (const { table, rows } of tables) for (const row of rows) insert(sql, table, row);
}

/** The same into tables of the older shape. */
export function toPostingsShape(storage: DurableObjectStorage): void {
  const { sql } = storage;
  const movements = movementsIn(sql);
  const accounts = accountsIn(sql);
  const events = eventsIn(sql);
  const owed = partsOf(sql).stores.outbox.oldest(1_000);
  const kept = KEPT.map((table) => ({ table, rows: rowsInWords(sql, table) }));
  dropAll(sql);
  migrateCompany(storage, POSTINGS_SHAPE);
  for (const { table, rows } of kept) for (const row of rows) insert(sql, table, row);
  for (const { hash, ...movement } of movements) {
    insert(sql, "movements", {
      sequence: movement.sequence,
      type: movement.type,
      currency: "BRL",
      transaction_id: movement.transactionId,
      withdraw_id: movement.withdrawId,
      created_at: movement.createdAt,
      hash,
    });
    for (const line of linesOf({ hash, ...movement })) {
      insert(sql, "postings", { movement: movement.sequence, ...line });
    }
  }
  for (const [account, balance] of Object.entries(accounts)) {
    insert(sql, "accounts", { currency: "BRL", account, balance });
  }
  insert(sql, "meta", { name: "company_sequence", value: events });
  for (const { entry } of owed) {
    insert(sql, "outbox", { entry: JSON.stringify(entry), attempts: 0, due_at: 0 });
  }
  for (const withdraw of kept.find(({ table }) => table === "withdraws")?.rows ?? []) {
    insert(sql, "idempotency", {
      operation: "withdraw",
      key: withdraw["idempotency_key"]!,
      request_hash: withdraw["request_hash"]!,
      record_id: withdraw["id"]!,
    });
  }
  sql.exec(
    `INSERT INTO withdraw_days (day, amount)
     SELECT date(created_at / 1000 - 3 * 3600, 'unixepoch'), sum(amount) FROM withdraws
     WHERE status NOT IN ('Failed', 'Cancelled', 'Returned') GROUP BY 1`,
  );
}

/** A table's rows with ids as text, and with trails, entries, types and postings in full. */
function rowsInWords(sql: SqlStorage, table: string): Row[] {
  const rows = sql.exec<Row>(`SELECT * FROM ${table}`).toArray();
  return rows.map((row) => rowInWords(sql, table, row));
}

function rowInWords(sql: SqlStorage, table: string, row: Row): Row {
  const id = row["transaction_id"];
  const told = id instanceof ArrayBuffer ? { ...row, transaction_id: idOf(id) } : row;
  if (table === "movements") return movementInWords(sql, told);
  if (table === "charges") return { ...told, trail: JSON.stringify(chargeOf(sql, told).trail) };
  return told;
}

function movementInWords(sql: SqlStorage, row: Row): Row {
  const type = typeOfNumber(Number(row["type"]));
  const postings = Object.entries(ACCOUNT_LETTERS).reduce(
    (text, [account, letter]) => text.replace(`"${letter}"`, `"${account}"`),
    row["postings"] as string,
  );
  const isCredit = type === "charge_paid" && row["entry"] !== null;
  return { ...row, type, postings, entry: isCredit ? creditEntry(sql, row) : row["entry"]! };
}

/** The entry of a credit, which said then what its charge says now. */
function creditEntry(sql: SqlStorage, row: Row): string {
  const { paidAt, paidAmount, endToEndId } = chargeOf(sql, row);
  const entry = JSON.parse(row["entry"] as string) as { state?: object; event?: object };
  const state = { paidAt, paidAmount, endToEndId, ...entry.state };
  return JSON.stringify({ event: {}, ...entry, state });
}

function chargeOf(sql: SqlStorage, row: Row) {
  return partsOf(sql).stores.charges.require(row["transaction_id"] as string);
}

function dropAll(sql: SqlStorage): void {
  const tables = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray();
  for (const { name } of tables) sql.exec(`DROP TABLE ${name}`);
}

/** Inserts what of a row its table has columns for. */
function insert(sql: SqlStorage, table: string, row: Row): void {
  const columns = sql
    .exec<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    .toArray()
    .map(({ name }) => name)
    .filter((name) => name in row);
  sql.exec(
    `INSERT OR REPLACE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
    ...columns.map((name) => row[name]),
  );
}
