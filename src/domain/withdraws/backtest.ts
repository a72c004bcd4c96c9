import { saoPauloDay, saoPauloNight } from "../shared/business-day.ts";
import type { Cents } from "../shared/money.ts";
import {
  DUPLICATE_WINDOW_MS,
  needsApproval,
  refusalsByPolicy,
  RULE_OF_REFUSAL,
  type PolicyRule,
  type WithdrawPolicy,
} from "./withdraw-policy.ts";

/** A withdraw of the past that kept its money. Amount in centavos, time in epoch milliseconds. */
export interface PastWithdraw {
  id: number;
  amount: Cents;
  pixKey: string;
  createdAt: number;
}

/** A withdraw that a policy would have refused or kept for an approval, and the first rule that says so. */
export interface StoppedWithdraw {
  withdraw: PastWithdraw;
  rule: PolicyRule;
}

/**
 * The withdraws that a policy would have stopped. `withdraws` in their order; one that is refused counts for
 * no limit of later ones. A key that `isAllowed` counts, however late it was added.
 */
export function stoppedByPolicy(
  policy: WithdrawPolicy,
  withdraws: readonly PastWithdraw[],
  isAllowed: (pixKey: string) => boolean,
): StoppedWithdraw[] {
  const accepted = new AcceptedWithdraws();
  return withdraws.flatMap((withdraw) => {
    const { amount, pixKey, createdAt: at } = withdraw;
    const isDuplicate = policy.duplicateGuard && accepted.hasDuplicate(withdraw);
    const [refusal] = refusalsByPolicy(policy, {
      amount,
      at,
      keyCountsFrom: () => (isAllowed(pixKey) ? 0 : null),
      dayTotal: () => accepted.ofDay(at),
      nightTotal: () => accepted.ofNight(at),
      keyDayTotal: () => accepted.ofKey(pixKey, at),
    });
    if (isDuplicate) return [{ withdraw, rule: "duplicateWithdrawGuard" }];
    if (refusal !== undefined) return [{ withdraw, rule: RULE_OF_REFUSAL[refusal.kind] }];
    const isPending = needsApproval(policy, amount, () => accepted.unapprovedOfDay(at));
    accepted.add(withdraw, { isApproved: isPending });
    return isPending ? [{ withdraw, rule: "withdrawApprovalAbove" }] : [];
  });
}

/** The running sums of the withdraws that the policy accepted, which come in their order. */
class AcceptedWithdraws {
  #day = "";
  #daySum = 0;
  #unapprovedSum = 0;
  #night: string | null = null;
  #nightSum = 0;
  readonly #sumByKey = new Map<string, Cents>();
  readonly #newestByPayment = new Map<string, number>();

  add(withdraw: PastWithdraw, { isApproved }: { isApproved: boolean }): void {
    const { amount, pixKey, createdAt } = withdraw;
    const day = saoPauloDay(createdAt);
    if (day !== this.#day) this.#sumByKey.clear();
    this.#unapprovedSum = this.unapprovedOfDay(createdAt) + (isApproved ? 0 : amount);
    this.#daySum = (day === this.#day ? this.#daySum : 0) + amount;
    this.#day = day;
    const night = saoPauloNight(createdAt);
    this.#nightSum = (night === this.#night ? this.#nightSum : 0) + amount;
    this.#night = night;
    this.#sumByKey.set(pixKey, (this.#sumByKey.get(pixKey) ?? 0) + amount);
    this.#newestByPayment.set(paymentOf(withdraw), createdAt);
  }

  hasDuplicate(withdraw: PastWithdraw): boolean {
    const newest = this.#newestByPayment.get(paymentOf(withdraw));
    return newest !== undefined && withdraw.createdAt - newest <= DUPLICATE_WINDOW_MS;
  }

  ofDay(at: number): Cents {
    return saoPauloDay(at) === this.#day ? this.#daySum : 0;
  }

  /** Centavos of the day that needed no approval. */
  unapprovedOfDay(at: number): Cents {
    return saoPauloDay(at) === this.#day ? this.#unapprovedSum : 0;
  }

  ofNight(at: number): Cents {
    return saoPauloNight(at) === this.#night ? this.#nightSum : 0;
  }

  ofKey(pixKey: string, at: number): Cents {
    return saoPauloDay(at) === this.#day ? (this.#sumByKey.get(pixKey) ?? 0) : 0;
  }
}

function paymentOf({ amount, pixKey }: PastWithdraw): string {
  return `${amount} ${pixKey}`;
}
