import { isoTime } from "../shared/clock.ts";
import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";

/**
 * Line numbers reserved for each movement, so a line's number tells its movement. A movement has at most
 * one line for each account.
 */
const LINES_PER_MOVEMENT = 16;
/** The index of the provider's line, after all others. A statement shows it only with `accounts=all`. */
export const PROVIDER_LINE = LINES_PER_MOVEMENT - 1;

/** The number of a movement's line; the first line has index 0. Ascending, with gaps. */
export function lineNumber(movement: number, index: number): number {
  return movement * LINES_PER_MOVEMENT + index;
}

/** The movement of a line, by the line's number. */
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
  /** Balance of the account after the posting. */
  balance: Cents;
  transactionId: string | null;
  withdrawId: number | null;
  /** Hash of the movement. */
  hash: string;
  /** Hash of the movement's details (payee, release dates); `hash` covers it. */
  detailsHash: string | null;
}

export interface StatementQuery {
  currency: string;
  after: number;
  limit: number;
  from: number | null;
  to: number | null;
  /** `all` includes the provider's lines. */
  accounts?: "company" | "all";
}

/** A line as the API shows it. Amounts stay in centavos. */
export function statementLineView(line: StatementLine) {
  return { ...line, createdAt: isoTime(line.createdAt) };
}
