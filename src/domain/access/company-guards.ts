import type { RefundPolicy } from "../exits/refund-policy.ts";
import type { Company } from "../shared/company.ts";
import type { WithdrawPolicy } from "../withdraws/withdraw-policy.ts";
import { lowerOf, settledAt, type Guard, type Guards } from "./pending-setting.ts";
import { PERSON_ROLES, type PersonRole } from "./person-role.ts";

/** A company's own rules for the ways out of its money. */
export interface Policies {
  withdrawPolicy: WithdrawPolicy;
  refundPolicy: RefundPolicy;
}

type AllowedPixKeys = WithdrawPolicy["allowedPixKeys"];

const isOn = (value: unknown) => value === true;

/** A field of the withdraw policy. */
function ofWithdraws<Field extends keyof WithdrawPolicy>(
  field: Field,
  meet: (one: unknown, other: unknown) => WithdrawPolicy[Field],
): Guard<Policies> {
  return {
    of: ({ withdrawPolicy }) => withdrawPolicy[field],
    with: (policies, value) => ({
      ...policies,
      withdrawPolicy: { ...policies.withdrawPolicy, [field]: value },
    }),
    meet,
  };
}

function ofAllowedPixKeys<Field extends keyof AllowedPixKeys>(
  field: Field,
  meet: (one: unknown, other: unknown) => AllowedPixKeys[Field],
): Guard<Policies> {
  return {
    of: ({ withdrawPolicy }) => withdrawPolicy.allowedPixKeys[field],
    with: (policies, value) => {
      const { withdrawPolicy } = policies;
      const allowedPixKeys = { ...withdrawPolicy.allowedPixKeys, [field]: value };
      return { ...policies, withdrawPolicy: { ...withdrawPolicy, allowedPixKeys } };
    },
    meet,
  };
}

function ofRefunds(field: "dailyLimit" | "approvalAbove"): Guard<Policies> {
  return {
    of: ({ refundPolicy }) => refundPolicy[field],
    with: (policies, value) => ({
      ...policies,
      refundPolicy: { ...policies.refundPolicy, [field]: value },
    }),
    meet: lowerOf,
  };
}

function ofRole(role: PersonRole): Guard<Policies> {
  return {
    of: ({ refundPolicy }) => refundPolicy.roleLimits[role]?.refundDailyLimit ?? null,
    with: (policies, value) => {
      const { refundPolicy } = policies;
      const refundDailyLimit = value as number | null;
      const roleLimits = { ...refundPolicy.roleLimits, [role]: { refundDailyLimit } };
      return { ...policies, refundPolicy: { ...refundPolicy, roleLimits } };
    },
    meet: lowerOf,
  };
}

/** The name of a role's limit of refunds, as a setting that waits has it. */
export function roleLimitField(role: string): string {
  return `roleLimits.${role}.refundDailyLimit`;
}

/** Every setting of a company that keeps money from leaving. */
export const COMPANY_GUARDS: Guards<Policies> = {
  duplicateWithdrawGuard: ofWithdraws("duplicateGuard", (one, other) => isOn(one) || isOn(other)),
  withdrawDailyLimit: ofWithdraws("dailyLimit", lowerOf),
  withdrawNightLimit: ofWithdraws("nightLimit", lowerOf),
  withdrawKeyDailyLimit: ofWithdraws("keyDailyLimit", lowerOf),
  withdrawApprovalAbove: ofWithdraws("approvalAbove", lowerOf),
  "allowedPixKeys.enforced": ofAllowedPixKeys("enforced", (one, other) => isOn(one) || isOn(other)),
  "allowedPixKeys.coolDownHours": ofAllowedPixKeys("coolDownHours", (one, other) =>
    Math.max(Number(one), Number(other)),
  ),
  refundDailyLimit: ofRefunds("dailyLimit"),
  refundApprovalAbove: ofRefunds("approvalAbove"),
  ...Object.fromEntries(PERSON_ROLES.map((role) => [roleLimitField(role), ofRole(role)])),
};

/** A company as it is at a time: rules that were loosened hold from the time that each waits for. */
export function companyAt<Known extends Policies & Pick<Company, "pendingSettings">>(
  company: Known,
  nowMs: number,
): Known {
  const { pendingSettings: pending } = company;
  if (pending.every(({ effectiveAt }) => effectiveAt > nowMs)) return company;
  const settled = settledAt<Policies>(COMPANY_GUARDS, { settings: company, pending }, nowMs);
  const { withdrawPolicy, refundPolicy } = settled.settings;
  return { ...company, withdrawPolicy, refundPolicy, pendingSettings: [...settled.pending] };
}
