import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { OpenOperations } from "../../domain/reconciliation/ledger-position.ts";
import type {
  DueDateChange,
  OperationKind,
  OperationOrder,
  OperationStatus,
} from "../../domain/charges/operation.ts";
import type { ChangedBoleto } from "../../domain/charges/payment-details.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { Standing } from "../../domain/access/standing.ts";
import type { Refund } from "../../domain/charges/transaction.ts";
import type { ApprovalStatus } from "../../domain/withdraws/withdraw-status.ts";
import type { RequestedExit } from "../../domain/exits/exit-limits.ts";
import type { PollState } from "../runtime/polling.ts";
import { DueIndex } from "../storage/due-index.ts";
import type { Hold } from "../ledger/holds.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";
import { toExit } from "./requested-exit.ts";

/** Operations on a charge that is not paid. */
const CHARGE_OPERATIONS = ["cancel", "capture", "due_date"] as const;
export type ChargeOperationKind = (typeof CHARGE_OPERATIONS)[number];
/** Open operations that are counted and summed. */
const UNANSWERED_MAX = 1_000;

/** Who asked for an operation, and whether somebody else had to approve it. */
interface OperationRequester {
  /** Null for one from before requesters were stored. */
  requestedBy: Requester | null;
  /** Since when a caller of the company had its rights; null for any other requester. */
  standing: Standing | null;
  approval: ApprovalStatus;
  decidedBy: Requester | null;
  decisionReason: string | null;
  /** The day in whose sums it counts for who asked; null if no limit counts it. */
  countedOn: string | null;
  /** The same for who approved it. */
  decidedOn: string | null;
}

export interface StoredOperation
  extends Omit<OperationOrder, "insteadOf" | "dueDate">, PollState, OperationRequester {
  /** Dense within the company, from 1. */
  id: number;
  /** A refund's money in `blocked`; null for any other operation. */
  hold: Hold | null;
  status: OperationStatus;
  failureReason: string | null;
  createdAt: number;
  /** When it was first sent; null before. */
  sentAt: number | null;
  /** The dispute that a refund stands instead of; null of any other. */
  insteadOf: string | null;
  /** Centavos that the bank says it took for that dispute, or of the same payment, while the refund had no end. */
  bankTook: Cents | null;
  /** Of a change of a due date, once it is done with the boleto as it is since; null of any other. */
  dueDate: (DueDateChange & { boleto?: ChangedBoleto }) | null;
  /** Centavos of a refund that failed here and was done after all that operators had taken; null of any other. */
  covered: Cents | null;
}

type OperationRow = {
  id: number;
  operation_id: string;
  kind: OperationKind;
  transaction_id: string | null;
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
  account: string;
  requested_by: string | null;
  standing: string | null;
  approval: ApprovalStatus;
  decided_by: string | null;
  decision_reason: string | null;
  counted_on: string | null;
  decided_on: string | null;
  sent_at: number | null;
  instead_of: string | null;
  bank_took: number | null;
  due_date: string | null;
  covered: number | null;
};

const OPERATIONS = new Table<
  Omit<OperationRow, "decided_by" | "decision_reason" | "decided_on" | "bank_took" | "covered">,
  OperationRow
>("operations");

/** Refunds, cancels, captures, returns and changes of due dates. */
export class OperationStore {
  /** Operations without a final answer of their provider. */
  readonly pending: DueIndex;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.pending = new DueIndex(sql, {
      table: "operations",
      index: "operations_pending",
      status: "PENDING",
    });
  }

  /** Stores an operation under the next id. */
  insert(operation: Omit<StoredOperation, "id">): StoredOperation {
    const { id } = this.#sql
      .exec<{ id: number }>("SELECT coalesce(max(id), 0) + 1 AS id FROM operations")
      .one();
    OPERATIONS.insert(this.#sql, {
      id,
      operation_id: operation.operationId,
      kind: operation.kind,
      transaction_id: operation.transactionId,
      payment_method: operation.paymentMethod,
      payment_id: operation.paymentId,
      amount: operation.amount,
      holding: jsonOrNull(operation.hold),
      status: operation.status,
      failure_reason: operation.failureReason,
      created_at: operation.createdAt,
      checks: operation.checks,
      lease_until: operation.leaseUntil,
      next_check_at: operation.nextCheckAt,
      account: operation.account,
      requested_by: jsonOrNull(operation.requestedBy),
      standing: jsonOrNull(operation.standing),
      approval: operation.approval,
      counted_on: operation.countedOn,
      sent_at: operation.sentAt,
      instead_of: operation.insteadOf,
      due_date: jsonOrNull(operation.dueDate),
    });
    return { ...operation, id };
  }

  /** Writes an operation's mutable fields. */
  update(operation: StoredOperation): void {
    OPERATIONS.update(
      this.#sql,
      {
        status: operation.status,
        failure_reason: operation.failureReason,
        checks: operation.checks,
        lease_until: operation.leaseUntil,
        next_check_at: operation.nextCheckAt,
        approval: operation.approval,
        decided_by: jsonOrNull(operation.decidedBy),
        decision_reason: operation.decisionReason,
        decided_on: operation.decidedOn,
        sent_at: operation.sentAt,
        bank_took: operation.bankTook,
        due_date: jsonOrNull(operation.dueDate),
        covered: operation.covered,
      },
      { id: operation.id },
    );
  }

  /** The operation as those who approve see it; null for any but a refund or return. */
  findExit(operationId: string): RequestedExit | null {
    const operation = this.findByOperationId(operationId);
    return operation === null ? null : toExit(operation);
  }

  /** Ends an operation: done, or failed with a reason. */
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

  /** A transaction's operations of one kind, oldest first. */
  listByTransaction(kind: OperationKind, transactionId: string): StoredOperation[] {
    return named(
      "SELECT * FROM operations WHERE transaction_id = :transactionId AND kind = :kind ORDER BY id",
    )
      .exec<OperationRow>(this.#sql, { transactionId, kind })
      .toArray()
      .map(fromRow);
  }

  /** A payment's returns that were asked for while its transaction was this one, or null where none was known. */
  returnsOf(paymentId: string, transactionId: string | null): StoredOperation[] {
    return named(
      `SELECT * FROM operations
         WHERE transaction_id IS :transactionId AND kind = 'return' AND payment_id = :paymentId`,
    )
      .exec<OperationRow>(this.#sql, { transactionId, paymentId })
      .toArray()
      .map(fromRow);
  }

  /** A transaction's pending operation of one kind; it has at most one. */
  findPending(transactionId: string, kind: ChargeOperationKind): StoredOperation | null {
    const operations = this.listByTransaction(kind, transactionId);
    return operations.find((operation) => operation.status === "PENDING") ?? null;
  }

  /** The pending operation on a charge itself, of which one goes on at a time. */
  findPendingOnCharge(transactionId: string): StoredOperation | null {
    const pending = CHARGE_OPERATIONS.map((kind) => this.findPending(transactionId, kind));
    return pending.find((operation) => operation !== null) ?? null;
  }

  /** The refund that stands instead of a dispute of a transaction, pending or done; null if there is none. */
  findInsteadOf(dispute: { id: string; transactionId: string }): StoredOperation | null {
    const refunds = this.listByTransaction("refund", dispute.transactionId);
    return (
      refunds.find((each) => each.insteadOf === dispute.id && each.status !== "FAILED") ?? null
    );
  }

  /** The order that an operation sends to its provider. */
  orderOf(operation: StoredOperation): OperationOrder {
    const { kind, transactionId } = operation;
    const refunds =
      kind === "refund" && transactionId !== null
        ? this.listByTransaction("refund", transactionId)
        : [];
    const failed = refunds.filter(({ status }) => status === "FAILED");
    const sent = refunds.filter((each) => wasSentBefore(each, operation));
    return {
      kind,
      operationId: operation.operationId,
      transactionId,
      paymentMethod: operation.paymentMethod,
      paymentId: operation.paymentId,
      amount: operation.amount,
      account: operation.account,
      ...(operation.insteadOf === null ? {} : { insteadOf: operation.insteadOf }),
      ...dueDateOf(operation),
      ...(failed.length === 0 ? {} : { failedBefore: failed.map((each) => each.operationId) }),
      ...(sent.length === 0 ? {} : { sentBefore: sent.map((each) => each.operationId) }),
    };
  }

  /** A transaction's refunds as the API shows them. */
  refundsOf(transactionId: string): Refund[] {
    return this.listByTransaction("refund", transactionId).map(toRefund);
  }

  /** The sum of a transaction's done refunds, in centavos. */
  refundedTotal(transactionId: string): Cents {
    return this.refundsOf(transactionId)
      .filter(({ status }) => status === "DONE")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  hasPending(): boolean {
    return this.pending.next.read() !== null;
  }

  /** What their providers have not answered for good: counted up to 1,000, centavos; null if nothing. */
  unanswered(): OpenOperations | null {
    const { count, amount, since } = this.#sql
      .exec<{ count: number; amount: number; since: number | null }>(
        // One that waits for an approval was never sent: its provider owes no answer.
        `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount, min(created_at) AS since
         FROM (SELECT amount, created_at FROM operations INDEXED BY operations_pending
           WHERE status = 'PENDING' AND approval <> 'pending' LIMIT ?)`,
        UNANSWERED_MAX,
      )
      .one();
    return since === null ? null : { count, amount, since };
  }

  /**
   * Centavos in `blocked` for pending refunds; reads at most `limit` + 1 and is null above `limit`.
   */
  pendingRefundTotal(limit: number): Cents | null {
    const { open, total } = this.#sql
      .exec<{ open: number; total: number }>(
        `SELECT count(*) AS open, coalesce(sum(iif(kind = 'refund', amount, 0)), 0) AS total
         FROM (SELECT kind, amount FROM operations INDEXED BY operations_pending
           WHERE status = 'PENDING' LIMIT ?)`,
        limit + 1,
      )
      .one();
    return open > limit ? null : total;
  }
}

function fromRow(row: OperationRow): StoredOperation {
  return {
    id: row.id,
    operationId: row.operation_id,
    kind: row.kind,
    transactionId: row.transaction_id,
    paymentMethod: row.payment_method,
    paymentId: row.payment_id,
    amount: row.amount,
    hold: parsedOrNull<Hold>(row.holding),
    status: row.status,
    failureReason: row.failure_reason,
    createdAt: row.created_at,
    checks: row.checks,
    leaseUntil: row.lease_until,
    nextCheckAt: row.next_check_at,
    account: row.account,
    requestedBy: parsedOrNull<Requester>(row.requested_by),
    standing: parsedOrNull<Standing>(row.standing),
    approval: row.approval,
    decidedBy: parsedOrNull<Requester>(row.decided_by),
    decisionReason: row.decision_reason,
    countedOn: row.counted_on,
    decidedOn: row.decided_on,
    sentAt: row.sent_at,
    insteadOf: row.instead_of,
    bankTook: row.bank_took,
    dueDate: parsedOrNull<DueDateChange>(row.due_date),
    covered: row.covered,
  };
}

function dueDateOf({ dueDate }: StoredOperation): Pick<OperationOrder, "dueDate"> {
  return dueDate === null ? {} : { dueDate: { from: dueDate.from, to: dueDate.to } };
}

/** Whether a refund without an end was sent before an operation: of any two that were sent, one was. */
function wasSentBefore(other: StoredOperation, { id, sentAt }: StoredOperation): boolean {
  if (other.status !== "PENDING" || other.sentAt === null || other.id === id) return false;
  return sentAt === null || other.sentAt < sentAt || (other.sentAt === sentAt && other.id < id);
}

/** A refund as the API shows it; what is nothing is left out, as in rows from before it was kept. */
function toRefund(operation: StoredOperation): Refund {
  const {
    operationId: id,
    amount,
    status,
    createdAt,
    requestedBy,
    approval,
    decidedBy,
    insteadOf,
  } = operation;
  return {
    id,
    amount,
    status,
    createdAt,
    ...(requestedBy === null ? {} : { requestedBy }),
    ...(approval === "none" ? {} : { approval }),
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(insteadOf === null ? {} : { insteadOf }),
  };
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function parsedOrNull<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
