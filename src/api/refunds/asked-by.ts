import type { Requester } from "../../domain/access/requester.ts";
import { exitLimitsOf, ownLimitOf, type ExitLimits } from "../../domain/exits/exit-limits.ts";
import { requesterOf, type Caller } from "../../http/context.ts";

/** Who asks for a refund, return or credit, and what holds for him. */
export interface AskedBy {
  requestedBy: Requester;
  limits: ExitLimits;
}

/** A caller of the company as who asks. */
export function askedBy(caller: Caller): AskedBy {
  return {
    requestedBy: requesterOf(caller),
    limits: exitLimitsOf(caller.company, limitedCaller(caller)),
  };
}

/** A caller's own limit for what he approves; null without one. */
export function ownLimit(caller: Caller) {
  return ownLimitOf(caller.company.refundPolicy, limitedCaller(caller));
}

function limitedCaller({ application, person }: Caller) {
  const { standing, refundDailyLimit } = application;
  return { standing, refundDailyLimit, role: person?.role ?? null };
}
