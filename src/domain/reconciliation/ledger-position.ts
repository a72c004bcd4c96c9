import type { Account } from "../ledger/ledger.ts";
import type { Cents } from "../shared/money.ts";

/** Open items: money that may have left the bank account but has not left the ledger. */
export const OPEN_ITEM_KINDS = [
  "payouts_processing",
  "refunds_pending",
  "returns_pending",
  "disputes_open",
] as const;
export type OpenItemKind = (typeof OPEN_ITEM_KINDS)[number];

/** Items of one kind. Centavos; `more` when `amount` covers only some of them. */
export interface OpenItem {
  kind: OpenItemKind;
  count: number;
  amount: Cents;
  more: boolean;
}

/** The balances of a company's accounts, in centavos, and its open items. */
export interface LedgerPosition {
  accounts: Record<Account, Cents>;
  frozen: boolean;
  /** Centavos that cannot be withdrawn until contradictions are decided. */
  held: Cents;
  openItems: OpenItem[];
}

/** The sum of the company's bank balances by the ledger, in centavos: `provider` is its negative. */
export function expectedBankBalance({ accounts }: Pick<LedgerPosition, "accounts">): Cents {
  return 0 - accounts.provider;
}

/**
 * The part of a difference (bank minus ledger, centavos) that open items cannot explain. Any of them may
 * have left the bank already. No open item explains more money at the bank than in the ledger.
 */
export function unexplainedDifference(difference: Cents, openItems: OpenItem[]): Cents {
  const mayHaveLeft = openItems.reduce((sum, item) => sum + item.amount, 0);
  if (difference > 0) return difference;
  return Math.min(0, difference + mayHaveLeft);
}
