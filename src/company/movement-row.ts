import { ACCOUNTS, type Account, type MovementType, type Posting } from "../domain/ledger.ts";
import type { Cents } from "../domain/money.ts";
import type { HashedMovement, MovementLine } from "../domain/movement-hash.ts";

export type AccountBalances = Record<Account, Cents>;

/** A change of money as it is written down: what it moves, and what stands where after it. */
export interface BookedMovement {
  /** Dense within the company, from 1. */
  sequence: number;
  createdAt: number;
  type: MovementType;
  transactionId: string | null;
  withdrawId: number | null;
  postings: Posting[];
  balances: AccountBalances;
  /** 64 hexadecimal digits. */
  hash: string;
}

export type MovementRow = Record<Account, number> & {
  sequence: number;
  type: MovementType;
  transaction_id: string | null;
  withdraw_id: number | null;
  created_at: number;
  postings: string;
  hash: string;
};

/** Amounts by account, in the order in which they were posted: no movement has two of one account. */
export function toPostingsJson(postings: Posting[]): string {
  return JSON.stringify(
    Object.fromEntries(postings.map(({ account, amount }) => [account, amount])),
  );
}

export function movementOf(row: MovementRow): BookedMovement {
  const postings = Object.entries(JSON.parse(row.postings) as Record<Account, Cents>);
  return {
    sequence: row.sequence,
    createdAt: row.created_at,
    type: row.type,
    transactionId: row.transaction_id,
    withdrawId: row.withdraw_id,
    postings: postings.map(([account, amount]) => ({ account: account as Account, amount })),
    balances: Object.fromEntries(
      ACCOUNTS.map((account) => [account, row[account]]),
    ) as AccountBalances,
    hash: row.hash,
  };
}

/** A movement's postings, each with what it left its account at. */
export function linesOf({ postings, balances }: BookedMovement): MovementLine[] {
  return postings.map(({ account, amount }) => ({ account, amount, balance: balances[account] }));
}

/** What of a movement its hash is over. */
export function hashedPart(movement: BookedMovement): HashedMovement {
  const { sequence, createdAt, type, transactionId, withdrawId } = movement;
  return { sequence, createdAt, type, transactionId, withdrawId, lines: linesOf(movement) };
}
