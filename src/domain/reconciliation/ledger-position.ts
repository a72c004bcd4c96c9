import type { Account } from "../ledger/ledger.ts";
import type { Cents } from "../shared/money.ts";

/** What is open, and may have left the bank's account already though it has not left the ledger. */
export const OPEN_ITEM_KINDS = [
  "payouts_processing",
  "refunds_pending",
  "returns_pending",
  "disputes_open",
] as const;
export type OpenItemKind = (typeof OPEN_ITEM_KINDS)[number];

/** Centavos; `more` where there are more than were added up. */
export interface OpenItem {
  kind: OpenItemKind;
  count: number;
  amount: Cents;
  more: boolean;
}

/** A company's ledger, account by account in centavos, and what is open. */
export interface LedgerPosition {
  accounts: Record<Account, Cents>;
  frozen: boolean;
  /** Centavos that cannot be withdrawn until contradictions are decided. */
  held: Cents;
  openItems: OpenItem[];
}

/** What the ledger says stands at the company's banks: what they owe is negative in `provider`. */
export function expectedBankBalance({ accounts }: Pick<LedgerPosition, "accounts">): Cents {
  return 0 - accounts.provider;
}

/**
 * What of a difference between bank and ledger no open item explains, in centavos: each may have left the
 * bank already, wholly or not at all. More at the bank than in the ledger is explained by none.
 */
export function unexplainedDifference(difference: Cents, openItems: OpenItem[]): Cents {
  const mayHaveLeft = openItems.reduce((sum, item) => sum + item.amount, 0);
  if (difference > 0) return difference;
  return Math.min(0, difference + mayHaveLeft);
}
