import { saoPauloNight } from "../../domain/shared/business-day.ts";
import { parsePayoutId } from "../../domain/shared/ids.ts";
import { pageRange } from "../../domain/shared/page.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { assert } from "../../lib/assert.ts";
import type { WithdrawPage, WithdrawQuery } from "../rpc-types.ts";
import { DueIndex } from "../runtime/due-index.ts";
import { sumsAt, type RunningSums } from "./running-sums.ts";
import { fromRow, type StoredWithdraw, type WithdrawRow } from "./withdraw-row.ts";
import { searchWithdraws } from "./withdraw-search.ts";

export type { StoredWithdraw } from "./withdraw-row.ts";

type NewestRow = RunningSums & {
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

/** The company's withdraws and their idempotency keys. */
export class WithdrawStore {
  /** Unclaimed withdraws. */
  readonly awaiting: DueIndex;
  /** Claimed withdraws without a final report. */
  readonly processing: DueIndex;
  readonly #sql: SqlStorage;
  readonly #companyId: () => number;

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
    const rows = this.#sql
      .exec<WithdrawRow>(
        "SELECT * FROM withdraws WHERE id BETWEEN ? AND ? ORDER BY id",
        first,
        last,
      )
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
    const newest = this.#newest();
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
    const previous = this.#newest();
    const { countedFor } = withdraw;
    const guardedFrom = guarded ? (previous?.guarded_from ?? withdraw.id) : null;
    const sums = sumsAt(previous, withdraw.createdAt);
    const isNight = saoPauloNight(withdraw.createdAt) !== null;
    const keysFrom = countedFor.key ? (previous?.keys_from ?? withdraw.id) : null;
    this.#sql.exec(
      `INSERT INTO withdraws (id, payout_id, idempotency_key, amount, fee, currency, pix_key,
         pix_key_type, creditor_document, description, metadata, status, version, event_sequence,
         end_to_end_id, failure_reason, created_at, updated_at, checks,
         lease_until, next_check_at, request_hash, movements, guarded_from, day_sum, night_sum,
         approval, requested_by, keys_from, mandated, requester, unapproved_sum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      withdraw.id,
      withdraw.payoutId,
      withdraw.idempotencyKey,
      withdraw.amount,
      withdraw.fee,
      withdraw.currency,
      withdraw.pixKey,
      withdraw.pixKeyType,
      withdraw.creditorDocument,
      withdraw.description,
      withdraw.metadata,
      withdraw.status,
      withdraw.version,
      withdraw.eventSequence,
      withdraw.endToEndId,
      withdraw.failureReason,
      withdraw.createdAt,
      withdraw.updatedAt,
      withdraw.checks,
      withdraw.leaseUntil,
      withdraw.nextCheckAt,
      requestHash,
      JSON.stringify(withdraw.movements),
      guardedFrom,
      sums.day + withdraw.amount,
      isNight ? sums.night + withdraw.amount : 0,
      withdraw.approval,
      withdraw.requestedBy?.id ?? "",
      keysFrom,
      countedFor.mandate ? 1 : 0,
      JSON.stringify({
        ...withdraw.requestedBy,
        keyPrefix: withdraw.keyPrefix,
        ...withdraw.standing,
      }),
      sums.unapproved + (withdraw.approval === "none" ? withdraw.amount : 0),
    );
  }

  /** Writes the columns that can change. */
  update(withdraw: StoredWithdraw): void {
    this.#sql.exec(
      `UPDATE withdraws SET status = ?, version = ?, event_sequence = ?, end_to_end_id = ?,
         failure_reason = ?, failure_code = ?, updated_at = ?, checks = ?, lease_until = ?, next_check_at = ?,
         movements = ?, returned_amount = ?, account = ?, approval = ?, decided_by = ?,
         decision_reason = ?, approval_counted_at = ?, paid_at = ?, decider = ?
       WHERE id = ?`,
      withdraw.status,
      withdraw.version,
      withdraw.eventSequence,
      withdraw.endToEndId,
      withdraw.failureReason,
      withdraw.failureCode,
      withdraw.updatedAt,
      withdraw.checks,
      withdraw.leaseUntil,
      withdraw.nextCheckAt,
      JSON.stringify(withdraw.movements),
      withdraw.returnedAmount,
      withdraw.account,
      withdraw.approval,
      withdraw.decidedBy?.id ?? null,
      withdraw.decisionReason,
      withdraw.countedFor.approvalAt,
      withdraw.paidAt,
      withdraw.decidedBy === null ? null : JSON.stringify(withdraw.decidedBy),
      withdraw.id,
    );
  }

  /**
   * The newest withdraw with this key and amount since `sinceMs` that was not reversed. An index has
   * the guarded ones; those from before the guard was switched on are read one by one.
   */
  findDuplicate(pixKey: string, amount: Cents, sinceMs: number): number | null {
    const [row] = this.#sql
      .exec<{ id: number }>(
        `SELECT id FROM withdraws INDEXED BY withdraws_payee
         WHERE guarded_from IS NOT NULL AND pix_key = ? AND amount = ? AND created_at >= ?
           AND ${NOT_REVERSED}
         ORDER BY created_at DESC, id DESC LIMIT 1`,
        pixKey,
        amount,
        sinceMs,
      )
      .toArray();
    return row?.id ?? this.#findUnguardedDuplicate(pixKey, amount, sinceMs);
  }

  /** Withdraws to process; unclaimed ones are left out while the company is frozen. */
  dueIndexes(frozen: boolean): DueIndex[] {
    return frozen ? [this.processing] : [this.processing, this.awaiting];
  }

  hasOpen(): boolean {
    return this.awaiting.nextDueAt() !== null || this.processing.nextDueAt() !== null;
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
    return this.#newest()?.movement ?? 0;
  }

  /** The newest duplicate among withdraws from before the guard was switched on. */
  #findUnguardedDuplicate(pixKey: string, amount: Cents, sinceMs: number): number | null {
    const newest = this.#newest();
    if (newest === null) return null;
    const rows = this.#sql.exec<{ id: number; created_at: number; isDuplicate: number }>(
      `SELECT id, created_at, pix_key = ? AND amount = ? AND ${NOT_REVERSED} AS isDuplicate
       FROM withdraws WHERE id < ? ORDER BY id DESC LIMIT ?`,
      pixKey,
      amount,
      newest.guarded_from ?? newest.id + 1,
      UNGUARDED_SCAN_MAX,
    );
    for (const { id, created_at: createdAt, isDuplicate } of rows) {
      if (createdAt < sinceMs) return null;
      if (isDuplicate === 1) return id;
    }
    return null;
  }

  #newest(): NewestRow | null {
    const [row] = this.#sql
      .exec<NewestRow>(
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
