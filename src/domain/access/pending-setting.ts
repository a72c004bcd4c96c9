/**
 * A setting that was loosened and does not hold yet: whoever loosens a guard of money waits for the cool-down that held
 * before, so that others can refuse it.
 */
export interface PendingSetting {
  /** The setting's name in the API, such as `withdrawApprovalAbove` or `allowedPixKeys.coolDownHours`. */
  field: string;
  from: unknown;
  to: unknown;
  /** Unix milliseconds. */
  effectiveAt: number;
  /** The client id of who loosened it. */
  by: string;
}
