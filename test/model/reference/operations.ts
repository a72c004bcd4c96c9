import { addToDay, heldAmount, hold, holdableAmount, releaseHold } from "./books.ts";
import { reportOf } from "./bank-reports.ts";
import { addRefunded, askOperators, closeAside, endCharge } from "./charges.ts";
import type { Charge, Operation, OperationKey, Outcome, State } from "./state.ts";

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

export interface IdempotencyUse {
  key: string | null;
  /** The client's whole request. */
  request: string;
  token: string;
}

export type Accepted =
  | { kind: "send" | "query"; operation: Operation }
  | { kind: "answer"; answer: string };

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

export function toResult(
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

function isUnsent({ kind, claimed }: Operation): boolean {
  return isWayOut(kind) && !claimed;
}

function isUnsentAndFrozen(state: State, operation: Operation): boolean {
  return state.frozen && isUnsent(operation);
}

function isWayOut(kind: Operation["kind"]): boolean {
  return kind === "refund" || kind === "return";
}

/** The result of the key's earlier request; null if there was none. */
export function replay(
  state: State,
  kind: Operation["kind"],
  use: IdempotencyUse,
  busy?: string,
): Accepted | null {
  const own = state.operations.find(({ token }) => token === use.token);
  if (own?.approval === "pending") return rejected("202");
  if (own !== undefined) return { kind: "send", operation: own };
  if (use.key === null) return null;
  const known = state.operationKeys.get(`${kind} ${use.key}`);
  if (known === undefined) return null;
  if (known.request !== use.request) return rejected("IDEMPOTENCY_KEY_REUSED");
  if (known.result === null && known.operation.status === "PENDING") {
    const resumed = resume(state, known.operation, use.token, busy);
    // A return that somebody else sends is answered under its key.
    if (kind === "return" && resumed.kind === "answer") known.result = "PENDING";
    return resumed;
  }
  return { kind: "answer", answer: `${answerOf(known.operation, finalOutcome(known))} replayed` };
}

function finalOutcome(known: OperationKey): Outcome {
  return (known.result ??= known.operation.status);
}

export function resume(
  state: State,
  operation: Operation,
  token: string,
  busy = "IDEMPOTENCY_IN_PROGRESS",
): Accepted {
  const isStopped = isUnsentAndFrozen(state, operation);
  if (operation.token === token && !isStopped) return { kind: "send", operation };
  if (operation.status !== "PENDING") return rejected(answerOf(operation, operation.status));
  if (operation.approval === "pending") return rejected("202");
  if (operation.leaseUntil > state.now || isStopped) return rejected(busy);
  const kind = isUnsent(operation) ? "send" : "query";
  takeHold(state, operation);
  return { kind, operation };
}

export function begin(
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
    checks: 0,
    claimed: true,
    approval: "none",
    isOfCaller: false,
    sendCount: 0,
  };
  if (isWayOut(kind) && state.frozen) Object.assign(operation, { claimed: false, leaseUntil: 0 });
  state.operations.push(operation);
  // A requested operation is part of the charge, so its version rises.
  if (kind !== "return") charge.hasTransitioned = true;
  return operation;
}

export function rememberKey(
  state: State,
  kind: string,
  use: IdempotencyUse,
  operation: Operation,
): void {
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
  if (report === "processing" || report === "unknown") {
    operation.checks += 1;
    return;
  }
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
  if (kind === "return") endReturn(state, operation);
  if (operation.status === "FAILED") return;
  if (kind === "cancel") endCharge(charge, "cancelled");
}

/** A returned payment leaves `suspense`; one that could not be returned is for operators again. */
function endReturn(state: State, operation: Operation): void {
  const isDone = operation.status === "DONE";
  if (isDone) state.accounts.suspense -= operation.amount;
  for (const [id, { returned }] of state.payments) {
    if (returned !== operation) continue;
    if (isDone) closeAside(state, id);
    else askOperators(state, id);
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

export function rejected(answer: string): Accepted {
  return { kind: "answer", answer };
}
