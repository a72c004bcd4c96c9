import { centsToReais, type Cents } from "./money.ts";

/** A company's balances in one currency, centavos. */
export interface Balances {
  available: Cents;
  awaiting: Cents;
  blocked: Cents;
  /** What the company owes, as a positive amount. */
  owed: Cents;
  frozen: boolean;
}

/** How far a ledger has come: the last line of its statement and the newest hash of its chain. */
export interface LedgerHead {
  sequence: number;
  hash: string;
}

export type BalanceStatus = "Released" | "Pending" | "Blocked";

/**
 * The contract's balance record: amounts in reais (`product.md` section 5). What a chargeback took
 * beyond the company's money is `accBalanceDebt`; the next credits repay it first.
 */
export function balanceView(companyId: number, currency: string, balances: Balances) {
  return {
    id: companyId,
    companyId,
    currency,
    enBalanceStatus: balanceStatus(balances),
    accBalance: centsToReais(balances.available),
    accBalanceCredit: centsToReais(balances.available + balances.awaiting + balances.blocked),
    accBalanceCreditAwaiting: centsToReais(balances.awaiting),
    accBalanceDebt: centsToReais(balances.owed),
  };
}

export function balanceStatus(balances: Balances): BalanceStatus {
  if (balances.frozen) return "Blocked";
  return balances.available === 0 && balances.awaiting !== 0 ? "Pending" : "Released";
}
