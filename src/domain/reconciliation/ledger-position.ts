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

/** A payout, refund, cancel, capture or return whose provider has not given its last answer. */
export interface Undecided {
  /** A withdraw's number, or an operation's id at the provider: what an operator decides it by. */
  id: string;
  kind: string;
  /** Centavos. */
  amount: Cents;
  /** When it was asked for. Unix milliseconds. */
  since: number;
  /** How often its provider was asked about it. */
  checks: number;
  /** When it is asked again. Unix milliseconds; null if nothing asks. */
  nextCheckAt: number | null;
}

/** Operations whose provider has not given its last answer. Centavos. */
export interface OpenOperations {
  /** Counted up to 1,000. */
  count: number;
  amount: Cents;
  /** When the oldest was asked for. Unix milliseconds. */
  since: number;
}

/** The balances of a company's accounts, in centavos, and its open items. */
export interface LedgerPosition {
  accounts: Record<Account, Cents>;
  frozen: boolean;
  /** Centavos that cannot be withdrawn until contradictions are decided. */
  held: Cents;
  openItems: OpenItem[];
  /** Withdraws that are being paid out, and operations without an answer; the first of each. */
  undecided: { payouts: Undecided[]; operations: Undecided[] };
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
