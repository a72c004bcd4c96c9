import { businessDay, heldByContradictions, hold, holdableAmount } from "./books.ts";
import { holdRaised } from "./limits.ts";
import {
  begin,
  rejected,
  rememberKey,
  replay,
  toResult,
  type Accepted,
  type BankResult,
  type IdempotencyUse,
  type Script,
  type Trouble,
} from "./operations.ts";
import type { Charge, Operation, State } from "./state.ts";

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

/** The refundable amount of a charge beside its open refunds `among` these. */
export function refundableAmount(
  { operations }: State,
  charge: Charge,
  among: Operation[] = operations,
): number {
  const pending = among
    .filter((each) => each.kind === "refund" && each.charge === charge)
    .filter((each) => each.status === "PENDING")
    .reduce((total, each) => total + each.amount, 0);
  return Math.max(0, charge.paidAmount - charge.refundedAmount - pending);
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
  const refusal = limitRefusal(state, amount);
  if (refusal !== null) return rejected(refusal);
  const free = Math.max(0, holdableAmount(state, charge) - heldByContradictions(state));
  if (amount > free) return rejected("INSUFFICIENT_BALANCE");
  const waits = waitsForApproval(state, amount);
  const operation = begin(state, "refund", charge, amount, use.token);
  operation.isOfCaller = true;
  operation.holding = hold(state, charge, amount);
  rememberKey(state, "refund", use, operation);
  return waits ? waitForApproval(state, operation, use) : { kind: "send", operation };
}

/** The refusal of the company's limit of a day, which refunds and returns share; null within it. */
export function limitRefusal(state: State, amount: number): "REFUND_LIMIT_EXCEEDED" | null {
  const { refundDailyLimit: limit } = state;
  const isBeyond = limit !== null && amountOf(exitsOfToday(state)) + amount > limit;
  return isBeyond ? "REFUND_LIMIT_EXCEEDED" : null;
}

/** Whether an amount waits for somebody else, after what nobody approved of the day. */
export function waitsForApproval(state: State, amount: number): boolean {
  const { refundApprovalAbove: above } = state;
  const unapproved = exitsOfToday(state).filter(({ approval }) => approval === "none");
  return above !== null && amountOf(unapproved) + amount > above;
}

/** A new operation that nobody sends before it is approved; its key is answered already. */
export function waitForApproval(
  state: State,
  operation: Operation,
  { key }: IdempotencyUse,
): Accepted {
  Object.assign(operation, { approval: "pending", claimed: false, leaseUntil: 0 });
  const known = state.operationKeys.get(`${operation.kind} ${key}`);
  if (known !== undefined) known.result = "PENDING";
  return rejected("202");
}

/** What callers asked for today in São Paulo and that did not fail. */
function exitsOfToday(state: State): Operation[] {
  const today = businessDay(state.now);
  return state.operations.filter(
    (each) => each.isOfCaller && each.status !== "FAILED" && businessDay(each.createdAt) === today,
  );
}

function amountOf(operations: Operation[]): number {
  return operations.reduce((sum, { amount }) => sum + amount, 0);
}
