import type { RandomSource } from "../../domain/shared/clock.ts";
import { feeOn } from "../../domain/ledger/fees.ts";
import { newPayoutId } from "../../domain/shared/ids.ts";
import { withdrawRequested } from "../../domain/ledger/ledger.ts";
import type { PixKey } from "../../domain/shared/pix-key.ts";
import {
  toCreatedRecord,
  UNCLAIMED_ACCOUNT,
  type PayoutOrder,
  type WithdrawRecord,
} from "../../domain/withdraws/withdraw.ts";
import { APPROVAL_WINDOW_MS } from "../../domain/withdraws/withdraw-policy.ts";
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
} from "./command-types.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { Freezes } from "../operators/freezes.ts";
import type { WaitingApprovalStore } from "../exits/waiting-approval-store.ts";
import type { WithdrawRules } from "./withdraw-rules.ts";
import type { WithdrawSumStore } from "./withdraw-sum-store.ts";
import type { WithdrawTransitions } from "./withdraw-transitions.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";

const CANCEL_OPERATION = "withdraw_cancel";
/** How long a sandbox withdraw can be cancelled, before its bank pays it. */
export const SANDBOX_CANCEL_WINDOW_MS = 2_000;

/**
 * A withdraw from its request until it is sent; `PayoutCommands` books the rest. Every method runs
 * inside one `transactionSync`; nothing in it awaits.
 */
export class WithdrawCommands {
  readonly #withdraws: WithdrawStore;
  readonly #rules: WithdrawRules;
  readonly #sums: WithdrawSumStore;
  readonly #approvals: WaitingApprovalStore;
  readonly #ledger: LedgerStore;
  readonly #freezes: Freezes;
  readonly #meta: MetaStore;
  readonly #transitions: WithdrawTransitions;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;
  readonly #random: RandomSource;

  constructor(deps: {
    withdraws: WithdrawStore;
    rules: WithdrawRules;
    withdrawSums: WithdrawSumStore;
    approvals: WaitingApprovalStore;
    ledger: LedgerStore;
    freezes: Freezes;
    meta: MetaStore;
    transitions: WithdrawTransitions;
    keys: IdempotencyStore;
    usage: DailyUsage;
    random: RandomSource;
  }) {
    this.#withdraws = deps.withdraws;
    this.#rules = deps.rules;
    this.#sums = deps.withdrawSums;
    this.#approvals = deps.approvals;
    this.#ledger = deps.ledger;
    this.#freezes = deps.freezes;
    this.#meta = deps.meta;
    this.#transitions = deps.transitions;
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
      if (!isSame(known, command)) return { kind: "key_reused" };
      return {
        kind: "replayed",
        withdraw: toCreatedRecord(toRecord(this.#withdraws.require(known.id))),
      };
    }
    const overQuota = this.#usage.refusal(command, nowMs);
    if (overQuota !== null) return overQuota;
    const [refusal] = this.#rules.refusals(command, nowMs);
    if (refusal !== undefined) return refusal;
    assert(command.pixKey !== null, "a withdraw without a key was refused");
    return { kind: "accepted", withdraw: this.#accept(command, command.pixKey, nowMs) };
  }

  /** What `request` would do now, with every refusal. Writes nothing. */
  preview(command: RequestWithdraw, nowMs: number): WithdrawPreview {
    return {
      fee: feeOn(command.amount, command.fee),
      available: this.#rules.withdrawable().available,
      isPending: this.#rules.needsApproval(command, nowMs),
      refusals: this.#rules.refusals(command, nowMs),
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
    const cancelled = this.#transitions.cancel(withdraw, {}, nowMs);
    if (key !== null) this.#keys.add(CANCEL_OPERATION, key, String(id), id);
    return { kind: "cancelled", withdraw: toRecord(cancelled) };
  }

  /**
   * Claims a payout for sending from `account`, exactly once and not while the company is frozen. The
   * lease outlasts the claimer's send. After it, the provider is queried first, at the account that may
   * have sent the payout, so that none is sent twice. A sender whose account may be gone since it was read (`isOutdated`)
   * waits until it is read anew.
   */
  claim(
    id: number,
    { account, isOutdated }: { account: string | null; isOutdated: boolean },
    nowMs: number,
  ): ClaimPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    if (withdraw.status === "Awaiting") {
      if (withdraw.approval === "pending") return { kind: "awaiting_approval" };
      if (this.#rules.frozen() || !this.#verifyOrFreeze(withdraw, nowMs)) return { kind: "frozen" };
      if (isOutdated) return { kind: "wait" };
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
      maySend: this.#verifyOrFreeze(withdraw, nowMs) && !this.#rules.frozen(),
      refusalIsFinal: isRefusalFinal(withdraw.updatedAt, nowMs),
    };
  }

  #accept(command: RequestWithdraw, key: PixKey, nowMs: number): WithdrawRecord {
    const fee = feeOn(command.amount, command.fee);
    const last = this.#withdraws.newestIdAndTime();
    const id = this.#meta.numberAfter(last.id, "withdraw_floor");
    // If the clock steps back, the day must not: the daily limit is counted on the newest withdraw.
    const createdAt = Math.max(nowMs, last.createdAt);
    const { policy } = command;
    const isPending = this.#rules.needsApproval(command, nowMs);
    // The queue is notified right after the commit; this is when it is notified again.
    const notifyAt = nowMs + (command.sandbox ? SANDBOX_CANCEL_WINDOW_MS : RENOTIFY_AFTER_MS);
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
      paidAt: null,
      failureReason: null,
      failureCode: null,
      returnedAmount: 0,
      account: UNCLAIMED_ACCOUNT,
      createdAt,
      updatedAt: createdAt,
      checks: 0,
      leaseUntil: 0,
      nextCheckAt: isPending ? createdAt + APPROVAL_WINDOW_MS : notifyAt,
      movements: [],
      approval: isPending ? "pending" : "none",
      requestedBy: command.requestedBy,
      keyPrefix: command.keyPrefix,
      standing: command.standing,
      decidedBy: null,
      decisionReason: null,
      countedFor: {
        key: policy.keyDailyLimit !== null,
        spendingLimits: (command.spendingLimits?.dailyLimit ?? null) !== null,
        approvalAt: null,
      },
    };
    const postings = withdrawRequested(withdraw.amount, fee);
    const movements = this.#transitions.post(
      withdraw,
      { type: "withdraw_requested", postings },
      nowMs,
    );
    const booked = { ...withdraw, movements };
    this.#withdraws.insert(booked, {
      requestHash: command.requestHash,
      guarded: policy.duplicateGuard,
    });
    this.#sums.add(booked);
    if (isPending) {
      this.#approvals.add(id, createdAt + APPROVAL_WINDOW_MS);
      this.#transitions.announceApproval(booked, "withdraw.awaiting_approval", nowMs);
    }
    // D1 gets the withdraw with its first event; until then only this object can show it.
    return toRecord(withdraw);
  }

  #keyState(command: RequestWithdraw): WithdrawPreview["key"] {
    const known = this.#withdraws.findByIdempotencyKey(command.idempotencyKey);
    if (known === null) return "free";
    return isSame(known, command) ? "repeated" : "reused";
  }

  #verifyOrFreeze(withdraw: StoredWithdraw, nowMs: number): boolean {
    return verifyOrFreeze({ ledger: this.#ledger, freezes: this.#freezes }, withdraw, nowMs);
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

function isSame(known: { requestHash: string }, command: RequestWithdraw): boolean {
  const { requestHash, sentRequestHash } = command;
  return known.requestHash === requestHash || known.requestHash === sentRequestHash;
}
