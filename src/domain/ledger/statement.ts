import { isoTime } from "../shared/clock.ts";
import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";

/**
 * Numbers of lines kept for each movement, so that a line's number says which movement it is of. A
 * movement has at most one line for each account.
 */
const LINES_PER_MOVEMENT = 16;
/** The index of the provider's line, behind those of all others: it is shown only where it is asked for. */
export const PROVIDER_LINE = LINES_PER_MOVEMENT - 1;

/** The number of a movement's line, the first of which has index 0. Ascending, with gaps. */
export function lineNumber(movement: number, index: number): number {
  return movement * LINES_PER_MOVEMENT + index;
}

/** The movement that a line's number is of. */
export function movementOfLine(sequence: number): number {
  return Math.floor(sequence / LINES_PER_MOVEMENT);
}

/** One posting. Centavos, epoch milliseconds. */
export interface StatementLine {
  /** Ascending, with gaps. */
  sequence: number;
  createdAt: number;
  type: MovementType;
  account: Account;
  /** Signed. */
  amount: Cents;
  /** Of this account, after this posting. */
  balance: Cents;
  transactionId: string | null;
  withdrawId: number | null;
  /** Of the movement the posting belongs to. */
  hash: string;
  /** Of what decides money later in that movement (payee, release dates); the hash covers it. */
  detailsHash: string | null;
}

export interface StatementQuery {
  currency: string;
  after: number;
  limit: number;
  from: number | null;
  to: number | null;
  /** The company's own accounts, or the provider's side too. */
  accounts?: "company" | "all";
}

/** A line as the API shows it: amounts stay in centavos (`product.md` section 5). */
export function statementLineView(line: StatementLine) {
  return { ...line, createdAt: isoTime(line.createdAt) };
}
