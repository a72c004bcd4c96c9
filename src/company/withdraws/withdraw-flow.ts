import type { RandomSource } from "../../domain/shared/clock.ts";
import { feeOn } from "../../domain/ledger/fees.ts";
import { newPayoutId } from "../../domain/shared/ids.ts";
import { withdrawRequested, withdrawUndone } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PixKey } from "../../domain/shared/pix-key.ts";
import {
  asCreated,
  UNCLAIMED_ACCOUNT,
  type PayoutOrder,
  type WithdrawRecord,
} from "../../domain/withdraws/withdraw.ts";
import { DUPLICATE_WINDOW_MS } from "../../domain/withdraws/withdraw-policy.ts";
import { assert } from "../../lib/assert.ts";
import { mayBeSent } from "./accepted-payout.ts";
import { HINT_AGAIN_MS, isRefusalFinal, leased, PAYOUT_LEASE_MS } from "../runtime/attempts.ts";
import type {
  CancelWithdrawAnswer,
  ClaimPayoutAnswer,
  RequestWithdraw,
  RequestWithdrawAnswer,
  WithdrawPreview,
  WithdrawRefusal,
} from "../commands.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { WithdrawMoves } from "./withdraw-moves.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";

const CANCEL_OPERATION = "withdraw_cancel";
/** How long a sandbox withdraw can be cancelled: it is paid within 5 s (`product.md` section 9). */
const SANDBOX_WAIT_MS = 2_000;

/**
 * A withdraw from its request until it is sent. What becomes of it there: `PayoutFlow`. Every method runs inside one
 * `transactionSync`; nothing in it awaits.
 */
export class WithdrawFlow {
  readonly #withdraws: WithdrawStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #moves: WithdrawMoves;
  readonly #contradictions: ContradictionStore;
  readonly #keys: IdempotencyStore;
  readonly #random: RandomSource;

  constructor(stores: {
    withdraws: WithdrawStore;
    ledger: LedgerStore;
    meta: MetaStore;
    moves: WithdrawMoves;
    contradictions: ContradictionStore;
    keys: IdempotencyStore;
    random: RandomSource;
  }) {
    this.#withdraws = stores.withdraws;
    this.#ledger = stores.ledger;
    this.#meta = stores.meta;
    this.#moves = stores.moves;
    this.#contradictions = stores.contradictions;
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
      available: this.#withdrawable().available,
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
    const { amount, fee } = withdraw;
    this.#withdraws.giveBackToDay(withdraw, amount);
    const postings = withdrawUndone(amount, fee, this.#ledger.owed());
    const cancelled = this.#moves.move(
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
   * Takes a payout for sending from an account, exactly once; of a frozen company none is sent. The lease
   * keeps others away until a crash of the claimer is certain; after it the payout is only asked about,
   * at the account that sent it, never sent blindly.
   */
  claim(id: number, sender: string | null, nowMs: number): ClaimPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    if (withdraw.status === "Awaiting") {
      if (this.#frozen() || !this.#mayBeSent(withdraw)) return { kind: "held" };
      if (sender === null) return { kind: "no_account" };
      // Its checks so far found nobody to send it; now they count the answers of its provider.
      const claimed = { ...withdraw, ...leased(nowMs, PAYOUT_LEASE_MS), checks: 0 };
      this.#moves.move(claimed, "Processing", { account: sender }, null, nowMs);
      return { kind: "send", order: toOrder(withdraw) };
    }
    if (withdraw.status !== "Processing") return { kind: "settled" };
    if (withdraw.leaseUntil > nowMs) return { kind: "wait" };
    this.#withdraws.update({ ...withdraw, ...leased(nowMs, PAYOUT_LEASE_MS) });
    return {
      kind: "ask",
      order: toOrder(withdraw),
      account: withdraw.account,
      maySend: this.#mayBeSent(withdraw) && !this.#frozen(),
      refusalIsFinal: isRefusalFinal(withdraw.updatedAt, nowMs),
    };
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
    const { available, held } = this.#withdrawable();
    if (available < required) {
      refusals.push({ kind: "insufficient_balance", available, held, required });
    }
    return refusals;
  }

  /** What may be withdrawn, and what of the balance may not, until contradictions were decided. */
  #withdrawable(): { available: Cents; held: Cents } {
    const balance = this.#ledger.balance("available");
    const held = Math.min(this.#contradictions.heldTotal(), balance);
    return { available: balance - held, held };
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
      returnedAmount: 0,
      account: UNCLAIMED_ACCOUNT,
      createdAt,
      updatedAt: createdAt,
      checks: 0,
      leaseUntil: 0,
      // A payout that may be sent at once is hinted right after the commit, and again then.
      nextCheckAt: nowMs + (command.sandbox ? SANDBOX_WAIT_MS : HINT_AGAIN_MS),
      movements: [],
    };
    const postings = withdrawRequested(withdraw.amount, fee);
    const movements = this.#moves.post(withdraw, { type: "withdraw_requested", postings }, nowMs);
    this.#withdraws.insert(
      { ...withdraw, movements },
      { requestHash: command.requestHash, guarded: command.policy.duplicateGuard },
    );
    // D1 is told with its first event: until then nobody but this object shows it.
    return toRecord(withdraw);
  }

  #keyState(command: RequestWithdraw): WithdrawPreview["key"] {
    const known = this.#withdraws.byKey(command.idempotencyKey);
    if (known === null) return "free";
    return known.requestHash === command.requestHash ? "repeated" : "reused";
  }

  #mayBeSent(withdraw: StoredWithdraw): boolean {
    return mayBeSent({ ledger: this.#ledger, meta: this.#meta }, withdraw);
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
