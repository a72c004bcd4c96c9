/** The contract's `enTransaction` (docs/states.md). */
export const WITHDRAW_STATUSES = [
  "Awaiting",
  "Processing",
  "Paid",
  "Failed",
  "Cancelled",
  "Returned",
] as const;

export type WithdrawStatus = (typeof WITHDRAW_STATUSES)[number];

/** Whether a withdraw above the company's limit for approvals was approved. */
export const APPROVAL_STATUSES = ["none", "pending", "approved", "refused"] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const TRANSITIONS: Record<WithdrawStatus, readonly WithdrawStatus[]> = {
  Awaiting: ["Processing", "Cancelled"],
  Processing: ["Paid", "Failed"],
  Paid: ["Returned"],
  Failed: [],
  Cancelled: [],
  Returned: [],
};

/** Transitions that only operators can make: the bank paid a withdraw that had failed or was cancelled. */
const MANUAL_TRANSITIONS: Partial<Record<WithdrawStatus, readonly WithdrawStatus[]>> = {
  Failed: ["Paid"],
  Cancelled: ["Paid"],
};

/** Whether the gateway may change a withdraw's status by itself. */
export function canTransitionWithdraw(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Whether operators may change a withdraw's status when they decide a contradiction. */
export function canResolveWithdrawManually(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return MANUAL_TRANSITIONS[from]?.includes(to) === true;
}
