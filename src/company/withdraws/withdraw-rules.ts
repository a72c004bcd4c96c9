import { feeOn } from "../../domain/ledger/fees.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { refusalsBySpendingLimits } from "../../domain/withdraws/spending-limits.ts";
import {
  isFreshFromOperator,
  refusalOfApprover,
  type ApproverRefusal,
} from "../../domain/access/standing.ts";
import {
  coolDownMs,
  DUPLICATE_WINDOW_MS,
  needsApproval,
  refusalByKey,
  refusalsByPolicy,
  type WithdrawPolicy,
} from "../../domain/withdraws/withdraw-policy.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type {
  ApprovalRefusal,
  BalanceRefusal,
  DecideWithdraw,
  MainPixKey,
  RequestWithdraw,
  WithdrawRefusal,
} from "./command-types.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { AllowedPixKeyStore } from "./allowed-pix-key-store.ts";
import type { StoredWithdraw, WithdrawStore } from "./withdraw-store.ts";
import type { WithdrawSumStore } from "./withdraw-sum-store.ts";

/** Decides whether a withdraw may be accepted or approved. Writes nothing. */
export class WithdrawRules {
  readonly #withdraws: WithdrawStore;
  readonly #sums: WithdrawSumStore;
  readonly #allowedPixKeys: AllowedPixKeyStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    withdraws: WithdrawStore;
    withdrawSums: WithdrawSumStore;
    allowedPixKeys: AllowedPixKeyStore;
    ledger: LedgerStore;
    meta: MetaStore;
    contradictions: ContradictionStore;
  }) {
    this.#withdraws = deps.withdraws;
    this.#sums = deps.withdrawSums;
    this.#allowedPixKeys = deps.allowedPixKeys;
    this.#ledger = deps.ledger;
    this.#meta = deps.meta;
    this.#contradictions = deps.contradictions;
  }

  /** Every refusal of a withdraw, in the order in which clients see them. */
  refusals(command: RequestWithdraw, nowMs: number): WithdrawRefusal[] {
    const refusals: WithdrawRefusal[] = [];
    const { amount, pixKey, policy, minimum } = command;
    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });
    if (this.frozen()) refusals.push({ kind: "frozen" });
    if (pixKey === null) refusals.push({ kind: "no_pix_key" });
    const duplicate =
      policy.duplicateGuard && pixKey !== null
        ? this.#withdraws.findDuplicate(pixKey.value, amount, nowMs - DUPLICATE_WINDOW_MS)
        : null;
    if (duplicate !== null && duplicate !== command.confirmedDuplicate) {
      refusals.push({ kind: "possible_duplicate", withdrawId: duplicate });
    }
    refusals.push(...this.#refusalsByRules(command, nowMs));
    const uncovered = this.#uncovered(amount + feeOn(amount, command.fee), 0);
    return uncovered === null ? refusals : [...refusals, uncovered];
  }

  /** Whether a withdraw that is accepted now waits until it is approved. */
  needsApproval({ policy, amount, standing }: RequestWithdraw, nowMs: number): boolean {
    if (isFreshFromOperator(standing, nowMs, coolDownMs(policy))) return true;
    return needsApproval(policy, amount, () => this.#sums.unapprovedOfDay(this.timeOf(nowMs)));
  }

  /**
   * Why who decides is no second pair of eyes for this withdraw; null if they are. To refuse one stops money, so that
   * anybody may but the one who asked.
   */
  fourEyesRefusal(
    { decision, decidedBy, standing, policy }: DecideWithdraw,
    withdraw: StoredWithdraw,
  ): ApproverRefusal | null {
    const { requestedBy, createdAt } = withdraw;
    const asked = { id: requestedBy?.id ?? "", standing: withdraw.standing, at: createdAt };
    const approver = { id: decidedBy.id, standing };
    if (decision === "refuse") return asked.id === approver.id ? "requester" : null;
    return refusalOfApprover(asked, approver, coolDownMs(policy));
  }

  /**
   * Why an application may not approve a withdraw now: the company is frozen, its own spending limits do not cover it, its
   * key is no longer allowed, or its money is needed for what contradictions hold by now. The limits counted it when
   * it was requested.
   * Null if the application may.
   */
  approvalRefusal(
    { decidedBy, spendingLimits, policy, mainPixKey }: DecideWithdraw,
    { amount, fee, pixKey }: WithdrawRecord,
    nowMs: number,
  ): ApprovalRefusal | null {
    if (this.frozen()) return { kind: "frozen" };
    const at = this.timeOf(nowMs);
    const keyCountsFrom = () => this.#keyCountsFrom(pixKey, mainPixKey, policy);
    const [bySpendingLimits] = refusalsBySpendingLimits(
      spendingLimits,
      { amount, pixKey, at },
      () => this.#sums.ofApplication(decidedBy.id, at),
    );
    const required = amount + fee;
    return (
      bySpendingLimits ??
      refusalByKey(policy, { at, keyCountsFrom }) ??
      this.#uncovered(required, required)
    );
  }

  /** The balance without, and the part of it with, holds by open contradictions. Centavos. */
  withdrawable(): { available: Cents; held: Cents } {
    return this.#withdrawableWith(0);
  }

  frozen(): boolean {
    return this.#meta.get("frozen") === 1;
  }

  /** The refusal of a withdraw of which `reserved` centavos left the balance already; null if the balance covers it. */
  #uncovered(required: Cents, reserved: Cents): BalanceRefusal | null {
    const { available, held } = this.#withdrawableWith(reserved);
    return available < required
      ? { kind: "insufficient_balance", available, held, required }
      : null;
  }

  #withdrawableWith(reserved: Cents): { available: Cents; held: Cents } {
    const balance = this.#ledger.balance("available") + reserved;
    const held = Math.min(this.#contradictions.heldTotal(), balance);
    return { available: balance - held, held };
  }

  /** If the clock steps back, the day must not: sums are kept for the newest withdraw's day. */
  timeOf(nowMs: number): number {
    return Math.max(nowMs, this.#withdraws.newestIdAndTime().createdAt);
  }

  /** The refusals of the application's spending limits and the company's policy. Without a key only the limits count. */
  #refusalsByRules(command: RequestWithdraw, nowMs: number): WithdrawRefusal[] {
    const { amount, pixKey, policy, spendingLimits, requestedBy, mainPixKey } = command;
    const at = this.timeOf(nowMs);
    const byPolicy = refusalsByPolicy(policy, {
      amount,
      at,
      // A withdraw without a key was refused for that already.
      keyCountsFrom: () =>
        pixKey === null ? 0 : this.#keyCountsFrom(pixKey.value, mainPixKey, policy),
      dayTotal: () => this.#sums.ofDay(at),
      nightTotal: () => this.#sums.ofNight(at),
      keyDayTotal: () => (pixKey === null ? 0 : this.#sums.ofKey(pixKey.value, at)),
    });
    if (pixKey === null) return byPolicy;
    const payment = { amount, pixKey: pixKey.value, at };
    const usedToday = () => this.#sums.ofApplication(requestedBy.id, at);
    return [...refusalsBySpendingLimits(spendingLimits, payment, usedToday), ...byPolicy];
  }

  /**
   * From when a key counts as allowed: a listed one as the list says, the main one after the cool-down of its last
   * change, and always if it never changed. Null if it is neither.
   */
  #keyCountsFrom(
    pixKey: string,
    mainPixKey: MainPixKey | null,
    policy: Pick<WithdrawPolicy, "allowedPixKeys">,
  ): number | null {
    const isMain = pixKey === mainPixKey?.value;
    if (isMain && mainPixKey.since === null) return 0;
    const listedFrom = this.#allowedPixKeys.find(pixKey)?.countsFrom ?? null;
    if (!isMain) return listedFrom;
    const mainFrom = (mainPixKey.since ?? 0) + coolDownMs(policy);
    return listedFrom === null ? mainFrom : Math.min(listedFrom, mainFrom);
  }
}
