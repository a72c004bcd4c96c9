import { centsToReais, type Cents } from "../shared/money.ts";

/** A company's balances in one currency, centavos. */
export interface Balances {
  available: Cents;
  awaiting: Cents;
  blocked: Cents;
  /** The part of `available` that a withdraw cannot use until an operator decides a contradiction. */
  held: Cents;
  /** The company's debt, as a positive amount. */
  owed: Cents;
  frozen: boolean;
}

/** The last line of a statement and the newest hash of its chain. */
export interface LedgerHead {
  sequence: number;
  hash: string;
}

export type BalanceStatus = "Released" | "Pending" | "Blocked";

/**
 * The contract's balance record, amounts in reais. `accBalance` can be withdrawn; together with
 * `accBalanceHeld` it is the ledger's `available`. `accBalanceBlocked` is what disputes, refunds and
 * returns under way hold. `accBalanceDebt` is what chargebacks took beyond the
 * company's money; the next credits repay it first. Outbox entries of an older version have no `held`.
 */
export function balanceView(
  companyId: number,
  currency: string,
  { held = 0, ...balances }: Omit<Balances, "held"> & { held?: Cents },
) {
  return {
    id: companyId,
    companyId,
    currency,
    enBalanceStatus: balanceStatus(balances),
    accBalance: centsToReais(balances.available - held),
    accBalanceHeld: centsToReais(held),
    accBalanceCredit: centsToReais(balances.available + balances.awaiting + balances.blocked),
    accBalanceCreditAwaiting: centsToReais(balances.awaiting),
    accBalanceBlocked: centsToReais(balances.blocked),
    accBalanceDebt: centsToReais(balances.owed),
  };
}

/** The contract's `enBalanceStatus`. */
export function balanceStatus(balances: Omit<Balances, "held">): BalanceStatus {
  if (balances.frozen) return "Blocked";
  return balances.available === 0 && balances.awaiting !== 0 ? "Pending" : "Released";
}
