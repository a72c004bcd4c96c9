import type { TableRow, RowsByTable } from "../../domain/shared/inspection.ts";
import { withdrawSubject } from "../../domain/shared/event-subject.ts";

/** What an operator inspects: one transaction, one withdraw, or the company. */
export type InspectQuery =
  | { of: "transaction"; transactionId: string }
  | { of: "withdraw"; withdrawId: number }
  | { of: "company" };

/** Rows shown of each table. */
const ROWS_MAX = 100;
/** Rows searched without an index. */
const SCANNED_MAX = 1_000;

/**
 * The object's stored rows about one subject, by table. Changes nothing: no credit is released and no
 * alarm is set. Amounts in centavos, times in epoch milliseconds.
 */
export function inspect(sql: SqlStorage, query: InspectQuery): RowsByTable {
  const rows = (statement: string, ...value: OneValue): TableRow[] =>
    sql.exec<TableRow>(`${statement} LIMIT ${ROWS_MAX}`, ...value).toArray();
  switch (query.of) {
    case "transaction":
      return ofTransaction(rows, query.transactionId);
    case "withdraw":
      return ofWithdraw(rows, query.withdrawId);
    case "company":
      return ofCompany(rows);
  }
}

/** More than one would need names (`named-sql.ts`). */
type OneValue = [] | [SqlStorageValue];
type QueryRows = (statement: string, ...value: OneValue) => TableRow[];

function ofTransaction(rows: QueryRows, id: string): RowsByTable {
  const charges = rows("SELECT * FROM charges WHERE transaction_id = ?", id);
  return {
    charges,
    movements: movementsOf(rows, charges[0]),
    payments: rows(
      `SELECT p.* FROM json_each(?) t CROSS JOIN payments p ON p.payment_id = t.value ->> '$.cause.id'
       WHERE t.value ->> '$.cause.kind' = 'payment'`,
      charges[0]?.["trail"] ?? "[]",
    ),
    operations: rows("SELECT * FROM operations WHERE transaction_id = ? ORDER BY id", id),
    disputes: rows("SELECT * FROM disputes WHERE transaction_id = ?", id),
    releases: rows("SELECT * FROM releases WHERE transaction_id = ? ORDER BY installment", id),
    outbox: rows(
      `SELECT * FROM (SELECT * FROM outbox ORDER BY sequence LIMIT ${SCANNED_MAX})
       WHERE entry ->> '$.transactionId' = ? ORDER BY sequence`,
      id,
    ),
    outbox_set_aside: rows("SELECT * FROM outbox_set_aside WHERE subject = ? ORDER BY id", id),
    contradictions: contradictionsOf(rows, id),
    operator_decisions: rows(
      `SELECT d.* FROM operations o JOIN operator_decisions d ON d.target = 'operation:' || o.operation_id
       WHERE o.transaction_id = ?`,
      id,
    ),
    checkouts: rows(
      `SELECT c.* FROM checkout_charges t JOIN checkouts c ON c.id = t.checkout_id
       WHERE t.transaction_id = ?`,
      id,
    ),
    checkout_charges: rows(
      `SELECT o.* FROM checkout_charges t JOIN checkout_charges o USING (checkout_id)
       WHERE t.transaction_id = ?`,
      id,
    ),
  };
}

function ofWithdraw(rows: QueryRows, id: number): RowsByTable {
  const withdraws = rows("SELECT * FROM withdraws WHERE id = ?", id);
  return {
    withdraws,
    movements: movementsOf(rows, withdraws[0]),
    outbox: rows(
      `SELECT * FROM (SELECT * FROM outbox ORDER BY sequence LIMIT ${SCANNED_MAX})
       WHERE entry ->> '$.withdraw.id' = ? ORDER BY sequence`,
      id,
    ),
    outbox_set_aside: rows(
      "SELECT * FROM outbox_set_aside WHERE subject = ? ORDER BY id",
      withdrawSubject(id),
    ),
    rechecks: rows("SELECT * FROM rechecks WHERE kind = 'payout' AND subject = ?", String(id)),
    pending_approvals: rows("SELECT * FROM pending_approvals WHERE withdraw_id = ?", id),
    contradictions: contradictionsOf(rows, withdrawSubject(id)),
    operator_decisions: rows(
      "SELECT * FROM operator_decisions WHERE target = ? ORDER BY decided_at",
      withdrawSubject(id),
    ),
  };
}

function contradictionsOf(rows: QueryRows, object: string): TableRow[] {
  return rows("SELECT * FROM contradictions WHERE object = ? ORDER BY number", object);
}

/** The newest movements in a row's `movements`, oldest first. */
function movementsOf(rows: QueryRows, row: TableRow | undefined): TableRow[] {
  return rows(
    `SELECT * FROM movements
     WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC`,
    row?.["movements"] ?? "[]",
  ).toReversed();
}

function ofCompany(rows: QueryRows): RowsByTable {
  return {
    company: rows("SELECT * FROM company"),
    "movements, the newest": rows(
      "SELECT * FROM (SELECT * FROM movements ORDER BY sequence DESC LIMIT 10)",
    ),
    "withdraws, awaiting": rows(
      "SELECT * FROM withdraws WHERE status = 'Awaiting' ORDER BY next_check_at",
    ),
    "withdraws, processing": rows(
      "SELECT * FROM withdraws WHERE status = 'Processing' ORDER BY next_check_at",
    ),
    pending_approvals: rows("SELECT * FROM pending_approvals ORDER BY withdraw_id"),
    waiting_exits: rows("SELECT * FROM waiting_exits ORDER BY operation"),
    exit_sums: rows("SELECT * FROM exit_sums ORDER BY subject"),
    "payment_links, the newest": rows("SELECT * FROM payment_links ORDER BY number DESC"),
    "checkouts, held": rows(
      "SELECT * FROM checkouts INDEXED BY checkouts_held WHERE status = 'held' ORDER BY held_until",
    ),
    allowed_pix_keys: rows("SELECT * FROM allowed_pix_keys ORDER BY id"),
    "operations, pending": rows(
      "SELECT * FROM operations WHERE status = 'PENDING' ORDER BY next_check_at",
    ),
    outbox: rows("SELECT * FROM outbox ORDER BY sequence"),
    outbox_set_aside: rows("SELECT * FROM outbox_set_aside ORDER BY id"),
    unarchived: rows("SELECT * FROM unarchived ORDER BY number"),
    "contradictions, open": rows(
      "SELECT * FROM contradictions INDEXED BY contradictions_open WHERE status <> 'decided'",
    ),
    "rechecks, the next": rows(
      "SELECT * FROM rechecks WHERE status = 'OPEN' ORDER BY next_check_at",
    ),
    "releases, the next": rows("SELECT * FROM releases ORDER BY due_at"),
    "suspense_disputes, open": rows(
      "SELECT * FROM suspense_disputes INDEXED BY suspense_disputes_open WHERE status = 'OPEN'",
    ),
    audits: [
      ...rows("SELECT * FROM audits WHERE walk = 'cron'"),
      ...rows("SELECT * FROM audits WHERE walk = 'reconcile'"),
    ],
  };
}
