import type { Scope } from "../shared/company.ts";
import type { SpendingLimits } from "../withdraws/spending-limits.ts";
import { areNetworksWithin } from "./networks.ts";

/** What an application may do, and within which limits. */
export interface Authority {
  scopes: readonly Scope[];
  /** Canonical CIDR networks; null for any address. */
  networks: readonly string[] | null;
  /** Unix milliseconds; null for no end. */
  expiresAt: number | null;
  spendingLimits: SpendingLimits | null;
  /** Centavos that it sends back a day; null for no limit. */
  refundDailyLimit: number | null;
}

/** What spending limits hold: withdraws that are asked for or approved. */
const SCOPES_THAT_WITHDRAW = ["withdraws:write", "withdraws:approve"] as const;
/** What `refundDailyLimit` counts: refunds, returns of unexpected payments, and approvals of both. */
export const SCOPES_THAT_SEND_BACK = [
  "refunds:write",
  "payments:write",
  "withdraws:approve",
] as const;

/** A part of an authority, by the name of its field in the API. */
export type AuthorityPart = keyof Authority;

/**
 * The parts of `authority` that go beyond those of `own`; none if an application with `own` may give or
 * control it (principle of least privilege, OWASP API5). A daily limit would hold for each application
 * alone, so an application with spending limits lets no other withdraw, and one with a limit of refunds lets no other send
 * back, nor approve either: `isOther` says that it is not the same one.
 */
export function partsBeyond(
  authority: Authority,
  own: Authority,
  { isOther }: { isOther: boolean },
): AuthorityPart[] {
  const { scopes, networks, expiresAt, spendingLimits, refundDailyLimit } = authority;
  const gives = (scope: Scope) => scopes.includes(scope);
  const withdraws = SCOPES_THAT_WITHDRAW.some(gives);
  const sendsBack = SCOPES_THAT_SEND_BACK.some(gives);
  const isMultiplied =
    isOther &&
    ((own.spendingLimits !== null && withdraws) || (own.refundDailyLimit !== null && sendsBack));
  const isBeyond: Record<AuthorityPart, boolean> = {
    scopes: isMultiplied || scopes.some((scope) => !own.scopes.includes(scope)),
    networks:
      own.networks !== null && (networks === null || !areNetworksWithin(networks, own.networks)),
    expiresAt: !isAtMost(expiresAt, own.expiresAt),
    spendingLimits: withdraws && !areSpendingLimitsWithin(spendingLimits, own.spendingLimits),
    refundDailyLimit: sendsBack && !isAtMost(refundDailyLimit, own.refundDailyLimit),
  };
  return (Object.keys(isBeyond) as AuthorityPart[]).filter((part) => isBeyond[part]);
}

function areSpendingLimitsWithin(
  spendingLimits: SpendingLimits | null,
  own: SpendingLimits | null,
): boolean {
  if (own === null) return true;
  if (spendingLimits === null) return false;
  const { pixKeys } = spendingLimits;
  const areKeysListed =
    own.pixKeys === null ||
    (pixKeys !== null && pixKeys.every((key) => own.pixKeys?.includes(key)));
  return (
    areKeysListed &&
    isAtMost(spendingLimits.dailyLimit, own.dailyLimit) &&
    isAtMost(spendingLimits.until, own.until)
  );
}

/** Whether a limit is as tight as another. Null is no limit. */
export function isAtMost(value: number | null, limit: number | null): boolean {
  return limit === null || (value !== null && value <= limit);
}
