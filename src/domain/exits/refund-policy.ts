import type { PersonRole } from "../access/person-role.ts";
import type { Cents } from "../shared/money.ts";

/** What each person of a role may do by himself. */
interface RoleLimits {
  /** Centavos a day (America/Sao_Paulo) that one person of the role sends back; null for no limit. */
  refundDailyLimit: Cents | null;
}

/** A company's own rules for what it sends back: refunds and returns of unexpected payments. */
export interface RefundPolicy {
  /** Centavos a day (America/Sao_Paulo); null for no limit. */
  dailyLimit: Cents | null;
  /** What nobody approved of a day, in centavos, above which one waits for somebody else; null for never. */
  approvalAbove: Cents | null;
  /** By role; a role that is missing has no limit of its own. */
  roleLimits: Partial<Record<PersonRole, RoleLimits>>;
}

/** The limits of a company that has set none: support sends back R$ 500 a day. */
export const DEFAULT_ROLE_LIMITS: RefundPolicy["roleLimits"] = {
  support: { refundDailyLimit: 50_000 },
};

/** The policy of a company that has set nothing. */
export const NO_REFUND_POLICY: RefundPolicy = {
  dailyLimit: null,
  approvalAbove: null,
  roleLimits: DEFAULT_ROLE_LIMITS,
};
