import { assert } from "../../lib/assert.ts";
import { APPROVAL_WINDOW_MS } from "../../domain/withdraws/withdraw-policy.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { RENOTIFY_AFTER_MS } from "../runtime/polling.ts";
import type { DecideWithdraw, DecideWithdrawAnswer } from "./command-types.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { WaitingApprovalStore } from "../exits/waiting-approval-store.ts";
import { SANDBOX_CANCEL_WINDOW_MS } from "./withdraw-commands.ts";
import type { WithdrawRules } from "./withdraw-rules.ts";
import type { WithdrawSumStore } from "./withdraw-sum-store.ts";
import type { WithdrawTransitions } from "./withdraw-transitions.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";

/** Withdraws that one run cancels because nobody approved them in time; the next alarm does the rest. */
const EXPIRED_PER_RUN = 100;
const EXPIRED = "Nobody approved it in time.";

/**
 * Approves, refuses and expires withdraws above the company's limit for approvals. Every method runs inside
 * one `transactionSync`; nothing in it awaits.
 */
export class ApprovalCommands {
  readonly #withdraws: WithdrawStore;
  readonly #approvals: WaitingApprovalStore;
  readonly #rules: WithdrawRules;
  readonly #sums: WithdrawSumStore;
  readonly #transitions: WithdrawTransitions;
  readonly #keys: IdempotencyStore;

  constructor(deps: {
    withdraws: WithdrawStore;
    approvals: WaitingApprovalStore;
    rules: WithdrawRules;
    withdrawSums: WithdrawSumStore;
    transitions: WithdrawTransitions;
    keys: IdempotencyStore;
  }) {
    this.#withdraws = deps.withdraws;
    this.#approvals = deps.approvals;
    this.#rules = deps.rules;
    this.#sums = deps.withdrawSums;
    this.#transitions = deps.transitions;
    this.#keys = deps.keys;
  }

  /** Approves or refuses a withdraw. A known key replays its first answer; a refusal to decide keeps it free. */
  decide(command: DecideWithdraw, nowMs: number): DecideWithdrawAnswer {
    const { id, decision, decidedBy, idempotencyKey: key, requestHash } = command;
    const operation = `withdraw_${decision}`;
    const known = this.#keys.find(operation, key);
    if (known !== null) {
      if (known.requestHash !== requestHash) return { kind: "key_reused" };
      assert(known.answer !== null, "a decision is stored with its answer");
      return { kind: "replayed", withdraw: JSON.parse(known.answer) as WithdrawRecord };
    }
    const found = this.#withdraws.find(id);
    if (found === null) return { kind: "not_found" };
    const withdraw = this.#isExpired(found, nowMs) ? this.#expire(found, nowMs) : found;
    const { status, approval } = withdraw;
    if (status !== "Awaiting" || approval !== "pending") {
      return { kind: "not_allowed", status, approval };
    }
    const why = this.#rules.fourEyesRefusal(command, withdraw);
    if (why !== null) return { kind: "no_four_eyes", why };
    if (decision === "approve") {
      const refusal = this.#rules.approvalRefusal(command, withdraw, nowMs);
      if (refusal !== null) return { kind: "refused", refusal };
    }
    const decided = toRecord(
      decision === "approve"
        ? this.#approve(withdraw, command, nowMs)
        : this.#refuse(withdraw, { decidedBy, decisionReason: command.reason }, nowMs),
    );
    this.#keys.add(operation, key, requestHash, id);
    this.#keys.saveAnswer(operation, key, JSON.stringify(decided));
    return { kind: "decided", withdraw: decided };
  }

  /** Cancels withdraws whose window is over, at most `EXPIRED_PER_RUN`. Also while the company is frozen. */
  expireDue(nowMs: number): void {
    for (const id of this.#approvals.expired(nowMs, EXPIRED_PER_RUN)) {
      this.#expire(this.#withdraws.require(id), nowMs);
    }
  }

  /** Two things happen, each with its event: somebody refused, and the withdraw is cancelled. */
  #refuse(
    withdraw: StoredWithdraw,
    decision: Pick<WithdrawRecord, "decidedBy" | "decisionReason">,
    nowMs: number,
  ): StoredWithdraw {
    const refused = this.#transitions.announceApproval(
      { ...withdraw, ...decision, approval: "refused" },
      "withdraw.refused",
      nowMs,
    );
    this.#approvals.remove(withdraw.id);
    return this.#transitions.cancel(refused, {}, nowMs);
  }

  #isExpired({ approval, createdAt }: StoredWithdraw, nowMs: number): boolean {
    return approval === "pending" && createdAt + APPROVAL_WINDOW_MS <= nowMs;
  }

  #expire(withdraw: StoredWithdraw, nowMs: number): StoredWithdraw {
    return this.#transitions.cancel(withdraw, { decisionReason: EXPIRED }, nowMs);
  }

  /** From now on its payout may be claimed. The money left the available balance with the request. */
  #approve(
    withdraw: StoredWithdraw,
    { decidedBy, reason, spendingLimits, sandbox }: DecideWithdraw,
    nowMs: number,
  ): StoredWithdraw {
    const isLimited = (spendingLimits?.dailyLimit ?? null) !== null;
    const approved: StoredWithdraw = {
      ...withdraw,
      approval: "approved",
      decidedBy,
      decisionReason: reason,
      updatedAt: nowMs,
      countedFor: {
        ...withdraw.countedFor,
        approvalAt: isLimited ? this.#rules.timeOf(nowMs) : null,
      },
      nextCheckAt: nowMs + (sandbox ? SANDBOX_CANCEL_WINDOW_MS : RENOTIFY_AFTER_MS),
    };
    this.#approvals.remove(withdraw.id);
    this.#sums.addApproval(approved);
    return this.#transitions.announceApproval(approved, "withdraw.approved", nowMs);
  }
}
