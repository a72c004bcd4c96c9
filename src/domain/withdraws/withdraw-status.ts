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

const MOVES: Record<WithdrawStatus, readonly WithdrawStatus[]> = {
  Awaiting: ["Processing", "Cancelled"],
  Processing: ["Paid", "Failed"],
  Paid: ["Returned"],
  Failed: [],
  Cancelled: [],
  Returned: [],
};

/** What only a person can decide: a bank paid what it had said it would not, or was never asked. */
const DECIDED_MOVES: Partial<Record<WithdrawStatus, readonly WithdrawStatus[]>> = {
  Failed: ["Paid"],
  Cancelled: ["Paid"],
};

export function canMoveWithdraw(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return MOVES[from].includes(to);
}

/** As `canMoveWithdraw`, of what a provider said against what was booked, once it was decided. */
export function canDecideWithdraw(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return DECIDED_MOVES[from]?.includes(to) === true;
}
