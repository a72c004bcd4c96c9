import { centsToReais, type Cents } from "../shared/money.ts";

/** A company's balances in one currency, centavos. */
export interface Balances {
  available: Cents;
  awaiting: Cents;
  blocked: Cents;
  /** What of `available` cannot be withdrawn until a person has decided what its bank says of it. */
  held: Cents;
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
 * The contract's balance record: amounts in reais (`product.md` section 5). `accBalance` may be withdrawn;
 * with `accBalanceHeld` it is the ledger's `available`. What a chargeback took beyond the company's
 * money is `accBalanceDebt`; the next credits repay it first. What D1 was owed by an older version has
 * no `held`.
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
    accBalanceDebt: centsToReais(balances.owed),
  };
}

export function balanceStatus(balances: Omit<Balances, "held">): BalanceStatus {
  if (balances.frozen) return "Blocked";
  return balances.available === 0 && balances.awaiting !== 0 ? "Pending" : "Released";
}
