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

export function canMoveWithdraw(from: WithdrawStatus, to: WithdrawStatus): boolean {
  return MOVES[from].includes(to);
}
