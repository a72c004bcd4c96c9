import type { PersonRole } from "../access/person-role.ts";
import type { Requester } from "../access/requester.ts";
import type { Standing } from "../access/standing.ts";
import type { RefundPolicy } from "./refund-policy.ts";
import { startOfNextDay } from "../shared/business-day.ts";
import type { Company } from "../shared/company.ts";
import { coolDownMs } from "../withdraws/withdraw-policy.ts";
import type { Cents } from "../shared/money.ts";

/** A limit of who asks: of an application its own, of a person the role's. */
export interface OwnLimit {
  /** The setting that says so, such as `refundDailyLimit` or `roleLimits.support.refundDailyLimit`. */
  rule: string;
  /** Centavos a day (America/Sao_Paulo). */
  limit: Cents;
}

/** What holds for a refund, return or credit that a caller of the company asks for. */
export interface ExitLimits {
  /** Since when, and through whom, the caller has its rights; stored for whoever approves. */
  standing: Standing;
  /** How long what a right asks for waits that an operator gave. Milliseconds. */
  coolDownMs: number;
  ownLimit: OwnLimit | null;
  /** Centavos a day of the whole company; null for no limit. */
  dailyLimit: Cents | null;
  /** What nobody approved of a day, in centavos, above which one waits; null for never. */
  approvalAbove: Cents | null;
}

/** A caller's limits by the company's policies. `role`: of a person; null for an application. */
export function exitLimitsOf(
  { refundPolicy, withdrawPolicy }: Pick<Company, "refundPolicy" | "withdrawPolicy">,
  caller: { standing: Standing; role: PersonRole | null; refundDailyLimit: Cents | null },
): ExitLimits {
  const { dailyLimit, approvalAbove } = refundPolicy;
  return {
    standing: caller.standing,
    coolDownMs: coolDownMs(withdrawPolicy),
    ownLimit: ownLimitOf(refundPolicy, caller),
    dailyLimit,
    approvalAbove,
  };
}

/** The caller's own limit; null without one. */
export function ownLimitOf(
  { roleLimits }: RefundPolicy,
  { role, refundDailyLimit }: { role: PersonRole | null; refundDailyLimit: Cents | null },
): OwnLimit | null {
  if (role === null) {
    return refundDailyLimit === null
      ? null
      : { rule: "application.refundDailyLimit", limit: refundDailyLimit };
  }
  const limit = roleLimitOf(roleLimits, role);
  return limit === null ? null : { rule: `roleLimits.${role}.refundDailyLimit`, limit };
}

/** Centavos a day that each person of a role sends back; null for no limit. */
export function roleLimitOf(
  roleLimits: RefundPolicy["roleLimits"],
  role: PersonRole,
): Cents | null {
  return roleLimits[role]?.refundDailyLimit ?? null;
}

/** A limit refuses an exit. Centavos; `possibleFrom` (epoch ms) is null where it never allows that much. */
export interface ExitLimitRefusal {
  kind: "exit_limit_exceeded";
  rule: string;
  limit: Cents;
  used: Cents;
  possibleFrom: number | null;
}

/** The refusal of a limit, of which `used` was sent back on the day of `at`; null within it. Centavos. */
export function refusalByLimit(
  { rule, limit }: OwnLimit,
  { amount, used, at }: { amount: Cents; used: Cents; at: number },
): ExitLimitRefusal | null {
  if (used + amount <= limit) return null;
  const possibleFrom = amount > limit ? null : startOfNextDay(at);
  return { kind: "exit_limit_exceeded", rule, limit, used, possibleFrom };
}

/** Whether an amount waits for an approval, after `unapproved` of its day that nobody approved. Centavos. */
export function waitsForApproval(
  { approvalAbove }: Pick<ExitLimits, "approvalAbove">,
  { amount, unapproved }: { amount: Cents; unapproved: Cents },
): boolean {
  return approvalAbove !== null && unapproved + amount > approvalAbove;
}

/** A refund, or the return of an unexpected payment, as those who approve see it. Amount in centavos. */
export interface RequestedExit {
  /** Dense within the company. */
  number: number;
  /** The refund's public id. */
  id: string;
  kind: "refund" | "return";
  transactionId: string | null;
  /** The payment that goes back; null where the provider knows it by its charge. */
  paymentId: string | null;
  amount: Cents;
  status: "PENDING" | "DONE" | "FAILED";
  approval: "none" | "pending" | "approved" | "refused";
  /** Null for one from before requesters were stored. */
  requestedBy: Requester | null;
  decidedBy: Requester | null;
  decisionReason: string | null;
  createdAt: number;
}
