import { byHandChargeIds, byHandIdOf } from "../../domain/subscriptions/cycle-charge.ts";
import type {
  CycleDebit,
  CycleRecovery,
  CycleStatus,
  SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../domain/subscriptions/subscription.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** A cycle as the object keeps it. */
export interface StoredCycle extends SubscriptionCycle {
  /** When the PSP last told of its debit, epoch milliseconds; null before. */
  checkedAt: number | null;
}

type CycleRow = {
  number: number;
  subscription_id: string;
  cycle: number;
  due_date: string;
  amount: number;
  status: string;
  transaction_id: string;
  debit: string;
  attempts: string;
  recovery: string | null;
  checked_at: number | null;
  created_at: number;
  updated_at: number;
  version: number;
};

const CYCLES = new Table<CycleRow>("subscription_cycles");
const OTHER_CHARGES = new Table<{ transaction_id: string; cycle: number }>("cycle_charges");

/** Cycles of subscriptions, once they are opened. None is ever deleted. */
export class CycleStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The number of the newest; 0 before the first. */
  newest(): number {
    return this.#sql
      .exec<{ newest: number }>(
        "SELECT coalesce(max(number), 0) AS newest FROM subscription_cycles",
      )
      .one().newest;
  }

  /** A subscription's cycle by its place; null before it was opened. */
  find(subscriptionId: string, cycle: number): StoredCycle | null {
    const [row] = named(
      "SELECT * FROM subscription_cycles WHERE subscription_id = :subscriptionId AND cycle = :cycle",
    )
      .exec<CycleRow>(this.#sql, { subscriptionId, cycle })
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** The cycle of a charge; null for any other charge. */
  ofCharge(transactionId: string): StoredCycle | null {
    const [row] = this.#sql
      .exec<CycleRow>("SELECT * FROM subscription_cycles WHERE transaction_id = ?", transactionId)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** The cycle of a charge, or of one beside its debit; null for any other charge. */
  ofAnyCharge(transactionId: string): StoredCycle | null {
    const debited = this.ofCharge(transactionId);
    if (debited !== null) return debited;
    const [row] = named(
      `SELECT c.* FROM cycle_charges o JOIN subscription_cycles c ON c.number = o.cycle
       WHERE o.transaction_id BETWEEN :first AND :last
         AND substr(o.transaction_id, :from) = substr(:first, :from)`,
    )
      .exec<CycleRow>(this.#sql, byHandChargeIds(transactionId))
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** A subscription's open cycles, by their place. */
  open(subscriptionId: string): StoredCycle[] {
    return this.#sql
      .exec<CycleRow>(
        `SELECT * FROM subscription_cycles INDEXED BY subscription_cycles_open
         WHERE subscription_id = ? AND status = 'open' ORDER BY cycle`,
        subscriptionId,
      )
      .toArray()
      .map(fromRow);
  }

  /** All cycles of a subscription, by their place. */
  of(subscriptionId: string): StoredCycle[] {
    return this.#sql
      .exec<CycleRow>(
        "SELECT * FROM subscription_cycles WHERE subscription_id = ? ORDER BY cycle",
        subscriptionId,
      )
      .toArray()
      .map(fromRow);
  }

  /** The newest cycle of a subscription after one (0: of all) that is paid, or whose failure was told; null without one. */
  newestDue(subscriptionId: string, after: number): StoredCycle | null {
    const [row] = named(
      `SELECT * FROM subscription_cycles INDEXED BY subscription_cycles_cycle
       WHERE subscription_id = :subscriptionId AND cycle > :after
         AND (status IN ('paid', 'failed') OR status = 'open' AND debit ->> '$.isFailureTold')
       ORDER BY cycle DESC LIMIT 1`,
    )
      .exec<CycleRow>(this.#sql, { subscriptionId, after })
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** Cycles after a number, ascending. */
  after(number: number, limit: number): StoredCycle[] {
    return named(
      "SELECT * FROM subscription_cycles WHERE number > :number ORDER BY number LIMIT :limit",
    )
      .exec<CycleRow>(this.#sql, { number, limit })
      .toArray()
      .map(fromRow);
  }

  save(cycle: StoredCycle): void {
    CYCLES.replace(this.#sql, {
      number: cycle.number,
      subscription_id: cycle.subscriptionId,
      cycle: cycle.cycle,
      due_date: cycle.dueDate,
      amount: cycle.amount,
      status: cycle.status,
      transaction_id: cycle.transactionId,
      debit: JSON.stringify(cycle.debit),
      attempts: JSON.stringify(cycle.attempts),
      recovery: cycle.recovery === null ? null : JSON.stringify(cycle.recovery),
      checked_at: cycle.checkedAt,
      created_at: cycle.createdAt,
      updated_at: cycle.updatedAt,
      version: cycle.version,
    });
    // From its opening on: a restore to before it can be paid by hand knows that charge, too.
    const link = { transaction_id: byHandIdOf(cycle), cycle: cycle.number };
    OTHER_CHARGES.insert(
      this.#sql,
      link,
      "ON CONFLICT DO UPDATE SET cycle = excluded.cycle WHERE cycle <> excluded.cycle",
    );
  }
}

/** A stored cycle as D1 and the API have it. */
export function toCycle({ checkedAt: _checkedAt, ...cycle }: StoredCycle): SubscriptionCycle {
  return cycle;
}

function fromRow(row: CycleRow): StoredCycle {
  return {
    number: row.number,
    subscriptionId: row.subscription_id,
    cycle: row.cycle,
    dueDate: row.due_date,
    amount: row.amount,
    status: row.status as CycleStatus,
    transactionId: row.transaction_id,
    debit: JSON.parse(row.debit) as CycleDebit,
    attempts: JSON.parse(row.attempts) as DebitAttempt[],
    recovery: row.recovery === null ? null : (JSON.parse(row.recovery) as CycleRecovery),
    checkedAt: row.checked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}
