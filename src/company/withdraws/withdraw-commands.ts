import type { RandomSource } from "../../domain/shared/clock.ts";
import { feeOn } from "../../domain/ledger/fees.ts";
import { newPayoutId } from "../../domain/shared/ids.ts";
import { withdrawRequested, withdrawReversed } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PixKey } from "../../domain/shared/pix-key.ts";
import {
  toCreatedRecord,
  UNCLAIMED_ACCOUNT,
  type PayoutOrder,
  type WithdrawRecord,
} from "../../domain/withdraws/withdraw.ts";
import { DUPLICATE_WINDOW_MS } from "../../domain/withdraws/withdraw-policy.ts";
import { assert } from "../../lib/assert.ts";
import { verifyOrFreeze } from "./payout-check.ts";
import {
  RENOTIFY_AFTER_MS,
  isRefusalFinal,
  acquireLease,
  PAYOUT_LEASE_MS,
} from "../runtime/polling.ts";
import type {
  CancelWithdrawAnswer,
  ClaimPayoutAnswer,
  RequestWithdraw,
  RequestWithdrawAnswer,
  WithdrawPreview,
  WithdrawRefusal,
} from "../rpc-types.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { WithdrawTransitions } from "./withdraw-transitions.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";

const CANCEL_OPERATION = "withdraw_cancel";
/** How long a sandbox withdraw can be cancelled, before its bank pays it. */
const SANDBOX_CANCEL_WINDOW_MS = 2_000;

/**
 * A withdraw from its request until it is sent; `PayoutCommands` books the rest. Every method runs
 * inside one `transactionSync`; nothing in it awaits.
 */
export class WithdrawCommands {
  readonly #withdraws: WithdrawStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #transitions: WithdrawTransitions;
  readonly #contradictions: ContradictionStore;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;
  readonly #random: RandomSource;

  constructor(deps: {
    withdraws: WithdrawStore;
    ledger: LedgerStore;
    meta: MetaStore;
    transitions: WithdrawTransitions;
    contradictions: ContradictionStore;
    keys: IdempotencyStore;
    usage: DailyUsage;
    random: RandomSource;
  }) {
    this.#withdraws = deps.withdraws;
    this.#ledger = deps.ledger;
    this.#meta = deps.meta;
    this.#transitions = deps.transitions;
    this.#contradictions = deps.contradictions;
    this.#keys = deps.keys;
    this.#usage = deps.usage;
    this.#random = deps.random;
  }

  /**
   * Accepts or refuses a withdraw; a known idempotency key is replayed. Only the first refusal is
   * returned. A refusal writes nothing and leaves the key free.
   */
  request(command: RequestWithdraw, nowMs: number): RequestWithdrawAnswer {
    const known = this.#withdraws.findByIdempotencyKey(command.idempotencyKey);
    if (known !== null) {
      if (known.requestHash !== command.requestHash) return { kind: "key_reused" };
      return {
        kind: "replayed",
        withdraw: toCreatedRecord(toRecord(this.#withdraws.require(known.id))),
      };
    }
    const overQuota = this.#usage.refusal(command, nowMs);
    if (overQuota !== null) return overQuota;
    const [refusal] = this.#refusals(command, nowMs);
    if (refusal !== undefined) return refusal;
    assert(command.pixKey !== null, "a withdraw without a key was refused");
    return { kind: "accepted", withdraw: this.#accept(command, command.pixKey, nowMs) };
  }

  /** What `request` would do now, with every refusal. Writes nothing. */
  preview(command: RequestWithdraw, nowMs: number): WithdrawPreview {
    return {
      fee: feeOn(command.amount, command.fee),
      available: this.#withdrawable().available,
      refusals: this.#refusals(command, nowMs),
      key: this.#keyState(command),
    };
  }

  /** Cancels an unclaimed withdraw: amount and fee return to `available`. Replays a known `key`. */
  cancel(id: number, key: string | null, nowMs: number): CancelWithdrawAnswer {
    const known = key === null ? null : this.#keys.find(CANCEL_OPERATION, key);
    if (known !== null) {
      if (known.recordId !== id) return { kind: "key_reused" };
      return { kind: "replayed", withdraw: toRecord(this.#withdraws.require(id)) };
    }
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    if (withdraw.status !== "Awaiting") return { kind: "not_allowed", status: withdraw.status };
    const { amount, fee } = withdraw;
    this.#withdraws.restoreDailyLimit(withdraw, amount);
    const postings = withdrawReversed(amount, fee, this.#ledger.debt());
    const cancelled = this.#transitions.transition(
      { ...withdraw, nextCheckAt: null },
      "Cancelled",
      {},
      { type: "withdraw_cancelled", postings },
      nowMs,
    );
    if (key !== null) this.#keys.add(CANCEL_OPERATION, key, String(id), id);
    return { kind: "cancelled", withdraw: toRecord(cancelled) };
  }

  /**
   * Claims a payout for sending from `account`, exactly once and not while the company is frozen. The
   * lease outlasts the claimer's send. After it, the provider is queried first, at the account that may
   * have sent the payout, so that none is sent twice.
   */
  claim(id: number, account: string | null, nowMs: number): ClaimPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    if (withdraw.status === "Awaiting") {
      if (this.#frozen() || !this.#verifyOrFreeze(withdraw)) return { kind: "frozen" };
      if (account === null) return { kind: "no_account" };
      // Earlier checks only found no account; from now on they count polls of the provider.
      const claimed = { ...withdraw, ...acquireLease(nowMs, PAYOUT_LEASE_MS), checks: 0 };
      this.#transitions.transition(claimed, "Processing", { account }, null, nowMs);
      return { kind: "send", order: toOrder(withdraw) };
    }
    if (withdraw.status !== "Processing") return { kind: "settled" };
    if (withdraw.leaseUntil > nowMs) return { kind: "wait" };
    this.#withdraws.update({ ...withdraw, ...acquireLease(nowMs, PAYOUT_LEASE_MS) });
    return {
      kind: "query",
      order: toOrder(withdraw),
      account: withdraw.account,
      maySend: this.#verifyOrFreeze(withdraw) && !this.#frozen(),
      refusalIsFinal: isRefusalFinal(withdraw.updatedAt, nowMs),
    };
  }

  /** Every refusal of a withdraw, in the order in which clients see them. */
  #refusals(command: RequestWithdraw, nowMs: number): WithdrawRefusal[] {
    const refusals: WithdrawRefusal[] = [];
    const { amount, pixKey, policy, minimum } = command;
    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });
    if (this.#frozen()) refusals.push({ kind: "frozen" });
    if (pixKey === null) refusals.push({ kind: "no_pix_key" });
    const duplicate =
      policy.duplicateGuard && pixKey !== null
        ? this.#withdraws.findDuplicate(pixKey.value, amount, nowMs - DUPLICATE_WINDOW_MS)
        : null;
    if (duplicate !== null && duplicate !== command.confirmedDuplicate) {
      refusals.push({ kind: "possible_duplicate", withdrawId: duplicate });
    }
    const limit = policy.dailyLimit;
    const withdrawnToday = limit === null ? 0 : this.#withdraws.dailyTotal(nowMs);
    if (limit !== null && withdrawnToday + amount > limit) {
      refusals.push({ kind: "daily_limit_exceeded", limit, withdrawnToday });
    }
    const required = amount + feeOn(amount, command.fee);
    const { available, held } = this.#withdrawable();
    if (available < required) {
      refusals.push({ kind: "insufficient_balance", available, held, required });
    }
    return refusals;
  }

  /** The balance without, and the part of it with, holds by open contradictions. Centavos. */
  #withdrawable(): { available: Cents; held: Cents } {
    const balance = this.#ledger.balance("available");
    const held = Math.min(this.#contradictions.heldTotal(), balance);
    return { available: balance - held, held };
  }

  #accept(command: RequestWithdraw, key: PixKey, nowMs: number): WithdrawRecord {
    const fee = feeOn(command.amount, command.fee);
    const last = this.#withdraws.newestIdAndTime();
    const id = last.id + 1;
    // If the clock steps back, the day must not: the daily limit is counted on the newest withdraw.
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
      returnedAmount: 0,
      account: UNCLAIMED_ACCOUNT,
      createdAt,
      updatedAt: createdAt,
      checks: 0,
      leaseUntil: 0,
      // The queue is notified right after the commit; this is when it is notified again.
      nextCheckAt: nowMs + (command.sandbox ? SANDBOX_CANCEL_WINDOW_MS : RENOTIFY_AFTER_MS),
      movements: [],
    };
    const postings = withdrawRequested(withdraw.amount, fee);
    const movements = this.#transitions.post(
      withdraw,
      { type: "withdraw_requested", postings },
      nowMs,
    );
    this.#withdraws.insert(
      { ...withdraw, movements },
      { requestHash: command.requestHash, guarded: command.policy.duplicateGuard },
    );
    // D1 gets the withdraw with its first event; until then only this object can show it.
    return toRecord(withdraw);
  }

  #keyState(command: RequestWithdraw): WithdrawPreview["key"] {
    const known = this.#withdraws.findByIdempotencyKey(command.idempotencyKey);
    if (known === null) return "free";
    return known.requestHash === command.requestHash ? "repeated" : "reused";
  }

  #verifyOrFreeze(withdraw: StoredWithdraw): boolean {
    return verifyOrFreeze({ ledger: this.#ledger, meta: this.#meta }, withdraw);
  }

  #frozen(): boolean {
    return this.#meta.get("frozen") === 1;
  }
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
