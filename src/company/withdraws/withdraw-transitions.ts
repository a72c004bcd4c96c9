import { withdrawEventType, type WithdrawEventType } from "../../domain/events/event-types.ts";
import { withdrawReversed, type MovementType, type Posting } from "../../domain/ledger/ledger.ts";
import { payoutDetailsOf } from "../../domain/ledger/movement-details.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import {
  canTransitionWithdraw,
  type WithdrawStatus,
} from "../../domain/withdraws/withdraw-status.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import { assert } from "../../lib/assert.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { WaitingApprovalStore } from "../exits/waiting-approval-store.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";
import type { WithdrawSumStore } from "./withdraw-sum-store.ts";

/** What a transition changes besides the status. */
export type WithdrawChange = Partial<Omit<WithdrawRecord, "status">>;

export interface WithdrawMovement {
  type: MovementType;
  postings: Posting[];
}

/** Writes a withdraw's changes: its row, its movement, its event. Runs inside one `transactionSync`. */
export class WithdrawTransitions {
  readonly #withdraws: WithdrawStore;
  readonly #sums: WithdrawSumStore;
  readonly #approvals: WaitingApprovalStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: {
    withdraws: WithdrawStore;
    withdrawSums: WithdrawSumStore;
    approvals: WaitingApprovalStore;
    ledger: LedgerStore;
    meta: MetaStore;
    outbox: OutboxStore;
  }) {
    this.#withdraws = deps.withdraws;
    this.#sums = deps.withdrawSums;
    this.#approvals = deps.approvals;
    this.#ledger = deps.ledger;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Sets a status that `canTransition` allows, and announces it. Throws if it is not allowed. */
  transition(
    withdraw: StoredWithdraw,
    status: WithdrawStatus,
    change: WithdrawChange,
    movement: WithdrawMovement | null,
    nowMs: number,
    canTransition: typeof canTransitionWithdraw = canTransitionWithdraw,
  ): StoredWithdraw {
    assert(canTransition(withdraw.status, status), `${withdraw.status} to ${status}`);
    const type = withdrawEventType(status);
    assert(type !== null, `${status} is announced`);
    const changed = { ...withdraw, ...change, status };
    const written = status === "Paid" ? { ...changed, paidAt: nowMs } : changed;
    return this.#write(written, type, movement, nowMs, withdraw.status);
  }

  /**
   * Cancels an unclaimed withdraw: amount and fee return to `available`, and the limits get the amount back.
   * One that waits for an approval ends as `refused`.
   */
  cancel(
    withdraw: StoredWithdraw,
    decision: Partial<Pick<WithdrawRecord, "decisionReason">>,
    nowMs: number,
  ): StoredWithdraw {
    const { amount, fee } = withdraw;
    this.#sums.restore(withdraw, amount);
    const isPending = withdraw.approval === "pending";
    if (isPending) this.#approvals.remove(withdraw.id);
    const postings = withdrawReversed(amount, fee, this.#ledger.debt());
    return this.transition(
      { ...withdraw, nextCheckAt: null },
      "Cancelled",
      isPending ? { ...decision, approval: "refused" } : decision,
      { type: "withdraw_cancelled", postings },
      nowMs,
    );
  }

  /** Announces a step of an approval. The status stays. */
  announceApproval(
    withdraw: StoredWithdraw,
    type: "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused",
    nowMs: number,
  ): StoredWithdraw {
    return this.#write(withdraw, type, null, nowMs, withdraw.status);
  }

  /** Announces that part of a paid withdraw came back. It stays Paid. */
  applyPartialReturn(
    withdraw: StoredWithdraw,
    change: WithdrawChange,
    movement: WithdrawMovement,
    nowMs: number,
  ): StoredWithdraw {
    assert(withdraw.status === "Paid", `a partial return of a withdraw that is ${withdraw.status}`);
    const type = "withdraw.partially_returned";
    return this.#write({ ...withdraw, ...change }, type, movement, nowMs, withdraw.status);
  }

  /**
   * Books a movement; returns the numbers of all the withdraw's movements. The first one carries the
   * payee, so that a later change of the row is detected.
   */
  post(withdraw: StoredWithdraw, { type, postings }: WithdrawMovement, nowMs: number): number[] {
    const { id: withdrawId, movements } = withdraw;
    const details = type === "withdraw_requested" ? { details: payoutDetailsOf(withdraw) } : {};
    this.#ledger.post({ type, postings, withdrawId, ...details }, nowMs);
    return [...movements, this.#ledger.newestMovement()];
  }

  #write(
    changed: StoredWithdraw,
    type: WithdrawEventType,
    movement: WithdrawMovement | null,
    nowMs: number,
    previousStatus: WithdrawStatus,
  ): StoredWithdraw {
    const updated: StoredWithdraw = {
      ...changed,
      version: changed.version + 1,
      eventSequence: changed.eventSequence + 1,
      updatedAt: nowMs,
      movements: movement === null ? changed.movements : this.post(changed, movement, nowMs),
    };
    this.#withdraws.update(updated);
    const record = toRecord(updated);
    this.#outbox.add(
      {
        kind: "withdraw",
        withdraw: record,
        event: {
          type,
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(record) }),
          sequence: updated.eventSequence,
          previousStatus,
          timestamp: nowMs,
        },
      },
      nowMs,
    );
    return updated;
  }
}
