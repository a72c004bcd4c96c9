import { isoTime } from "./clock.ts";
import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "./money.ts";

/** One posting of one of the company's accounts. Centavos, epoch milliseconds. */
export interface StatementLine {
  sequence: number;
  createdAt: number;
  type: MovementType;
  account: Exclude<Account, "provider">;
  /** Signed. */
  amount: Cents;
  /** Of this account, after this posting. */
  balance: Cents;
  transactionId: string | null;
  withdrawId: number | null;
  /** Of the movement the posting belongs to. */
  hash: string;
}

export interface StatementQuery {
  currency: string;
  after: number;
  limit: number;
  from: number | null;
  to: number | null;
}

/** A line as the API shows it: amounts stay in centavos (`product.md` section 5). */
export function statementLineView(line: StatementLine) {
  return { ...line, createdAt: isoTime(line.createdAt) };
}
