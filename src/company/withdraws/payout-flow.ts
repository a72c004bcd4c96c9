import {
  withdrawPaid,
  withdrawRequestedAgain,
  withdrawReturned,
  withdrawUndone,
} from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { returnedOf, SANDBOX_ACCOUNT } from "../../domain/withdraws/withdraw.ts";
import { canDecideWithdraw } from "../../domain/withdraws/withdraw-status.ts";
import { unanswered } from "../runtime/attempts.ts";
import type {
  DecidePayoutAnswer,
  PayoutNews,
  PayoutReport,
  RecordPayoutAnswer,
} from "../commands.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { RecheckStore } from "../contradictions/recheck-store.ts";
import type { WithdrawMoves } from "./withdraw-moves.ts";
import { toRecord, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";

/**
 * A provider's last word on a payout. Of one that was paid, `returned` centavos have come back in all;
 * null where nothing was said of that.
 */
type Said =
  | { kind: "paid"; endToEndId: string | null; returned: Cents | null; askedAt: number }
  | { kind: "failed"; reason: string };

/** What a person may decide of one that was undone. */
const DECIDED = { paid: "Paid" } as const;

/**
 * What providers and operators say of payouts. Every method runs inside one `transactionSync`; nothing
 * in it awaits.
 */
export class PayoutFlow {
  readonly #withdraws: WithdrawStore;
  readonly #moves: WithdrawMoves;
  readonly #ledger: LedgerStore;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;

  constructor(parts: {
    withdraws: WithdrawStore;
    moves: WithdrawMoves;
    ledger: LedgerStore;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
  }) {
    this.#withdraws = parts.withdraws;
    this.#moves = parts.moves;
    this.#ledger = parts.ledger;
    this.#rechecks = parts.rechecks;
    this.#contradictions = parts.contradictions;
  }

  /**
   * Books what a provider says. Only explicit answers are final; anything else is asked again. What
   * cannot be booked is a contradiction, which a person has to end.
   */
  record(id: number, report: PayoutNews, nowMs: number): RecordPayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    const said = saidBy(report, withdraw);
    if (said === null) return this.#recordOpen(withdraw, report.kind === "unreachable", nowMs);
    const contradiction = this.#contradictionOf(withdraw, said);
    if (contradiction !== null) {
      this.#contradictions.open(contradiction, nowMs);
      return { kind: "contradiction", status: withdraw.status };
    }
    const booked = this.#book(withdraw, said, nowMs);
    const found = [beyondOf(report, withdraw), otherAmountOf(report, withdraw)];
    const findings = found.filter((finding) => finding !== null);
    if (findings.length === 0) return { kind: "recorded", withdraw: toRecord(booked) };
    for (const finding of findings) this.#contradictions.open(finding, nowMs);
    return { kind: "contradiction", status: booked.status };
  }

  /**
   * An operator's word. Not while somebody is sending or asking, and not before its provider was asked:
   * what is under way would be booked twice. One that contradicts what was booked changes nothing.
   */
  decide(id: number, report: PayoutReport, nowMs: number): DecidePayoutAnswer {
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null) return { kind: "not_found" };
    const open = withdraw.status === "Processing";
    if (open && (withdraw.leaseUntil > nowMs || withdraw.checks === 0)) {
      return { kind: "under_way" };
    }
    const said = saidBy(report, withdraw);
    const back = report.kind === "paid" || report.kind === "returned" ? report.returnedAmount : 0;
    const isTooMuch = back !== undefined && back > withdraw.amount;
    if (isTooMuch || (said !== null && this.#contradictionOf(withdraw, said) !== null)) {
      return { kind: "contradiction", status: withdraw.status };
    }
    return this.record(id, report, nowMs);
  }

  /**
   * An operator's decision that a withdraw which was undone was paid after all: it is taken again, from
   * what the company has and then as its debt. False, and nothing is written, where it is not undone.
   */
  applyContradiction(id: number, to: "paid", nowMs: number): boolean {
    const target = DECIDED[to];
    const withdraw = this.#withdraws.find(id);
    if (withdraw === null || !canDecideWithdraw(withdraw.status, target)) return false;
    const { amount, fee } = withdraw;
    const found = this.#contradictions.ofFinding(findingOf(id, target));
    const endToEndId = found?.said["endToEndId"];
    const postings = withdrawRequestedAgain(amount, fee, this.#ledger.balance("available"));
    const movements = this.#moves.post(withdraw, { type: "withdraw_requested", postings }, nowMs);
    this.#withdraws.giveBackToDay(withdraw, -amount);
    const paid = this.#moves.move(
      { ...withdraw, movements, nextCheckAt: null },
      target,
      { failureReason: null, endToEndId: typeof endToEndId === "string" ? endToEndId : null },
      { type: "withdraw_paid", postings: withdrawPaid(amount) },
      nowMs,
      canDecideWithdraw,
    );
    this.#recheck(paid, nowMs);
    return true;
  }

  /** The claimer's report ends its lease. One whose account is not connected is shown to a person. */
  #recordOpen(withdraw: StoredWithdraw, isUnreachable: boolean, nowMs: number): RecordPayoutAnswer {
    const isOpen = withdraw.status === "Processing";
    const isUnsent = withdraw.status === "Awaiting" && isUnreachable;
    if (!isOpen && !isUnsent) return { kind: "recorded", withdraw: toRecord(withdraw) };
    if (isUnreachable) {
      const reason = isOpen ? "The account that sent it is not connected." : "Nobody sends it.";
      this.#contradictions.open(findingAbout(withdraw, "unreachable", { reason }, 0), nowMs);
    }
    const waiting = { ...withdraw, ...unanswered(withdraw.checks, nowMs) };
    this.#withdraws.update(waiting);
    return { kind: "recorded", withdraw: toRecord(waiting) };
  }

  /** Books what agrees with what is known. What is known already changes nothing. */
  #book(withdraw: StoredWithdraw, said: Said, nowMs: number): StoredWithdraw {
    const isOpen = withdraw.status === "Processing";
    let booked = withdraw;
    if (said.kind === "failed") {
      if (isOpen) booked = this.#fail(withdraw, said.reason, nowMs);
    } else {
      if (isOpen) booked = this.#pay(withdraw, said.endToEndId, nowMs);
      const back = (said.returned ?? 0) - returnedOf(booked);
      if (back > 0) booked = this.#giveBack(booked, back, nowMs);
    }
    return booked;
  }

  /** What cannot be booked; null where it agrees with what is known. */
  #contradictionOf(withdraw: StoredWithdraw, said: Said): Finding | null {
    const contradiction = contradictionOf(withdraw, said);
    if (contradiction !== null || said.kind === "failed" || withdraw.status !== "Paid") {
      return contradiction;
    }
    const { endToEndId, returned } = said;
    if (returned === null || returned <= returnedOf(withdraw)) return null;
    // Told as failed after it was paid, it was given to the company by a correction: not once more.
    const failed = this.#contradictions.ofFinding(findingOf(withdraw.id, "Failed"));
    if (failed?.decision?.action !== "correct") return null;
    const words = { status: "Paid", endToEndId, returnedAmount: returned };
    return findingAbout(withdraw, `corrected:${returned}`, words, 0);
  }

  #pay(withdraw: StoredWithdraw, endToEndId: string | null, nowMs: number): StoredWithdraw {
    const paid = this.#moves.move(
      { ...withdraw, nextCheckAt: null },
      "Paid",
      { endToEndId },
      { type: "withdraw_paid", postings: withdrawPaid(withdraw.amount) },
      nowMs,
    );
    this.#recheck(paid, nowMs);
    return paid;
  }

  #fail(withdraw: StoredWithdraw, failureReason: string, nowMs: number): StoredWithdraw {
    const { amount, fee } = withdraw;
    this.#withdraws.giveBackToDay(withdraw, amount);
    const postings = withdrawUndone(amount, fee, this.#ledger.owed());
    return this.#moves.move(
      { ...withdraw, nextCheckAt: null },
      "Failed",
      { failureReason },
      { type: "withdraw_failed", postings },
      nowMs,
    );
  }

  /** So much more of a paid one is back. Its fee comes back with the last part. */
  #giveBack(withdraw: StoredWithdraw, back: Cents, nowMs: number): StoredWithdraw {
    const returnedAmount = withdraw.returnedAmount + back;
    const isWhole = returnedAmount === withdraw.amount;
    const postings = withdrawReturned(back, isWhole ? withdraw.fee : 0, this.#ledger.owed());
    const movement = { type: "withdraw_returned" as const, postings };
    this.#withdraws.giveBackToDay(withdraw, back);
    if (!isWhole) return this.#moves.returnPart(withdraw, { returnedAmount }, movement, nowMs);
    this.#rechecks.remove("payout", String(withdraw.id));
    return this.#moves.move(withdraw, "Returned", { returnedAmount }, movement, nowMs);
  }

  /** Its bank may send it back, and the word of that be lost. The sandbox's never does by itself. */
  #recheck({ id, account }: StoredWithdraw, nowMs: number): void {
    if (account !== SANDBOX_ACCOUNT) this.#rechecks.add("payout", String(id), nowMs);
  }
}

/** A report as a last word; null where it is none. More than was sent cannot have come back. */
function saidBy(report: PayoutNews, { amount }: StoredWithdraw): Said | null {
  switch (report.kind) {
    case "processing":
    case "unknown":
    case "unreachable":
      return null;
    case "failed":
      return { kind: "failed", reason: report.reason };
    case "paid":
    case "returned": {
      const { endToEndId, returnedAmount, askedAt = Number.POSITIVE_INFINITY } = report;
      const silent = report.kind === "returned" ? amount : null;
      const returned = returnedAmount === undefined ? silent : Math.min(returnedAmount, amount);
      return { kind: "paid", endToEndId, returned, askedAt };
    }
  }
}

/** More is back than was sent: what was sent is booked, and whose the rest is, a person finds out. */
function beyondOf(report: PayoutNews, withdraw: StoredWithdraw): Finding | null {
  if (report.kind !== "paid" && report.kind !== "returned") return null;
  const { kind, endToEndId, returnedAmount = 0 } = report;
  if (returnedAmount <= withdraw.amount) return null;
  const said = { status: kind === "paid" ? "Paid" : "Returned", endToEndId, returnedAmount };
  const found = findingAbout(withdraw, `beyond:${returnedAmount}`, said, 0);
  return { ...found, amount: returnedAmount - withdraw.amount };
}

/**
 * Another amount was paid than was sent. The withdraw is booked as it was accepted; what left beyond that
 * is held until a person has ended it.
 */
function otherAmountOf(report: PayoutNews, withdraw: StoredWithdraw): Finding | null {
  if (report.kind !== "paid" && report.kind !== "returned") return null;
  const { kind, endToEndId, amount: paid = withdraw.amount } = report;
  if (paid === withdraw.amount) return null;
  const said = { status: kind === "paid" ? "Paid" : "Returned", endToEndId, amount: paid };
  const held = Math.max(0, paid - withdraw.amount);
  const found = findingAbout(withdraw, `amount:${paid}`, said, held);
  return { ...found, amount: Math.abs(paid - withdraw.amount) };
}

/** What cannot be booked of a provider's last word; null where it agrees with what is known. */
function contradictionOf(withdraw: StoredWithdraw, said: Said): Finding | null {
  const { status, amount } = withdraw;
  if (status === "Processing") return null;
  if (said.kind === "failed") {
    if (status === "Failed") return null;
    // Whatever was booked, the company is owed it at most.
    const what = status === "Awaiting" ? "unsent:Failed" : "Failed";
    return findingAbout(withdraw, what, { status: "Failed", reason: said.reason }, 0);
  }
  const { endToEndId, returned } = said;
  const back = returned ?? 0;
  const word = back === amount ? "Returned" : "Paid";
  const words = { status: word, endToEndId, returnedAmount: returned };
  if (status === "Awaiting") return findingAbout(withdraw, `unsent:${word}`, words, 0);
  // What left though it was undone may have been withdrawn again.
  if (status !== "Paid" && status !== "Returned") {
    return findingAbout(withdraw, word, words, amount - back);
  }
  const missing = returnedOf(withdraw) - back;
  if (returned === null || missing <= 0 || said.askedAt <= withdraw.updatedAt) return null;
  // The company was given what its bank says did not come back.
  return findingAbout(withdraw, `returned:${back}`, words, missing);
}

function findingOf(id: number, what: string): string {
  return `payout_status:withdraw:${id}:${what}`;
}

function findingAbout(
  withdraw: StoredWithdraw,
  what: string,
  said: Finding["said"],
  held: Cents,
): Finding {
  const { id, status, amount } = withdraw;
  return {
    finding: findingOf(id, what),
    kind: "payout_status",
    object: `withdraw:${id}`,
    said,
    booked: { status, returnedAmount: returnedOf(withdraw) },
    amount,
    held,
  };
}
