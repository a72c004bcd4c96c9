import { saoPauloNight } from "../../domain/shared/business-day.ts";
import { parsePayoutId } from "../../domain/shared/ids.ts";
import { pageRange } from "../../domain/shared/page.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { assert } from "../../lib/assert.ts";
import type { WithdrawPage, WithdrawQuery } from "./command-types.ts";
import { DueIndex } from "../storage/due-index.ts";
import { sumsAt, type RunningSums } from "./running-sums.ts";
import { fromRow, type StoredWithdraw, type WithdrawRow } from "./withdraw-row.ts";
import { searchWithdraws } from "./withdraw-search-store.ts";
import { named } from "../storage/named-sql.ts";
import { ReadOnce } from "../storage/read-once.ts";
import { Table } from "../storage/table.ts";

export type { StoredWithdraw } from "./withdraw-row.ts";

/** What the newest withdraw says of those before it. */
export type NewestWithdraw = RunningSums & {
  id: number;
  /** The first withdraw of the guard's current period; null if it was off. */
  guarded_from: number | null;
  /** The first withdraw since which each one is counted for its key; null if it is not. */
  keys_from: number | null;
  /** The movement with which it was accepted. */
  movement: number;
};

/** Stored with a withdraw to detect repeats of its request. */
interface RequestFingerprint {
  requestHash: string;
  /** Whether the duplicate guard was on. */
  guarded: boolean;
}

/** Withdraws without a guard that a search for duplicates reads at most. */
const UNGUARDED_SCAN_MAX = 1_000;
/** A withdraw that kept its money. */
export const NOT_REVERSED = "status NOT IN ('Failed', 'Cancelled', 'Returned')";

/** The columns of a new withdraw; others get theirs when it changes. */
type NewWithdrawRow = Omit<
  WithdrawRow,
  | "account"
  | "approval_counted_at"
  | "decided_by"
  | "decider"
  | "decision_reason"
  | "failure_code"
  | "paid_at"
  | "returned_amount"
> & {
  request_hash: string;
  guarded_from: number | null;
  day_sum: number;
  night_sum: number;
  unapproved_sum: number;
};

const WITHDRAWS = new Table<NewWithdrawRow, WithdrawRow>("withdraws");

/** The company's withdraws and their idempotency keys. */
export class WithdrawStore {
  /** Unclaimed withdraws. */
  readonly awaiting: DueIndex;
  /** Claimed withdraws without a final report. */
  readonly processing: DueIndex;
  readonly #sql: SqlStorage;
  readonly #companyId: () => number;
  /** A new withdraw changes it, and what its day's sums get back. */
  readonly newest = new ReadOnce(() => this.#readNewest());

  constructor(sql: SqlStorage, companyId: () => number) {
    this.#sql = sql;
    this.awaiting = new DueIndex(sql, {
      table: "withdraws",
      index: "withdraws_awaiting",
      status: "Awaiting",
    });
    this.processing = new DueIndex(sql, {
      table: "withdraws",
      index: "withdraws_processing",
      status: "Processing",
    });
    this.#companyId = companyId;
  }

  find(id: number): StoredWithdraw | null {
    const [row] = this.#sql.exec<WithdrawRow>("SELECT * FROM withdraws WHERE id = ?", id).toArray();
    return row === undefined ? null : fromRow(row, this.#companyId());
  }

  require(id: number): StoredWithdraw {
    const withdraw = this.find(id);
    assert(withdraw !== null, `withdraw ${id} exists`);
    return withdraw;
  }

  /** The withdraws with ids from `first` to `last`, ascending. */
  range(first: number, last: number): StoredWithdraw[] {
    const rows = named("SELECT * FROM withdraws WHERE id BETWEEN :first AND :last ORDER BY id")
      .exec<WithdrawRow>(this.#sql, { first, last })
      .toArray();
    if (rows.length === 0) return [];
    const companyId = this.#companyId();
    return rows.map((row) => fromRow(row, companyId));
  }

  /** A page by number, or of a search; `after` null where no page of the search follows. */
  page(page: WithdrawQuery): WithdrawPage & { items: StoredWithdraw[] } {
    const totalItems = this.count();
    if ("after" in page) {
      const { ids, after } = searchWithdraws(this.#sql, totalItems, page);
      return { items: ids.map((id) => this.require(id)), totalItems, after };
    }
    const { first, last } = pageRange(page, totalItems);
    const items = this.range(first, last);
    return { items: page.newestFirst ? items.toReversed() : items, totalItems, after: null };
  }

  /** How many there are: ids are dense, but for those that a restored object leaves out (`raiseNumbers`). */
  count(): number {
    return this.#sql
      .exec<{ total: number }>("SELECT coalesce(max(id), 0) AS total FROM withdraws")
      .one().total;
  }

  /** The withdraw with this payout id, which contains the withdraw's number. */
  findByPayoutId(payoutId: string): StoredWithdraw | null {
    const parsed = parsePayoutId(payoutId);
    const withdraw = parsed === null ? null : this.find(parsed.withdrawId);
    return withdraw?.payoutId === payoutId ? withdraw : null;
  }

  /** The newest withdraw's number and time (epoch ms); zeros before the first. */
  newestIdAndTime(): { id: number; createdAt: number } {
    const newest = this.newest.read();
    return { id: newest?.id ?? 0, createdAt: newest?.created_at ?? 0 };
  }

  /** The withdraw that a key created, and the hash of its request. */
  findByIdempotencyKey(key: string): { id: number; requestHash: string } | null {
    const [row] = this.#sql
      .exec<{ id: number; request_hash: string }>(
        "SELECT id, request_hash FROM withdraws WHERE idempotency_key = ?",
        key,
      )
      .toArray();
    return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
  }

  insert(withdraw: StoredWithdraw, { requestHash, guarded }: RequestFingerprint): void {
    const previous = this.newest.read();
    const { countedFor } = withdraw;
    const guardedFrom = guarded ? (previous?.guarded_from ?? withdraw.id) : null;
    const sums = sumsAt(previous, withdraw.createdAt);
    const isNight = saoPauloNight(withdraw.createdAt) !== null;
    const keysFrom = countedFor.key ? (previous?.keys_from ?? withdraw.id) : null;
    WITHDRAWS.insert(this.#sql, {
      id: withdraw.id,
      payout_id: withdraw.payoutId,
      idempotency_key: withdraw.idempotencyKey,
      amount: withdraw.amount,
      fee: withdraw.fee,
      currency: withdraw.currency,
      pix_key: withdraw.pixKey,
      pix_key_type: withdraw.pixKeyType,
      creditor_document: withdraw.creditorDocument,
      description: withdraw.description,
      metadata: withdraw.metadata,
      status: withdraw.status,
      version: withdraw.version,
      event_sequence: withdraw.eventSequence,
      end_to_end_id: withdraw.endToEndId,
      failure_reason: withdraw.failureReason,
      created_at: withdraw.createdAt,
      updated_at: withdraw.updatedAt,
      checks: withdraw.checks,
      lease_until: withdraw.leaseUntil,
      next_check_at: withdraw.nextCheckAt,
      request_hash: requestHash,
      movements: JSON.stringify(withdraw.movements),
      guarded_from: guardedFrom,
      day_sum: sums.day + withdraw.amount,
      night_sum: isNight ? sums.night + withdraw.amount : 0,
      approval: withdraw.approval,
      requested_by: withdraw.requestedBy?.id ?? "",
      keys_from: keysFrom,
      mandated: countedFor.spendingLimits ? 1 : 0,
      requester: JSON.stringify({
        ...withdraw.requestedBy,
        keyPrefix: withdraw.keyPrefix,
        ...withdraw.standing,
      }),
      unapproved_sum: sums.unapproved + (withdraw.approval === "none" ? withdraw.amount : 0),
    });
    this.newest.forget();
  }

  /** Writes the columns that can change. */
  update(withdraw: StoredWithdraw): void {
    WITHDRAWS.update(
      this.#sql,
      {
        status: withdraw.status,
        version: withdraw.version,
        event_sequence: withdraw.eventSequence,
        end_to_end_id: withdraw.endToEndId,
        failure_reason: withdraw.failureReason,
        failure_code: withdraw.failureCode,
        updated_at: withdraw.updatedAt,
        checks: withdraw.checks,
        lease_until: withdraw.leaseUntil,
        next_check_at: withdraw.nextCheckAt,
        movements: JSON.stringify(withdraw.movements),
        returned_amount: withdraw.returnedAmount,
        account: withdraw.account,
        approval: withdraw.approval,
        decided_by: withdraw.decidedBy?.id ?? null,
        decision_reason: withdraw.decisionReason,
        approval_counted_at: withdraw.countedFor.approvalAt,
        paid_at: withdraw.paidAt,
        decider: withdraw.decidedBy === null ? null : JSON.stringify(withdraw.decidedBy),
      },
      { id: withdraw.id },
    );
  }

  /**
   * The newest withdraw with this key and amount since `sinceMs` that was not reversed. An index has
   * the guarded ones; those from before the guard was switched on are read one by one.
   */
  findDuplicate(pixKey: string, amount: Cents, sinceMs: number): number | null {
    const [row] = named(
      `SELECT id FROM withdraws INDEXED BY withdraws_payee
         WHERE guarded_from IS NOT NULL AND pix_key = :pixKey AND amount = :amount
           AND created_at >= :sinceMs AND ${NOT_REVERSED}
         ORDER BY created_at DESC, id DESC LIMIT 1`,
    )
      .exec<{ id: number }>(this.#sql, { pixKey, amount, sinceMs })
      .toArray();
    return row?.id ?? this.#findUnguardedDuplicate(pixKey, amount, sinceMs);
  }

  /** Withdraws to process; unclaimed ones are left out while the company is frozen. */
  dueIndexes(frozen: boolean): DueIndex[] {
    return frozen ? [this.processing] : [this.processing, this.awaiting];
  }

  hasOpen(): boolean {
    return this.awaiting.next.read() !== null || this.processing.next.read() !== null;
  }

  /**
   * The sum of open withdraws in centavos, which `payout` must equal (invariant I4). Null if more than
   * `limit` have one status.
   */
  inFlightTotal(limit: number): Cents | null {
    const awaiting = this.awaiting.total(limit);
    const processing = this.processing.total(limit);
    return awaiting === null || processing === null ? null : awaiting + processing;
  }

  /** The movement with which the newest withdraw was accepted; 0 before the first. */
  newestMovement(): number {
    return this.newest.read()?.movement ?? 0;
  }

  /** The newest duplicate among withdraws from before the guard was switched on. */
  #findUnguardedDuplicate(pixKey: string, amount: Cents, sinceMs: number): number | null {
    const newest = this.newest.read();
    if (newest === null) return null;
    const rows = named(
      `SELECT id, created_at,
         pix_key = :pixKey AND amount = :amount AND ${NOT_REVERSED} AS isDuplicate
       FROM withdraws WHERE id < :before ORDER BY id DESC LIMIT :limit`,
    ).exec<{
      id: number;
      created_at: number;
      isDuplicate: number;
    }>(this.#sql, {
      pixKey,
      amount,
      before: newest.guarded_from ?? newest.id + 1,
      limit: UNGUARDED_SCAN_MAX,
    });
    for (const { id, created_at: createdAt, isDuplicate } of rows) {
      if (createdAt < sinceMs) return null;
      if (isDuplicate === 1) return id;
    }
    return null;
  }

  #readNewest(): NewestWithdraw | null {
    const [row] = this.#sql
      .exec<NewestWithdraw>(
        `SELECT id, created_at, guarded_from, keys_from, day_sum, unapproved_sum, night_sum, movements ->> '$[0]' AS movement
         FROM withdraws ORDER BY id DESC LIMIT 1`,
      )
      .toArray();
    return row ?? null;
  }
}

/** The part of a withdraw that leaves the object. */
export function toRecord(withdraw: StoredWithdraw): WithdrawRecord {
  const {
    eventSequence: _,
    checks: __,
    leaseUntil: ___,
    nextCheckAt: ____,
    movements: _____,
    countedFor: ______,
    standing: _______,
    keyPrefix: ________,
    ...record
  } = withdraw;
  return record;
}
