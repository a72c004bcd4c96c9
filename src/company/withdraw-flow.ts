import type { RandomSource } from "../domain/clock.ts";
import { withdrawEventType } from "../domain/event-types.ts";
import { feeOn } from "../domain/fees.ts";
import { newPayoutId } from "../domain/ids.ts";
import {
  withdrawPaid,
  withdrawRequested,
  withdrawReturned,
  withdrawUndone,
  type MovementType,
  type Posting,
} from "../domain/ledger.ts";
import type { PixKey } from "../domain/pix-key.ts";
import { asCreated, type PayoutOrder, type WithdrawRecord } from "../domain/withdraw.ts";
import { DUPLICATE_WINDOW_MS } from "../domain/withdraw-policy.ts";
import { canMoveWithdraw, type WithdrawStatus } from "../domain/withdraw-status.ts";
import { assert } from "../lib/assert.ts";
import { HINT_AGAIN_MS, isRefusalFinal, leased, PAYOUT_LEASE_MS, unanswered } from "./attempts.ts";
import type {
  CancelWithdrawAnswer,
  ClaimPayoutAnswer,
  DecidePayoutAnswer,
  PayoutReport,
  RecordPayoutAnswer,
  RequestWithdraw,
  RequestWithdrawAnswer,
  WithdrawPreview,
  WithdrawRefusal,
} from "./commands.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "./meta-store.ts";
import type { OutboxStore } from "./outbox-store.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";

const CANCEL_OPERATION = "withdraw_cancel";
/** How long a sandbox withdraw can be cancelled: it is paid within 5 s (`product.md` section 9). */
const SANDBOX_WAIT_MS = 2_000;

/**
 * A withdraw from request to the receiving bank's answer. Every method runs inside one
 * `transactionSync`; nothing in it awaits.
 */
export class WithdrawFlow {
  readonly #withdraws: WithdrawStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;
  readonly #keys: IdempotencyStore;
  readonly #random: RandomSource;

  constructor(stores: {
    withdraws: WithdrawStore;
    ledger: LedgerStore;
    meta: MetaStore;
    outbox: OutboxStore;
    keys: IdempotencyStore;
    random: RandomSource;
  }) {
    this.#withdraws = stores.withdraws;
    this.#ledger = stores.ledger;
    this.#meta = stores.meta;
    this.#outbox = stores.outbox;
    this.#keys = stores.keys;
    this.#random = stores.random;
  }

  /**
   * Accepts a withdraw or says why not: a replay first, then the checks of `product.md` section 6
   * in their order. A refusal writes nothing and leaves the key free.
   */
  request(command: RequestWithdraw, nowMs: number): RequestWithdrawAnswer {
    const known = this.#withdraws.byKey(command.idempotencyKey);
    if (known !== null) {
      if (known.requestHash !== command.requestHash) return { kind: "key_reused" };
      return { kind: "replayed", withdraw: asCreated(toRecord(this.#withdraws.require(known.id))) };
    }
    const [refusal] = this.#refusals(command, nowMs);
    if (refusal !== undefined) return refusal;
    assert(command.pixKey !== null, "a withdraw without a key was refused");
    return { kind: "accepted", withdraw: this.#accept(command, command.pixKey, nowMs) };
  }

  /** What `request` would do now, with every refusal there is. Writes nothing. */
  preview(command: RequestWithdraw, nowMs: number): WithdrawPreview {
    return {
      fee: feeOn(command.amount, command.fee),
      available: this.#ledger.balance("available"),
      refusals: this.#refusals(command, nowMs),
      key: this.#keyState(command),
    };
  }

  /** Takes back a withdraw that nobody claimed yet: amount and fee return to `available`. */
  cancel(id: number, key: string | null, nowMs: number): CancelWithdrawAnswer {
    const known = key === null ? null : this.#keys.find(CANCEL_OPERATION, key);
    if (known !== null) {
      if (known.recordId !== id) return { kind: "key_reused" };
      return { kind: "replayed", withdraw: toRecord(this.#withdraws.require(id)) };
    }
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    if (withdraw.status !== "Awaiting") return { kind: "not_allowed", status: withdraw.status };
    const cancelled = this.#undo(
      { ...withdraw, nextCheckAt: null },
      { status: "Cancelled" },
      {
        type: "withdraw_cancelled",
        postings: withdrawUndone(withdraw.amount, withdraw.fee, this.#ledger.owed()),
      },
      nowMs,
    );
    if (key !== null) this.#keys.add(CANCEL_OPERATION, key, String(id), id);
    return { kind: "cancelled", withdraw: toRecord(cancelled) };
  }

  /**
   * Takes a payout for sending, exactly once; of a frozen company none is sent. The lease keeps others away until a crash of the
   * claimer is certain; after it the payout is only asked about, never sent blindly.
   */
  claim(id: number, nowMs: number): ClaimPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    if (withdraw.status === "Awaiting") {
      if (this.#frozen()) return { kind: "held" };
      const claimed = { ...withdraw, ...leased(nowMs, PAYOUT_LEASE_MS) };
      this.#move(claimed, { status: "Processing" }, null, nowMs);
      return { kind: "send", order: toOrder(withdraw) };
    }
    if (withdraw.status !== "Processing") return { kind: "settled" };
    if (withdraw.leaseUntil > nowMs) return { kind: "wait" };
    this.#withdraws.update({ ...withdraw, ...leased(nowMs, PAYOUT_LEASE_MS) });
    const refusalIsFinal = isRefusalFinal(withdraw.updatedAt, nowMs);
    return { kind: "ask", order: toOrder(withdraw), maySend: !this.#frozen(), refusalIsFinal };
  }

  /** Books what the provider says. Only explicit answers are final; anything else is asked again. */
  record(id: number, report: PayoutReport, nowMs: number): RecordPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    switch (report.kind) {
      case "processing":
      case "unknown":
        return this.#recordOpen(withdraw, nowMs);
      case "paid":
        return this.#recordPaid(withdraw, report.endToEndId, nowMs);
      case "failed":
        return this.#recordFailed(withdraw, report.reason, nowMs);
      case "returned":
        return this.#recordReturned(withdraw, report.endToEndId, nowMs);
    }
  }

  /**
   * An operator's word. Not while somebody is sending or asking, and not before its provider was asked:
   * what is under way would be booked twice.
   */
  decide(id: number, report: PayoutReport, nowMs: number): DecidePayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    const open = withdraw?.status === "Processing";
    if (open && (withdraw.leaseUntil > nowMs || withdraw.checks === 0)) {
      return { kind: "under_way" };
    }
    return this.record(id, report, nowMs);
  }

  /** Everything that stands against a withdraw, in the order in which it is told. */
  #refusals(command: RequestWithdraw, nowMs: number): WithdrawRefusal[] {
    const refusals: WithdrawRefusal[] = [];
    const { amount, pixKey, policy, minimum } = command;
    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });
    if (this.#frozen()) refusals.push({ kind: "frozen" });
    if (pixKey === null) refusals.push({ kind: "no_pix_key" });
    const alike =
      policy.duplicateGuard && pixKey !== null
        ? this.#withdraws.findAlike(pixKey.value, amount, nowMs - DUPLICATE_WINDOW_MS)
        : null;
    if (alike !== null && alike !== command.confirmedDuplicate) {
      refusals.push({ kind: "possible_duplicate", withdrawId: alike });
    }
    const limit = policy.dailyLimit;
    const withdrawnToday = limit === null ? 0 : this.#withdraws.sumOfDay(nowMs);
    if (limit !== null && withdrawnToday + amount > limit) {
      refusals.push({ kind: "daily_limit_exceeded", limit, withdrawnToday });
    }
    const required = amount + feeOn(amount, command.fee);
    const available = this.#ledger.balance("available");
    if (available < required) {
      refusals.push({ kind: "insufficient_balance", available, required });
    }
    return refusals;
  }

  #accept(command: RequestWithdraw, key: PixKey, nowMs: number): WithdrawRecord {
    const fee = feeOn(command.amount, command.fee);
    const last = this.#withdraws.last();
    const id = last.id + 1;
    // A clock that steps back must not put it on an earlier day than those before it.
    const createdAt = Math.max(nowMs, last.createdAt);
    const withdraw: StoredWithdraw = {
      id,
      companyId: command.companyId,
      payoutId: newPayoutId(command.companyId, id, this.#random),
      idempotencyKey: command.idempotencyKey,
      amount: command.amount,
      fee,
      currency: command.currency,
      pixKey: key.value,
      pixKeyType: key.type,
      creditorDocument: command.creditorDocument,
      description: command.description,
      metadata: command.metadata,
      status: "Awaiting",
      version: 1,
      eventSequence: 0,
      endToEndId: null,
      failureReason: null,
      createdAt,
      updatedAt: createdAt,
      checks: 0,
      leaseUntil: 0,
      // A payout that may be sent at once is hinted right after the commit, and again then.
      nextCheckAt: nowMs + (command.sandbox ? SANDBOX_WAIT_MS : HINT_AGAIN_MS),
      movements: [],
    };
    const postings = withdrawRequested(withdraw.amount, fee);
    const movements = this.#post(withdraw, "withdraw_requested", postings, nowMs);
    this.#withdraws.insert(
      { ...withdraw, movements },
      { requestHash: command.requestHash, guarded: command.policy.duplicateGuard },
    );
    // D1 is told with its first event: until then nobody but this object shows it.
    return toRecord(withdraw);
  }

  /** The claimer's report ends its lease. */
  #recordOpen(withdraw: StoredWithdraw, nowMs: number): RecordPayoutAnswer {
    if (withdraw.status !== "Processing") return contradictionOr(withdraw, "Processing");
    const waiting = { ...withdraw, ...unanswered(withdraw.checks, nowMs) };
    this.#withdraws.update(waiting);
    return { kind: "recorded", withdraw: toRecord(waiting) };
  }

  #recordPaid(
    withdraw: StoredWithdraw,
    endToEndId: string | null,
    nowMs: number,
  ): RecordPayoutAnswer {
    if (withdraw.status !== "Processing") return contradictionOr(withdraw, "Paid");
    const paid = this.#move(
      { ...withdraw, nextCheckAt: null },
      { status: "Paid", endToEndId },
      { type: "withdraw_paid", postings: withdrawPaid(withdraw.amount) },
      nowMs,
    );
    return { kind: "recorded", withdraw: toRecord(paid) };
  }

  #recordFailed(withdraw: StoredWithdraw, reason: string, nowMs: number): RecordPayoutAnswer {
    if (withdraw.status !== "Processing") return contradictionOr(withdraw, "Failed");
    const failed = this.#undo(
      { ...withdraw, nextCheckAt: null },
      { status: "Failed", failureReason: reason },
      {
        type: "withdraw_failed",
        postings: withdrawUndone(withdraw.amount, withdraw.fee, this.#ledger.owed()),
      },
      nowMs,
    );
    return { kind: "recorded", withdraw: toRecord(failed) };
  }

  /** A return says that it was paid first, so a missed `paid` is booked on the way. */
  #recordReturned(
    withdraw: StoredWithdraw,
    endToEndId: string | null,
    nowMs: number,
  ): RecordPayoutAnswer {
    if (withdraw.status === "Processing") {
      this.#recordPaid(withdraw, endToEndId, nowMs);
      return this.#recordReturned(this.#withdraws.require(withdraw.id), endToEndId, nowMs);
    }
    if (withdraw.status !== "Paid") return contradictionOr(withdraw, "Returned");
    const returned = this.#undo(
      withdraw,
      { status: "Returned" },
      {
        type: "withdraw_returned",
        postings: withdrawReturned(withdraw.amount, withdraw.fee, this.#ledger.owed()),
      },
      nowMs,
    );
    return { kind: "recorded", withdraw: toRecord(returned) };
  }

  /** A move that brings the money back, and gives it back to the day's limit it was taken from. */
  #undo(
    withdraw: StoredWithdraw,
    change: Pick<WithdrawRecord, "status"> & Partial<WithdrawRecord>,
    movement: { type: MovementType; postings: Posting[] },
    nowMs: number,
  ): StoredWithdraw {
    this.#withdraws.giveBackToDay(withdraw);
    return this.#move(withdraw, change, movement, nowMs);
  }

  #keyState(command: RequestWithdraw): WithdrawPreview["key"] {
    const known = this.#withdraws.byKey(command.idempotencyKey);
    if (known === null) return "free";
    return known.requestHash === command.requestHash ? "repeated" : "reused";
  }

  #frozen(): boolean {
    return this.#meta.get("frozen") === 1;
  }

  #move(
    withdraw: StoredWithdraw,
    change: Pick<WithdrawRecord, "status"> & Partial<WithdrawRecord>,
    movement: { type: MovementType; postings: Posting[] } | null,
    nowMs: number,
  ): StoredWithdraw {
    assert(
      canMoveWithdraw(withdraw.status, change.status),
      `${withdraw.status} to ${change.status}`,
    );
    const type = withdrawEventType(change.status);
    assert(type !== null, `${change.status} is announced`);
    const moved: StoredWithdraw = {
      ...withdraw,
      ...change,
      version: withdraw.version + 1,
      eventSequence: withdraw.eventSequence + 1,
      updatedAt: nowMs,
      movements:
        movement === null
          ? withdraw.movements
          : this.#post(withdraw, movement.type, movement.postings, nowMs),
    };
    this.#withdraws.update(moved);
    this.#outbox.add(
      {
        kind: "withdraw",
        withdraw: toRecord(moved),
        event: {
          type,
          companySequence: this.#meta.nextEvent(),
          sequence: moved.eventSequence,
          previousStatus: withdraw.status,
          timestamp: nowMs,
        },
      },
      nowMs,
    );
    return moved;
  }

  /** Answers the numbers of the withdraw's movements, this one among them. */
  #post(
    { id, movements }: StoredWithdraw,
    type: MovementType,
    postings: Posting[],
    nowMs: number,
  ): number[] {
    this.#ledger.post({ type, postings, withdrawId: id }, nowMs);
    return [...movements, this.#ledger.newestMovement()];
  }
}

/** A report of the state the withdraw is already in is a repeat; any other is a contradiction. */
function contradictionOr(withdraw: StoredWithdraw, reported: WithdrawStatus): RecordPayoutAnswer {
  const repeat =
    withdraw.status === reported || (reported === "Paid" && withdraw.status === "Returned");
  return repeat || reported === "Processing"
    ? { kind: "recorded", withdraw: toRecord(withdraw) }
    : { kind: "contradiction", status: withdraw.status };
}

function toOrder(withdraw: StoredWithdraw): PayoutOrder {
  return {
    payoutId: withdraw.payoutId,
    amount: withdraw.amount,
    pixKey: withdraw.pixKey,
    pixKeyType: withdraw.pixKeyType,
    creditorDocument: withdraw.creditorDocument,
    description: withdraw.description,
  };
}
