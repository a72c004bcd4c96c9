import type { FailureCode } from "../../domain/charges/failure-reason.ts";
import {
  withdrawPaid,
  withdrawReinstated,
  withdrawReturned,
  withdrawReversed,
} from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { returnedTotal } from "../../domain/withdraws/withdraw.ts";
import { canResolveWithdrawManually } from "../../domain/withdraws/withdraw-status.ts";
import { scheduleNextPoll } from "../runtime/polling.ts";
import type {
  ResolvePayoutAnswer,
  PayoutPollResult,
  PayoutReport,
  RecordPayoutAnswer,
} from "./command-types.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import { needsRecheck, type RecheckStore } from "../runtime/recheck-store.ts";
import type { WithdrawTransitions } from "./withdraw-transitions.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";
import type { WithdrawSumStore } from "./withdraw-sum-store.ts";

/**
 * A provider's final report on a payout. `returnedTotal` (centavos) is the total that came back; null if
 * it was not reported.
 */
type FinalReport =
  | { kind: "paid"; endToEndId: string | null; returnedTotal: Cents | null; queriedAt: number }
  | { kind: "failed"; reason: string; code: FailureCode };

/** The statuses that operators may set for a reversed withdraw. */
const MANUAL_TARGETS = { paid: "Paid" } as const;

/**
 * Books the reports of providers and operators on payouts. Every method runs inside one
 * `transactionSync`; nothing in it awaits.
 */
export class PayoutCommands {
  readonly #withdraws: WithdrawStore;
  readonly #sums: WithdrawSumStore;
  readonly #transitions: WithdrawTransitions;
  readonly #ledger: LedgerStore;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    withdraws: WithdrawStore;
    withdrawSums: WithdrawSumStore;
    transitions: WithdrawTransitions;
    ledger: LedgerStore;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
  }) {
    this.#withdraws = deps.withdraws;
    this.#sums = deps.withdrawSums;
    this.#transitions = deps.transitions;
    this.#ledger = deps.ledger;
    this.#rechecks = deps.rechecks;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Books a provider's report. Only an explicit result is final; otherwise the payout is polled again. A
   * report that cannot be booked opens a contradiction for operators.
   */
  record(id: number, report: PayoutPollResult, nowMs: number): RecordPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    const finalReport = toFinalReport(report, withdraw);
    if (finalReport === null)
      return this.#recordInconclusive(withdraw, report.kind === "unreachable", nowMs);
    const contradiction = this.#contradictionOf(withdraw, finalReport);
    if (contradiction !== null) {
      this.#contradictions.open(contradiction, nowMs);
      return { kind: "contradiction", status: withdraw.status };
    }
    const booked = this.#book(withdraw, finalReport, nowMs);
    const findings = [
      excessReturnFinding(report, withdraw),
      amountMismatchFinding(report, withdraw),
    ].filter((finding) => finding !== null);
    if (findings.length === 0) return { kind: "recorded", withdraw: toRecord(booked) };
    for (const finding of findings) this.#contradictions.open(finding, nowMs);
    return { kind: "contradiction", status: booked.status };
  }

  /**
   * Books an operator's result. Refused while a request holds the lease or before the provider was
   * queried: the result could be booked twice. A result that contradicts the books changes nothing.
   */
  resolveManually(id: number, report: PayoutReport, nowMs: number): ResolvePayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    const open = withdraw.status === "Processing";
    if (open && (withdraw.leaseUntil > nowMs || withdraw.checks === 0)) {
      return { kind: "in_progress" };
    }
    const finalReport = toFinalReport(report, withdraw);
    const returnedAmount =
      report.kind === "paid" || report.kind === "returned" ? report.returnedAmount : 0;
    const isExcess = returnedAmount !== undefined && returnedAmount > withdraw.amount;
    if (
      isExcess ||
      (finalReport !== null && this.#contradictionOf(withdraw, finalReport) !== null)
    ) {
      return { kind: "contradiction", status: withdraw.status };
    }
    return this.record(id, report, nowMs);
  }

  /**
   * Books a reversed withdraw as paid after all, by decision of the operators: its money is taken again
   * from the available balance, then as debt. False, writing nothing, if the withdraw is not reversed.
   */
  applyContradiction(id: number, to: "paid", nowMs: number): boolean {
    const target = MANUAL_TARGETS[to];
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null || !canResolveWithdrawManually(withdraw.status, target)) return false;
    const { amount, fee } = withdraw;
    const contradiction = this.#contradictions.findByKey(findingKey(id, target));
    const endToEndId = contradiction?.said["endToEndId"];
    const postings = withdrawReinstated(amount, fee, this.#ledger.balance("available"));
    const movements = this.#transitions.post(
      withdraw,
      { type: "withdraw_requested", postings },
      nowMs,
    );
    this.#sums.restore(withdraw, -amount);
    const paid = this.#transitions.transition(
      { ...withdraw, movements, nextCheckAt: null },
      target,
      {
        failureReason: null,
        failureCode: null,
        endToEndId: typeof endToEndId === "string" ? endToEndId : null,
      },
      { type: "withdraw_paid", postings: withdrawPaid(amount) },
      nowMs,
      canResolveWithdrawManually,
    );
    this.#scheduleRecheck(paid, nowMs);
    return true;
  }

  /** Centavos of a withdraw that the company has back; 0 for one that is unknown. */
  returnedOf(id: number): Cents {
    const withdraw = this.#withdraws.find(id);
    return withdraw === null ? 0 : returnedTotal(withdraw);
  }

  /** Ends the claimer's lease and schedules the next poll. Operators see an unreachable account. */
  #recordInconclusive(
    withdraw: StoredWithdraw,
    isUnreachable: boolean,
    nowMs: number,
  ): RecordPayoutAnswer {
    const isOpen = withdraw.status === "Processing";
    const isUnsent = withdraw.status === "Awaiting" && isUnreachable;
    if (!isOpen && !isUnsent) return { kind: "recorded", withdraw: toRecord(withdraw) };
    if (isUnreachable) {
      const reason = isOpen ? "The account that sent it is not connected." : "Nobody sends it.";
      this.#contradictions.open(payoutFinding(withdraw, "unreachable", { reason }, 0), nowMs);
    }
    const rescheduled = { ...withdraw, ...scheduleNextPoll(withdraw.checks, nowMs) };
    this.#withdraws.update(rescheduled);
    return { kind: "recorded", withdraw: toRecord(rescheduled) };
  }

  /** Books a report without a contradiction. A repeated report changes nothing. */
  #book(withdraw: StoredWithdraw, report: FinalReport, nowMs: number): StoredWithdraw {
    const isOpen = withdraw.status === "Processing";
    let booked = withdraw;
    if (report.kind === "failed") {
      if (isOpen) booked = this.#fail(withdraw, report, nowMs);
    } else {
      if (isOpen) booked = this.#pay(withdraw, report.endToEndId, nowMs);
      const increase = (report.returnedTotal ?? 0) - returnedTotal(booked);
      if (increase > 0) booked = this.#recordReturn(booked, increase, nowMs);
    }
    return booked;
  }

  /** The finding of a report that cannot be booked; null if it can. */
  #contradictionOf(withdraw: StoredWithdraw, report: FinalReport): Finding | null {
    const contradiction = statusFinding(withdraw, report);
    if (contradiction !== null || report.kind === "failed" || withdraw.status !== "Paid") {
      return contradiction;
    }
    const { endToEndId, returnedTotal: reportedTotal } = report;
    if (reportedTotal === null || reportedTotal <= returnedTotal(withdraw)) return null;
    // Operators corrected a failure reported after the payment: the money must not be credited twice.
    const failed = this.#contradictions.findByKey(findingKey(withdraw.id, "Failed"));
    if (failed?.decision?.action !== "correct") return null;
    const reported = { status: "Paid", endToEndId, returnedAmount: reportedTotal };
    return payoutFinding(withdraw, `corrected:${reportedTotal}`, reported, 0);
  }

  #pay(withdraw: StoredWithdraw, endToEndId: string | null, nowMs: number): StoredWithdraw {
    const paid = this.#transitions.transition(
      { ...withdraw, nextCheckAt: null },
      "Paid",
      { endToEndId },
      { type: "withdraw_paid", postings: withdrawPaid(withdraw.amount) },
      nowMs,
    );
    this.#scheduleRecheck(paid, nowMs);
    return paid;
  }

  #fail(
    withdraw: StoredWithdraw,
    { reason, code }: Extract<FinalReport, { kind: "failed" }>,
    nowMs: number,
  ): StoredWithdraw {
    const { amount, fee } = withdraw;
    this.#sums.restore(withdraw, amount);
    const postings = withdrawReversed(amount, fee, this.#ledger.debt());
    return this.#transitions.transition(
      { ...withdraw, nextCheckAt: null },
      "Failed",
      { failureReason: reason, failureCode: code },
      { type: "withdraw_failed", postings },
      nowMs,
    );
  }

  /** Books a further `increase` (centavos) that came back. The fee comes back with the last part. */
  #recordReturn(withdraw: StoredWithdraw, increase: Cents, nowMs: number): StoredWithdraw {
    const returnedAmount = withdraw.returnedAmount + increase;
    const isFullReturn = returnedAmount === withdraw.amount;
    const postings = withdrawReturned(
      increase,
      isFullReturn ? withdraw.fee : 0,
      this.#ledger.debt(),
    );
    const movement = { type: "withdraw_returned" as const, postings };
    this.#sums.restore(withdraw, increase);
    if (!isFullReturn)
      return this.#transitions.applyPartialReturn(withdraw, { returnedAmount }, movement, nowMs);
    this.#rechecks.remove("payout", String(withdraw.id));
    return this.#transitions.transition(withdraw, "Returned", { returnedAmount }, movement, nowMs);
  }

  /** The payee's bank may return it, and that callback may be lost. The sandbox's bank never does. */
  #scheduleRecheck({ id, account }: StoredWithdraw, nowMs: number): void {
    if (needsRecheck(account)) this.#rechecks.add("payout", String(id), nowMs);
  }
}

/** A report as a final one; null if it is not. The returned total is at most what was sent. */
function toFinalReport(report: PayoutPollResult, { amount }: StoredWithdraw): FinalReport | null {
  switch (report.kind) {
    case "processing":
    case "unknown":
    case "unreachable":
      return null;
    case "failed":
      return { kind: "failed", reason: report.reason, code: report.code ?? "UNKNOWN" };
    case "paid":
    case "returned": {
      const { endToEndId, returnedAmount, queriedAt = Number.POSITIVE_INFINITY } = report;
      const impliedReturn = report.kind === "returned" ? amount : null;
      const total = returnedAmount === undefined ? impliedReturn : Math.min(returnedAmount, amount);
      return { kind: "paid", endToEndId, returnedTotal: total, queriedAt };
    }
  }
}

/** More came back than was sent: the amount sent is booked, and operators decide about the rest. */
function excessReturnFinding(report: PayoutPollResult, withdraw: StoredWithdraw): Finding | null {
  if (report.kind !== "paid" && report.kind !== "returned") return null;
  const { kind, endToEndId, returnedAmount = 0 } = report;
  if (returnedAmount <= withdraw.amount) return null;
  const reported = { status: kind === "paid" ? "Paid" : "Returned", endToEndId, returnedAmount };
  const finding = payoutFinding(withdraw, `beyond:${returnedAmount}`, reported, 0);
  return { ...finding, amount: returnedAmount - withdraw.amount };
}

/**
 * The provider paid another amount than was sent. The withdraw is booked as accepted; the excess is
 * held until operators decide.
 */
function amountMismatchFinding(report: PayoutPollResult, withdraw: StoredWithdraw): Finding | null {
  if (report.kind !== "paid" && report.kind !== "returned") return null;
  const { kind, endToEndId, amount: paid = withdraw.amount } = report;
  if (paid === withdraw.amount) return null;
  const reported = { status: kind === "paid" ? "Paid" : "Returned", endToEndId, amount: paid };
  const held = Math.max(0, paid - withdraw.amount);
  const finding = payoutFinding(withdraw, `amount:${paid}`, reported, held);
  return { ...finding, amount: Math.abs(paid - withdraw.amount) };
}

/** The finding of a final report that contradicts the withdraw's status; null if it agrees. */
function statusFinding(withdraw: StoredWithdraw, report: FinalReport): Finding | null {
  const { status, amount } = withdraw;
  if (status === "Processing") return null;
  if (report.kind === "failed") {
    if (status === "Failed") return null;
    // Nothing is held: a failure can only be in the company's favor.
    const suffix = status === "Awaiting" ? "unsent:Failed" : "Failed";
    return payoutFinding(withdraw, suffix, { status: "Failed", reason: report.reason }, 0);
  }
  const { endToEndId, returnedTotal: reportedTotal } = report;
  const returnedAmount = reportedTotal ?? 0;
  const reportedStatus = returnedAmount === amount ? "Returned" : "Paid";
  const reported = { status: reportedStatus, endToEndId, returnedAmount: reportedTotal };
  if (status === "Awaiting")
    return payoutFinding(withdraw, `unsent:${reportedStatus}`, reported, 0);
  // The company may have withdrawn the reversed money again.
  if (status !== "Paid" && status !== "Returned") {
    return payoutFinding(withdraw, reportedStatus, reported, amount - returnedAmount);
  }
  const missing = returnedTotal(withdraw) - returnedAmount;
  if (reportedTotal === null || missing <= 0 || report.queriedAt <= withdraw.updatedAt) return null;
  // The company was credited with money that did not come back.
  return payoutFinding(withdraw, `returned:${returnedAmount}`, reported, missing);
}

function findingKey(id: number, suffix: string): string {
  return `payout_status:withdraw:${id}:${suffix}`;
}

function payoutFinding(
  withdraw: StoredWithdraw,
  suffix: string,
  reported: Finding["said"],
  held: Cents,
): Finding {
  const { id, status, amount } = withdraw;
  return {
    finding: findingKey(id, suffix),
    kind: "payout_status",
    object: `withdraw:${id}`,
    said: reported,
    booked: { status, returnedAmount: returnedTotal(withdraw) },
    amount,
    held,
  };
}
