import { centsToReais, type Cents } from "./money.ts";

/** A company's balances in one currency, centavos. */
export interface Balances {
  available: Cents;
  awaiting: Cents;
  blocked: Cents;
  frozen: boolean;
}

/** The contract's balance record: amounts in reais (`product.md` section 5). */
export function balanceView(companyId: number, currency: string, balances: Balances) {
  return {
    id: companyId,
    companyId,
    currency,
    enBalanceStatus: balanceStatus(balances),
    accBalance: centsToReais(balances.available),
    accBalanceCredit: centsToReais(balances.available + balances.awaiting + balances.blocked),
    accBalanceCreditAwaiting: centsToReais(balances.awaiting),
  };
}

function balanceStatus(balances: Balances): "Released" | "Pending" | "Blocked" {
  if (balances.frozen) return "Blocked";
  return balances.available === 0 && balances.awaiting !== 0 ? "Pending" : "Released";
}
