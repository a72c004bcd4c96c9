import type { CompanyRpc } from "./rpc.ts";

/**
 * Calls that only a client's request begins, which may come again. An object that is behind sheds
 * them. No other call is shed: money that comes or was sent is booked however long it waits, and
 * `findWithdraw` and `statement` also serve a callback and an export that is under way.
 */
const CLIENT_CALLS = [
  "requestWithdraw",
  "previewWithdraw",
  "cancelWithdraw",
  "listWithdraws",
  "requestRefund",
  "requestCancelOrCapture",
  "balances",
  "forecast",
  "history",
] as const satisfies (keyof CompanyRpc)[];

export type ClientCall = (typeof CLIENT_CALLS)[number];

/** A call and when its Worker made it, epoch milliseconds by the platform's clock. */
export interface DeadlineCall {
  call: ClientCall;
  parameters: unknown[];
  calledAt: number;
}

/** `overloaded`: it waited too long for its turn, and nothing was done or written. */
export type ClientAnswer = { kind: "done"; answer: unknown } | { kind: "overloaded" };

/**
 * How long a client's call may have waited when its turn comes. Short, so that what is done still finds
 * its client listening; and far more than the clocks of two machines of one platform should differ,
 * of which one has said when it was asked and the other judges it: a Worker whose clock is a little
 * behind must not be refused by an object at rest.
 */
export const CLIENT_DEADLINE_MS = 2_000;

export function isClientCall(name: PropertyKey): name is ClientCall {
  return (CLIENT_CALLS as readonly PropertyKey[]).includes(name);
}

/**
 * The object is too far behind to take this call. As of the platform's own overload, which says the
 * same: answered 503 with `Retry-After`, and never asked again at once.
 */
export class Overloaded extends Error {
  readonly overloaded = true;

  constructor(call: ClientCall) {
    super(`the company's object is overloaded and did not run ${call}`);
  }
}
