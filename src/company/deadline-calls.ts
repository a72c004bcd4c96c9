import { withTrace } from "../lib/trace/trace.ts";
import type { CompanyRpc } from "./rpc.ts";

/**
 * Calls that only a client's request makes, and that the client can repeat. An overloaded object sheds
 * them. No other call is shed: payments and payouts must be booked, and `findWithdraw` and `statement`
 * also serve a callback and a running export.
 */
const CLIENT_CALLS = [
  "requestWithdraw",
  "previewWithdraw",
  "cancelWithdraw",
  "decideWithdraw",
  "listWithdraws",
  "addAllowedPixKey",
  "removeAllowedPixKey",
  "listAllowedPixKeys",
  "requestRefund",
  "decideExit",
  "listWaitingExits",
  "submitEvidence",
  "requestCancelOrCapture",
  "balances",
  "forecast",
  "history",
  "findReceivedPayments",
  "admitCardAttempt",
  "writePaymentLink",
  "useCardSession",
  "renewPlace",
] as const satisfies (keyof CompanyRpc)[];

export type ClientCall = (typeof CLIENT_CALLS)[number];

type CallName = Exclude<keyof CompanyRpc, "callWithDeadline" | "callWithTrace">;

/** The calls for parameters in a list, whose types were checked where the call was made. */
export type UntypedCalls = Record<
  CallName,
  { call(...parameters: unknown[]): Promise<unknown> }["call"]
>;

/** Any call, under the trace of the Worker that made it. */
export interface TracedCall {
  call: CallName;
  parameters: unknown[];
  traceId: string;
}

/** A call, and when the Worker made it: epoch ms by the platform's clock. */
export interface DeadlineCall {
  call: ClientCall;
  parameters: unknown[];
  calledAt: number;
  /** The trace of the Worker that made it; null outside of one. */
  traceId?: string | null;
}

/** `overloaded`: the call waited too long, and nothing was done. */
export type ClientAnswer = { kind: "done"; answer: unknown } | { kind: "overloaded" };

/**
 * How long a client's call may wait for the object. Short, so that the client still listens, but longer
 * than the clocks of Worker and object differ, so that an idle object sheds no call.
 */
export const CLIENT_DEADLINE_MS = 2_000;

/** Runs a client's call on its object, unless it has waited too long. `nowMs` is the platform's time. */
export async function runWithDeadline(
  account: CompanyRpc,
  { call, parameters, calledAt, traceId }: DeadlineCall,
  nowMs: number,
): Promise<ClientAnswer> {
  if (nowMs - calledAt > CLIENT_DEADLINE_MS) return { kind: "overloaded" };
  const calls: UntypedCalls = account;
  const answer = await withTrace(traceId, () => calls[call](...parameters));
  return { kind: "done", answer };
}

/** Runs a call on its object under its trace. */
export function runWithTrace(
  account: CompanyRpc,
  { call, parameters, traceId }: TracedCall,
): Promise<unknown> {
  const calls: UntypedCalls = account;
  return withTrace(traceId, () => calls[call](...parameters));
}

export function isClientCall(name: PropertyKey): name is ClientCall {
  return (CLIENT_CALLS as readonly PropertyKey[]).includes(name);
}

/**
 * The object shed this call. Like the platform's own overload error: clients get 503 with `Retry-After`,
 * and the call is not retried at once.
 */
export class Overloaded extends Error {
  readonly overloaded = true;

  constructor(call: ClientCall) {
    super(`the company's object is overloaded and did not run ${call}`);
  }
}
