import type { PaymentMethod } from "../domain/charge-status.ts";
import type { Cents } from "../domain/money.ts";
import type { OperationKind, OperationOrder, OperationStatus } from "../domain/operation.ts";
import type { Refund } from "../domain/transaction.ts";
import type { Attempt } from "./attempts.ts";
import { DueRows, ENDS } from "./due-rows.ts";
import type { Holding } from "./funds.ts";
import { idOrNull, storedId, storedIdOrNull } from "./stored-id.ts";

export interface StoredOperation extends OperationOrder, Attempt {
  /** Dense within the company, from 1. */
  id: number;
  /** A refund's money in `blocked`, and where it goes if the provider refuses. */
  holding: Holding | null;
  status: OperationStatus;
  failureReason: string | null;
  createdAt: number;
}

type OperationRow = {
  id: number;
  operation_id: string;
  kind: OperationKind;
  transaction_id: ArrayBuffer | null;
  payment_method: PaymentMethod;
  payment_id: string | null;
  amount: number;
  holding: string | null;
  status: OperationStatus;
  failure_reason: string | null;
  created_at: number;
  checks: number;
  lease_until: number;
  next_check_at: number | null;
};

/** Refunds, cancels and returns, each with the id its provider knows it by. */
export class OperationStore {
  /** Operations to look after. */
  readonly owed: DueRows;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.owed = new DueRows(sql, "operations");
  }

  insert(operation: Omit<StoredOperation, "id">): StoredOperation {
    const { id } = this.#sql
      .exec<{ id: number }>("SELECT coalesce(max(id), 0) + 1 AS id FROM operations")
      .one();
    this.#sql.exec(
      `INSERT INTO operations (id, operation_id, kind, transaction_id, payment_method,
         payment_id, amount, holding, status, failure_reason, created_at, checks, lease_until,
         next_check_at, open)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
      id,
      operation.operationId,
      operation.kind,
      storedIdOrNull(operation.transactionId),
      operation.paymentMethod,
      operation.paymentId,
      operation.amount,
      operation.holding === null ? null : JSON.stringify(operation.holding),
      operation.status,
      operation.failureReason,
      operation.createdAt,
      operation.checks,
      operation.leaseUntil,
      operation.nextCheckAt,
    );
    this.owed.set(id, operation.nextCheckAt);
    return { ...operation, id };
  }

  /** Writes what of an operation can change. */
  update(operation: StoredOperation): void {
    this.#sql.exec(
      `UPDATE operations SET status = ?, failure_reason = ?, checks = ?, lease_until = ?,
         next_check_at = ?${operation.nextCheckAt === null ? ENDS : ""} WHERE id = ?`,
      operation.status,
      operation.failureReason,
      operation.checks,
      operation.leaseUntil,
      operation.nextCheckAt,
      operation.id,
    );
    this.owed.set(operation.id, operation.nextCheckAt);
  }

  /** The provider's last word: what was asked for is done, or failed with this reason. */
  end(operation: StoredOperation, failureReason: string | null): StoredOperation {
    const ended: StoredOperation = {
      ...operation,
      status: failureReason === null ? "DONE" : "FAILED",
      failureReason,
      leaseUntil: 0,
      nextCheckAt: null,
    };
    this.update(ended);
    return ended;
  }

  find(id: number): StoredOperation | null {
    const [row] = this.#sql
      .exec<OperationRow>("SELECT * FROM operations WHERE id = ?", id)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  findByOperationId(operationId: string): StoredOperation | null {
    const [row] = this.#sql
      .exec<OperationRow>("SELECT * FROM operations WHERE operation_id = ?", operationId)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** What was asked for a transaction, oldest first. */
  ofTransaction(kind: OperationKind, transactionId: string): StoredOperation[] {
    return this.#sql
      .exec<OperationRow>(
        "SELECT * FROM operations WHERE transaction_id = ? AND kind = ? ORDER BY id",
        storedId(transactionId),
        kind,
      )
      .toArray()
      .map(fromRow);
  }

  /** The cancel or capture that is under way; there is at most one of both. */
  openMove(transactionId: string, kind: "cancel" | "capture"): StoredOperation | null {
    const moves = this.ofTransaction(kind, transactionId);
    return moves.find((operation) => operation.status === "PENDING") ?? null;
  }

  /** A transaction's refunds as the API shows them. */
  refundsOf(transactionId: string): Refund[] {
    return this.ofTransaction("refund", transactionId).map(
      ({ operationId, amount, status, createdAt }) => ({
        id: operationId,
        amount,
        status,
        createdAt,
      }),
    );
  }

  isAnyOpen(): boolean {
    const open = `SELECT 1 FROM operations INDEXED BY operations_open
      WHERE open = 1 AND status = 'PENDING' LIMIT 1`;
    return this.#sql.exec(open).toArray().length > 0;
  }

  /** What open refunds hold in `blocked`. */
  sumOfOpenRefunds(): Cents {
    return this.#sql
      .exec<{ total: number }>(
        `SELECT coalesce(sum(amount), 0) AS total FROM operations INDEXED BY operations_open
         WHERE open = 1 AND status = 'PENDING' AND kind = 'refund'`,
      )
      .one().total;
  }
}

function fromRow(row: OperationRow): StoredOperation {
  return {
    id: row.id,
    operationId: row.operation_id,
    kind: row.kind,
    transactionId: idOrNull(row.transaction_id),
    paymentMethod: row.payment_method,
    paymentId: row.payment_id,
    amount: row.amount,
    holding: row.holding === null ? null : (JSON.parse(row.holding) as Holding),
    status: row.status,
    failureReason: row.failure_reason,
    createdAt: row.created_at,
    checks: row.checks,
    leaseUntil: row.lease_until,
    nextCheckAt: row.next_check_at,
  };
}

/** What a provider is asked to do. */
export function toOrder(operation: StoredOperation): OperationOrder {
  return {
    kind: operation.kind,
    operationId: operation.operationId,
    transactionId: operation.transactionId,
    paymentMethod: operation.paymentMethod,
    paymentId: operation.paymentId,
    amount: operation.amount,
  };
}
