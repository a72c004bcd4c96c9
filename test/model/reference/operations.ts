import {
  addToDay,
  businessDay,
  heldByContradictions,
  releaseHold,
  heldAmount,
  hold,
  holdableAmount,
} from "./books.ts";
import { reportOf } from "./bank-reports.ts";
import { holdRaised } from "./limits.ts";
import { endCharge, sync, addRefunded } from "./charges.ts";
import {
  type Charge,
  type Operation,
  type OperationKey,
  type Outcome,
  type State,
} from "./state.ts";

/** The length of an operation's lease. */
const LEASE_MS = 30_000;

export type BankResult = "done" | "failed" | "processing" | "unknown";

/** The bank's result of a lookup and of a send. */
export interface Script<Answer> {
  lookup: Answer | "not_found";
  result: Answer;
  /** Whether the bank is idempotent, so that an operation can be sent again. */
  idempotent: boolean;
}

/** Where the process of an operation or payout crashes, or which response is lost. */
export type Trouble =
  | "none"
  | "request lost"
  | "record lost"
  | "died after request"
  | "died before record"
  | "died after record";

interface IdempotencyUse {
  key: string | null;
  /** The client's whole request. */
  request: string;
  token: string;
}

type Accepted =
  | { kind: "send" | "query"; operation: Operation }
  | { kind: "answer"; answer: string };

/** `POST /transactions/{id}/refund`; null for the remaining amount. */
export function refund(
  state: State,
  charge: Charge,
  amount: number | null,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const request = () => requestRefund(state, charge, amount, use);
  return toResult(state, request, `refund ${use.key}`, use, script, trouble);
}

/** `POST /transactions/{id}/cancel`; an expired charge is refreshed first. */
export function cancel(
  state: State,
  charge: Charge,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  syncIfCharged(state, charge);
  const request = () => requestCancelOrCapture(state, charge, "cancel", 0, use);
  return toResult(state, request, `cancel ${use.key}`, use, script, trouble);
}

/** `POST /transactions/{id}/capture`; null for the authorized amount. */
export function capture(
  state: State,
  charge: Charge,
  amount: number | null,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  syncIfCharged(state, charge);
  const request = () =>
    requestCancelOrCapture(state, charge, "capture", amount ?? charge.amount, use);
  return toResult(state, request, `capture ${use.key}`, use, script, trouble);
}

/** An expired charge is refreshed first. A boleto's bank may report late. */
function syncIfCharged(state: State, charge: Charge): void {
  const { method, status, expiresAt } = charge;
  const open = status === "creating" || status === "waiting_payment";
  const over = method !== "BOLETO" && expiresAt !== null && expiresAt <= state.now;
  if (open && over) sync(state, charge);
}

/** The operator returns a suspended payment. */
export function returnSuspendedPayment(
  state: State,
  paymentId: string,
  token: string,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const payment = state.payments.get(paymentId);
  if (payment === undefined || !payment.suspended) {
    return trouble === "died after request" ? "INTERNAL_ERROR" : "NOT_FOUND";
  }
  const request = (): Accepted => {
    const earlier = payment.returned;
    if (earlier !== null && earlier.status !== "FAILED") return resume(state, earlier, token);
    payment.returned = begin(state, "return", payment.charge, payment.amount, token);
    // It is sent once the company is not frozen any more.
    return state.frozen ? rejected("open") : { kind: "send", operation: payment.returned };
  };
  const use = { key: null, request: "", token };
  const answer = toResult(state, request, "return", use, script, trouble);
  if (answer === "INTERNAL_ERROR" || answer === "REFUND_REFUSED") return answer;
  return payment.returned?.status === "DONE" ? "done" : "open";
}

/** The refundable amount of a charge. */
function refundableAmount(state: State, charge: Charge): number {
  const pending = state.operations
    .filter((each) => each.kind === "refund" && each.charge === charge)
    .filter((each) => each.status === "PENDING")
    .reduce((total, each) => total + each.amount, 0);
  return Math.max(0, charge.paidAmount - charge.refundedAmount - pending);
}

/** The consumer resumes an open operation, with a lookup first. */
export function resumeOperation(
  state: State,
  operation: Operation,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const isWaiting = operation.approval === "pending" || isUnsentAndFrozen(state, operation);
  if (operation.status !== "PENDING" || operation.leaseUntil > state.now || isWaiting) {
    return trouble === "died after request" ? "died" : "done";
  }
  const how = isUnsent(operation) ? "send" : "query";
  takeHold(state, operation);
  if (trouble === "died after request") return "died";
  // The lost response was a granted claim: the repeated call finds the lease held.
  if (trouble === "request lost") return "done";
  const report = reportOf(state, operation, how, script);
  if (trouble === "died before record") return "died";
  record(state, operation, report);
  return trouble === "died after record" ? "died" : "done";
}

function toResult(
  state: State,
  request: () => Accepted,
  keyName: string,
  use: IdempotencyUse,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  let accepted = request();
  if (trouble === "died after request") return "INTERNAL_ERROR";
  if (trouble === "request lost") accepted = request();
  if (accepted.kind === "answer") return accepted.answer;
  const { operation } = accepted;
  const report = reportOf(state, operation, accepted.kind, script);
  if (trouble === "died before record") return "INTERNAL_ERROR";
  record(state, operation, report);
  const key = use.key === null ? undefined : state.operationKeys.get(keyName);
  const outcome = key === undefined ? operation.status : (key.result ??= operation.status);
  if (trouble === "died after record") return "INTERNAL_ERROR";
  return answerOf(operation, outcome);
}

function requestRefund(
  state: State,
  charge: Charge,
  requestedAmount: number | null,
  use: IdempotencyUse,
): Accepted {
  const known = replay(state, "refund", use);
  if (known !== null) return known;
  if (state.frozen) return rejected("COMPANY_FROZEN");
  if (charge.status !== "paid") return rejected("INVALID_STATE");
  if (charge.disputes.some((each) => each.status === "OPEN")) return rejected("INVALID_STATE");
  const left = refundableAmount(state, charge);
  const amount = requestedAmount ?? left;
  if (amount > left || amount <= 0) return rejected("REFUND_EXCEEDS_PAID");
  holdRaised(state);
  const today = refundsOfToday(state);
  const { refundDailyLimit: limit, refundApprovalAbove: above } = state;
  if (limit !== null && amountOf(today) + amount > limit) return rejected("REFUND_LIMIT_EXCEEDED");
  const free = Math.max(0, holdableAmount(state, charge) - heldByContradictions(state));
  if (amount > free) return rejected("INSUFFICIENT_BALANCE");
  const unapproved = amountOf(today.filter(({ approval }) => approval === "none"));
  const waits = above !== null && unapproved + amount > above;
  const operation = begin(state, "refund", charge, amount, use.token);
  operation.holding = hold(state, charge, amount);
  rememberKey(state, "refund", use, operation);
  if (!waits) return { kind: "send", operation };
  Object.assign(operation, { approval: "pending", claimed: false, leaseUntil: 0 });
  const key = state.operationKeys.get(`refund ${use.key}`);
  if (key !== undefined) key.result = "PENDING";
  return rejected("202");
}

/** Refunds that were asked for today in São Paulo and did not fail. */
function refundsOfToday(state: State): Operation[] {
  const today = businessDay(state.now);
  return state.operations.filter(
    (each) =>
      each.kind === "refund" && each.status !== "FAILED" && businessDay(each.createdAt) === today,
  );
}

function amountOf(operations: Operation[]): number {
  return operations.reduce((sum, { amount }) => sum + amount, 0);
}

function isUnsent({ kind, claimed }: Operation): boolean {
  return isWayOut(kind) && !claimed;
}

function isUnsentAndFrozen(state: State, operation: Operation): boolean {
  return state.frozen && isUnsent(operation);
}

function isWayOut(kind: Operation["kind"]): boolean {
  return kind === "refund" || kind === "return";
}

/**
 * Requests a cancel or a capture. It joins the same operation in progress; another one has to
 * wait.
 */
function requestCancelOrCapture(
  state: State,
  charge: Charge,
  kind: "cancel" | "capture",
  amount: number,
  use: IdempotencyUse,
): Accepted {
  const known = replay(state, kind, use);
  if (known !== null) return known;
  const fits = kind === "cancel" ? ["waiting_payment", "authorized"] : ["authorized"];
  if (!fits.includes(charge.status)) return rejected("INVALID_STATE");
  if (amount > charge.amount) return rejected("CAPTURE_EXCEEDS_AUTHORIZED");
  const open = state.operations
    .filter((each) => each.charge === charge && each.status === "PENDING")
    .find((each) => each.kind === "cancel" || each.kind === "capture");
  const same = open?.kind === kind && open.amount === amount;
  if (open !== undefined && !same) return rejected("INVALID_STATE");
  const operation = open ?? begin(state, kind, charge, amount, use.token);
  rememberKey(state, kind, use, operation);
  if (open === undefined) return { kind: "send", operation };
  return resume(state, operation, use.token, use.key === null ? "INVALID_STATE" : undefined);
}

/** The result of the key's earlier request; null if there was none. */
function replay(state: State, kind: Operation["kind"], use: IdempotencyUse): Accepted | null {
  const own = state.operations.find(({ token }) => token === use.token);
  if (own?.approval === "pending") return rejected("202");
  if (own !== undefined) return { kind: "send", operation: own };
  if (use.key === null) return null;
  const known = state.operationKeys.get(`${kind} ${use.key}`);
  if (known === undefined) return null;
  if (known.request !== use.request) return rejected("IDEMPOTENCY_KEY_REUSED");
  if (known.result === null && known.operation.status === "PENDING") {
    return resume(state, known.operation, use.token);
  }
  return { kind: "answer", answer: `${answerOf(known.operation, finalOutcome(known))} replayed` };
}

function finalOutcome(known: OperationKey): Outcome {
  return (known.result ??= known.operation.status);
}

function resume(
  state: State,
  operation: Operation,
  token: string,
  busy = "IDEMPOTENCY_IN_PROGRESS",
): Accepted {
  const isStopped = isUnsentAndFrozen(state, operation);
  if (operation.token === token && !isStopped) return { kind: "send", operation };
  if (operation.status !== "PENDING") return rejected(answerOf(operation, operation.status));
  if (operation.leaseUntil > state.now || isStopped) return rejected(busy);
  const kind = isUnsent(operation) ? "send" : "query";
  takeHold(state, operation);
  return { kind, operation };
}

function begin(
  state: State,
  kind: Operation["kind"],
  charge: Charge,
  amount: number,
  token: string,
): Operation {
  const operation: Operation = {
    kind,
    token,
    charge,
    amount,
    holding: null,
    status: "PENDING",
    createdAt: state.now,
    leaseUntil: state.now + LEASE_MS,
    claimed: true,
    approval: "none",
    sendCount: 0,
  };
  if (isWayOut(kind) && state.frozen) Object.assign(operation, { claimed: false, leaseUntil: 0 });
  state.operations.push(operation);
  // A requested operation is part of the charge, so its version rises.
  if (kind !== "return") charge.hasTransitioned = true;
  return operation;
}

function rememberKey(state: State, kind: string, use: IdempotencyUse, operation: Operation): void {
  if (use.key === null) return;
  const { request } = use;
  state.operationKeys.set(`${kind} ${use.key}`, { request, operation, result: null });
}

function takeHold(state: State, operation: Operation): void {
  operation.leaseUntil = state.now + LEASE_MS;
  operation.claimed = true;
}

/** Books the bank's result; only an explicit result is final, and the first one stays. */
export function record(state: State, operation: Operation, report: BankResult): void {
  const { charge, kind, amount, holding } = operation;
  if (operation.status !== "PENDING") return;
  operation.leaseUntil = 0;
  if (report === "processing" || report === "unknown") return;
  // A cancel fails if a payment or an end came first, whatever the bank did.
  const open = charge.status === "waiting_payment" || charge.status === "authorized";
  const overtaken = kind === "cancel" && !open;
  operation.status = report === "done" && !overtaken ? "DONE" : "FAILED";
  if (kind === "refund" && holding !== null) {
    if (report === "failed") {
      releaseHold(state, charge, holding);
      increaseHold(state, charge, amount);
    } else {
      state.accounts.blocked -= amount;
      addToDay(state, charge, [0, 0, 0, amount]);
      addRefunded(charge, amount);
    }
  }
  if (operation.status === "FAILED") return;
  if (kind === "return") {
    state.accounts.suspense -= amount;
    settleSuspended(state, operation);
  }
  if (kind === "cancel") endCharge(charge, "cancelled");
}

/** A returned payment's contradiction is resolved. */
function settleSuspended({ payments, contradictions }: State, operation: Operation): void {
  for (const [id, { returned }] of payments) {
    const found = contradictions.get(`aside ${id}`);
    if (returned === operation && found !== undefined) found.status = "decided";
  }
}

/** Released money completes the holds of open disputes, oldest first. */
function increaseHold(state: State, charge: Charge, amount: number): void {
  let left = amount;
  for (const open of charge.disputes.filter(({ status }) => status === "OPEN")) {
    const lacking = open.amount - heldAmount(open.holding);
    const more = Math.min(left, lacking, holdableAmount(state, charge));
    if (more === 0) continue;
    const added = hold(state, charge, more);
    open.holding = {
      available: open.holding.available + added.available,
      parts: [...open.holding.parts, ...added.parts],
    };
    left -= more;
  }
}

function answerOf({ kind }: Operation, outcome: Outcome): string {
  if (outcome === "DONE") return "200";
  if (outcome === "PENDING") return "202";
  if (kind === "cancel") return "INVALID_STATE";
  return kind === "capture" ? "CAPTURE_REFUSED" : "REFUND_REFUSED";
}

function rejected(answer: string): Accepted {
  return { kind: "answer", answer };
}
