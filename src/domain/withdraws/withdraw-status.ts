/** States of a withdraw (`enTransaction`), `product.md` section 6. */
export const WITHDRAW_STATUSES = [
  "Awaiting",
  "Processing",
  "Paid",
  "Failed",
  "Cancelled",
  "Returned",
] as const;

export type WithdrawStatus = (typeof WITHDRAW_STATUSES)[number];

const TRANSITIONS: Record<WithdrawStatus, readonly WithdrawStatus[]> = {
  Awaiting: ["Processing", "Cancelled"],
  Processing: ["Paid", "Failed"],
  Paid: ["Returned"],
  Failed: [],
  Cancelled: [],
  Returned: [],
};

/** What only a person can decide: a bank paid what it had said it would not, or was never asked. */
const MANUAL_TRANSITIONS: Partial<Record<WithdrawStatus, readonly WithdrawStatus[]>> = {
  Failed: ["Paid"],
  Cancelled: ["Paid"],
};

export function canTransitionWithdraw(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** As `canTransitionWithdraw`, of what a provider said against what was booked, once it was decided. */
export function canResolveWithdrawManually(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return MANUAL_TRANSITIONS[from]?.includes(to) === true;
}
