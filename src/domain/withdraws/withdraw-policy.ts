import { endOfNight, startOfNextDay } from "../shared/business-day.ts";
import type { Cents } from "../shared/money.ts";

/** A company's own rules for its withdraws. Amounts in centavos, days in America/Sao_Paulo. */
export interface WithdrawPolicy {
  /** Refuses a second withdraw of the same PIX key and amount within ten minutes unless confirmed. */
  duplicateGuard: boolean;
  /** A day; null for no limit. */
  dailyLimit: Cents | null;
  /** A night, 20:00 to 06:00; null for no limit. */
  nightLimit: Cents | null;
  /** A day to one PIX key; null for no limit. */
  keyDailyLimit: Cents | null;
  /** What nobody approved of a day, above which a withdraw waits for somebody else's approval; null for never. */
  approvalAbove: Cents | null;
  allowedPixKeys: AllowedPixKeysRule;
}

interface AllowedPixKeysRule {
  /** Whether withdraws may go only to the main PIX key and the keys on the company's list. */
  enforced: boolean;
  /** How long after its addition a key on the list counts. */
  coolDownHours: number;
}

const DEFAULT_COOL_DOWN_HOURS = 24;

/** The policy of a company that has set nothing. */
export const NO_POLICY: WithdrawPolicy = {
  duplicateGuard: false,
  dailyLimit: null,
  nightLimit: null,
  keyDailyLimit: null,
  approvalAbove: null,
  allowedPixKeys: { enforced: false, coolDownHours: DEFAULT_COOL_DOWN_HOURS },
};

const HOUR_MS = 3_600_000;
/** The shortest time that others have to notice a right, a key or a policy that somebody loosened. */
const COOL_DOWN_MS_MIN = 24 * HOUR_MS;

/** How long a loosened guard and a new right wait: as long as a key that is added to the list, at least a day. */
export function coolDownMs({ allowedPixKeys }: Pick<WithdrawPolicy, "allowedPixKeys">): number {
  return Math.max(COOL_DOWN_MS_MIN, allowedPixKeys.coolDownHours * HOUR_MS);
}

/** The time in which two equal withdraws count as duplicates. */
export const DUPLICATE_WINDOW_MS = 10 * 60_000;
/** How long a withdraw waits for its approval; then it is cancelled and the money comes back. */
export const APPROVAL_WINDOW_MS = 72 * HOUR_MS;

/** What a policy is applied to. The functions are called only for rules that are set. */
export interface PolicySubject {
  amount: Cents;
  /** When it is requested, epoch milliseconds. */
  at: number;
  /** From when its key counts as allowed (epoch ms), 0 for ever; null if it is neither listed nor the main key. */
  keyCountsFrom: () => number | null;
  /** Centavos withdrawn on its day, in its night and on its day to its key, without those given back. */
  dayTotal: () => Cents;
  nightTotal: () => Cents;
  keyDayTotal: () => Cents;
}

/**
 * Why a policy refuses a withdraw. Amounts in centavos. `possibleFrom` (epoch ms) is when the rule allows
 * it, other withdraws aside; null if it never does.
 */
export type PolicyRefusal =
  | { kind: "pix_key_not_allowed" }
  | { kind: "pix_key_cooling_down"; possibleFrom: number }
  | {
      kind: "daily_limit_exceeded";
      limit: Cents;
      withdrawnToday: Cents;
      possibleFrom: number | null;
    }
  | {
      kind: "night_limit_exceeded" | "key_limit_exceeded";
      limit: Cents;
      used: Cents;
      possibleFrom: number | null;
    };

/** The settings of the API that stop a withdraw. */
export type PolicyRule =
  | "duplicateWithdrawGuard"
  | "allowedPixKeys"
  | "withdrawDailyLimit"
  | "withdrawNightLimit"
  | "withdrawKeyDailyLimit"
  | "withdrawApprovalAbove";

export const RULE_OF_REFUSAL: Record<PolicyRefusal["kind"], PolicyRule> = {
  pix_key_not_allowed: "allowedPixKeys",
  pix_key_cooling_down: "allowedPixKeys",
  daily_limit_exceeded: "withdrawDailyLimit",
  night_limit_exceeded: "withdrawNightLimit",
  key_limit_exceeded: "withdrawKeyDailyLimit",
};

/**
 * Whether the policy keeps a withdraw until it is approved. `unapprovedTotal`: centavos withdrawn on its day that
 * nobody approved, without those given back, so that many small withdraws are one large one.
 */
export function needsApproval(
  { approvalAbove }: WithdrawPolicy,
  amount: Cents,
  unapprovedTotal: () => Cents,
): boolean {
  return approvalAbove !== null && unapprovedTotal() + amount > approvalAbove;
}

/** Every refusal of the policy's limits and allowed keys, in the order in which clients see them. */
export function refusalsByPolicy(policy: WithdrawPolicy, subject: PolicySubject): PolicyRefusal[] {
  const refusals: PolicyRefusal[] = [];
  const keyRefusal = refusalByKey(policy, subject);
  if (keyRefusal !== null) refusals.push(keyRefusal);
  const { amount, at } = subject;
  const { dailyLimit, nightLimit, keyDailyLimit } = policy;
  const tomorrow = (limit: Cents) => (amount > limit ? null : startOfNextDay(at));
  const withdrawnToday = dailyLimit === null ? 0 : subject.dayTotal();
  if (dailyLimit !== null && withdrawnToday + amount > dailyLimit) {
    const possibleFrom = tomorrow(dailyLimit);
    refusals.push({
      kind: "daily_limit_exceeded",
      limit: dailyLimit,
      withdrawnToday,
      possibleFrom,
    });
  }
  const nightEnd = nightLimit === null ? null : endOfNight(at);
  const thisNight = nightEnd === null ? 0 : subject.nightTotal();
  if (nightLimit !== null && nightEnd !== null && thisNight + amount > nightLimit) {
    const used = { limit: nightLimit, used: thisNight };
    refusals.push({ kind: "night_limit_exceeded", ...used, possibleFrom: nightEnd });
  }
  const toKeyToday = keyDailyLimit === null ? 0 : subject.keyDayTotal();
  if (keyDailyLimit !== null && toKeyToday + amount > keyDailyLimit) {
    const used = { limit: keyDailyLimit, used: toKeyToday };
    refusals.push({ kind: "key_limit_exceeded", ...used, possibleFrom: tomorrow(keyDailyLimit) });
  }
  return refusals;
}

/** The refusal of the list of allowed keys; null if it allows the key or is not enforced. */
export function refusalByKey(
  { allowedPixKeys }: Pick<WithdrawPolicy, "allowedPixKeys">,
  { at, keyCountsFrom }: Pick<PolicySubject, "at" | "keyCountsFrom">,
): PolicyRefusal | null {
  if (!allowedPixKeys.enforced) return null;
  const countsFrom = keyCountsFrom();
  if (countsFrom === null) return { kind: "pix_key_not_allowed" };
  return countsFrom > at ? { kind: "pix_key_cooling_down", possibleFrom: countsFrom } : null;
}
