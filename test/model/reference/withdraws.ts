import {
  businessDay,
  addContradiction,
  credit,
  feeOf,
  heldByContradictions,
  withdrawableOf,
} from "./books.ts";
import { holdRaised } from "./limits.ts";
import type { Script, Trouble } from "./operations.ts";
import { APPROVAL_WINDOW_MS, SEND_DEADLINE_MS, type State, type Withdraw } from "./state.ts";

const MINIMUM = 1_000;
const LEASE_MS = 35_000;

export type PayoutResult = "paid" | "failed" | "returned" | "processing" | "unknown";

/** `POST /Withdraw/request`: a replay first, then the checks in the order of the product. */
export function requestWithdraw(state: State, amount: number, key: string): string {
  if (amount < MINIMUM) return "WITHDRAW_BELOW_MINIMUM";
  const known = state.withdrawKeys.get(key);
  if (known !== undefined) {
    return known.amount === amount ? "201 replayed" : "IDEMPOTENCY_KEY_REUSED";
  }
  if (state.frozen) return "COMPANY_FROZEN";
  holdRaised(state);
  const today = businessDay(state.now);
  const kept = state.withdraws
    .filter(({ createdAt }) => businessDay(createdAt) === today)
    .filter(({ status }) => ["Awaiting", "Processing", "Paid"].includes(status));
  const spent = sumOf(kept);
  const unapproved = sumOf(kept.filter(({ approval }) => approval === "none"));
  if (state.dailyLimit !== null && spent + amount > state.dailyLimit) {
    return "DAILY_LIMIT_EXCEEDED";
  }
  const fee = feeOf(amount, state.withdrawFee);
  if (withdrawableOf(state) < amount + fee) return "INSUFFICIENT_BALANCE";
  state.accounts.available -= amount + fee;
  state.accounts.payout += amount;
  state.accounts.fees += fee;
  const withdraw: Withdraw = {
    amount,
    fee,
    status: "Awaiting",
    createdAt: state.now,
    claimedAt: 0,
    leaseUntil: 0,
    checks: 0,
    events: [],
    sendCount: 0,
    approval:
      state.approvalAbove !== null && unapproved + amount > state.approvalAbove
        ? "pending"
        : "none",
  };
  if (withdraw.approval === "pending") withdraw.events.push("awaiting_approval");
  state.withdraws.push(withdraw);
  state.withdrawKeys.set(key, withdraw);
  return "201";
}

/** `POST /Withdraw/{id}/cancel`: succeeds before the payout is claimed. */
export function cancelWithdraw(state: State, withdraw: Withdraw, key: string | null): string {
  const known = key === null ? undefined : state.cancelKeys.get(key);
  if (known !== undefined) return known === withdraw ? "200 replayed" : "IDEMPOTENCY_KEY_REUSED";
  if (withdraw.status !== "Awaiting") return "INVALID_STATE";
  reverseWithdraw(state, withdraw, "Cancelled");
  if (key !== null) state.cancelKeys.set(key, withdraw);
  return "200";
}

/** `POST /withdraws/{id}/approve|refuse` by another application: succeeds while it waits for it. */
export function decideWithdraw(
  state: State,
  withdraw: Withdraw,
  decision: "approve" | "refuse",
  key: string | null,
): string {
  const known = key === null ? undefined : state.decisionKeys.get(`${decision} ${key}`);
  if (known !== undefined) return known === withdraw ? "200 replayed" : "IDEMPOTENCY_KEY_REUSED";
  expireApproval(state, withdraw);
  if (withdraw.approval !== "pending") return "INVALID_STATE";
  if (decision === "approve" && state.frozen) return "COMPANY_FROZEN";
  if (decision === "approve" && !isCovered(state, withdraw)) return "INSUFFICIENT_BALANCE";
  withdraw.events.push(decision === "approve" ? "approved" : "refused");
  withdraw.approval = decision === "approve" ? "approved" : "refused";
  if (decision === "refuse") reverseWithdraw(state, withdraw, "Cancelled");
  if (key !== null) state.decisionKeys.set(`${decision} ${key}`, withdraw);
  return "200";
}

/** Whether a waiting withdraw's money is not needed for what contradictions hold by now. */
function isCovered(state: State, { amount, fee }: Withdraw): boolean {
  const balance = state.accounts.available + amount + fee;
  return balance - Math.min(heldByContradictions(state), balance) >= amount + fee;
}

/** The object's own work ends withdraws that nobody approved in time. */
export function expireApprovals(state: State): void {
  for (const withdraw of state.withdraws) expireApproval(state, withdraw);
}

function expireApproval(state: State, withdraw: Withdraw): void {
  const isOver = withdraw.createdAt + APPROVAL_WINDOW_MS <= state.now;
  if (withdraw.approval === "pending" && isOver) reverseWithdraw(state, withdraw, "Cancelled");
}

/** The consumer processes a message: claims the payout and sends it, or looks it up. */
export function runPayout(
  state: State,
  withdraw: Withdraw,
  script: Script<PayoutResult>,
  trouble: Trouble,
): string {
  const claim = claimPayout(state, withdraw);
  if (trouble === "died after request") return "died";
  // The lost response was a granted claim: the repeated call finds the lease held.
  if (claim === null || trouble === "request lost") return "done";
  const asked = claim === "query";
  let answer: PayoutResult = script.result;
  if (asked && script.lookup !== "not_found") answer = script.lookup;
  else if (asked && (!script.idempotent || state.frozen)) answer = "unknown";
  else withdraw.sendCount += 1;
  // The previous send may still succeed.
  const isEarly = state.now - withdraw.claimedAt < SEND_DEADLINE_MS;
  if (asked && script.lookup === "not_found" && answer === "failed" && isEarly) answer = "unknown";
  if (trouble === "died before record") return "died";
  recordPayout(state, withdraw, answer);
  return trouble === "died after record" ? "died" : "done";
}

/** A bank's report of a payout, polled or not. Contradictions book nothing. */
export function recordPayout(state: State, withdraw: Withdraw, report: PayoutResult): string {
  const { status } = withdraw;
  if (report === "processing" || report === "unknown") {
    if (status !== "Processing") return "recorded";
    withdraw.leaseUntil = 0;
    withdraw.checks += 1;
    return "recorded";
  }
  if (status === "Processing") {
    if (report === "failed") reverseWithdraw(state, withdraw, "Failed");
    else markPaid(state, withdraw);
    if (report === "returned") reverseWithdraw(state, withdraw, "Returned");
    return "recorded";
  }
  const number = state.withdraws.indexOf(withdraw);
  if (status === "Paid" && report === "returned") {
    if (wasCorrected(state, withdraw)) {
      // Operators corrected the failure that was reported before: the money is not credited twice.
      addContradiction(state, { what: `corrected ${number}`, kind: "payout_status", held: 0 });
      return "contradiction";
    }
    reverseWithdraw(state, withdraw, "Returned");
    return "recorded";
  }
  if (isRepeated(status, report)) return "recorded";
  // The company may have withdrawn the money again after the withdraw was reversed.
  const isUndone = status === "Failed" || status === "Cancelled";
  const held = isUndone && report === "paid" ? withdraw.amount : 0;
  const when = status === "Awaiting" ? "before it was sent" : "";
  const what = `withdraw ${number} ${report} ${when}`;
  const about = { kind: "withdraw", withdraw, report, comeBack: status === "Returned" } as const;
  addContradiction(state, { what, kind: "payout_status", held, about });
  return "contradiction";
}

/** A report of what is booked already. */
function isRepeated(status: Withdraw["status"], report: PayoutResult): boolean {
  const repeats: Record<string, PayoutResult[]> = {
    Paid: ["paid"],
    Failed: ["failed"],
    Returned: ["paid", "returned"],
  };
  return repeats[status]?.includes(report) === true;
}

function wasCorrected({ contradictions }: State, withdraw: Withdraw): boolean {
  return [...contradictions.values()].some(
    ({ action, about }) =>
      action === "correct" &&
      about?.kind === "withdraw" &&
      about.withdraw === withdraw &&
      about.report === "failed",
  );
}

/** Operators decide a payout that nobody is sending and whose bank was asked; null where that is not possible. */
export function decidePayout(
  state: State,
  withdraw: Withdraw,
  outcome: "done" | "failed" | "returned",
): string | null {
  const { status, leaseUntil, checks } = withdraw;
  const report = outcome === "done" ? "paid" : outcome;
  if (status === "Processing" && (leaseUntil > state.now || checks === 0)) return null;
  const isReturn = status === "Paid" && report === "returned" && !wasCorrected(state, withdraw);
  const fits = status === "Processing" || isReturn || isRepeated(status, report);
  return fits ? recordPayout(state, withdraw, report) : null;
}

/** Operators book a reversed withdraw as paid after all: its money is taken again, and the rest is owed. */
export function reinstate(state: State, withdraw: Withdraw): boolean {
  if (withdraw.status !== "Failed" && withdraw.status !== "Cancelled") return false;
  const { accounts } = state;
  const { amount, fee } = withdraw;
  const taken = Math.min(amount + fee, accounts.available);
  accounts.available -= taken;
  accounts.owed += amount + fee - taken;
  accounts.payout += amount;
  accounts.fees += fee;
  markPaid(state, withdraw);
  return true;
}

function claimPayout(state: State, withdraw: Withdraw): "send" | "query" | null {
  if (withdraw.status === "Awaiting" && !state.frozen && withdraw.approval !== "pending") {
    withdraw.status = "Processing";
    withdraw.events.push("processing");
    withdraw.leaseUntil = state.now + LEASE_MS;
    withdraw.claimedAt = state.now;
    return "send";
  }
  if (withdraw.status !== "Processing" || withdraw.leaseUntil > state.now) return null;
  withdraw.leaseUntil = state.now + LEASE_MS;
  return "query";
}

function markPaid(state: State, withdraw: Withdraw): void {
  state.accounts.payout -= withdraw.amount;
  withdraw.status = "Paid";
  withdraw.events.push("paid");
}

/** Amount and fee are credited. */
function reverseWithdraw(
  state: State,
  withdraw: Withdraw,
  to: "Failed" | "Cancelled" | "Returned",
): void {
  if (withdraw.status !== "Paid") state.accounts.payout -= withdraw.amount;
  state.accounts.fees -= withdraw.fee;
  credit(state, withdraw.amount + withdraw.fee);
  withdraw.status = to;
  if (withdraw.approval === "pending") withdraw.approval = "refused";
  withdraw.events.push(to.toLowerCase());
}

function sumOf(withdraws: Withdraw[]): number {
  return withdraws.reduce((total, { amount }) => total + amount, 0);
}
