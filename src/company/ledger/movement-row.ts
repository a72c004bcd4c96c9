import {
  ACCOUNTS,
  type Account,
  type MovementType,
  type Posting,
} from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { MovementDetails } from "../../domain/ledger/movement-details.ts";
import {
  movementHash,
  sha256HexSync,
  type HashedMovement,
  type MovementLine,
} from "../../domain/ledger/movement-hash.ts";

export type AccountBalances = Record<Account, Cents>;

/** A stored movement: its postings, and every account's balance after it. Centavos. */
export interface BookedMovement {
  /** Dense within the company, from 1. */
  sequence: number;
  createdAt: number;
  type: MovementType;
  transactionId: string | null;
  withdrawId: number | null;
  postings: Posting[];
  balances: AccountBalances;
  /** Canonical JSON and its SHA-256; null without details. */
  details: string | null;
  detailsHash: string | null;
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
  details: string | null;
  details_hash: string | null;
};

/** Amounts by account, in posting order; an account occurs at most once in a movement. */
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
    details: row.details,
    detailsHash: row.details_hash,
    hash: row.hash,
  };
}

/** A movement's parsed details; null without any. */
export function detailsOf({ details }: Pick<BookedMovement, "details">): MovementDetails | null {
  return details === null ? null : (JSON.parse(details) as MovementDetails);
}

/** A movement's postings, each with its account's balance after it. */
export function linesOf({ postings, balances }: BookedMovement): MovementLine[] {
  return postings.map(({ account, amount }) => ({ account, amount, balance: balances[account] }));
}

/** The content that a movement's hash covers. */
export function hashedPart(movement: BookedMovement): HashedMovement {
  const { sequence, createdAt, type, transactionId, withdrawId, detailsHash } = movement;
  const lines = linesOf(movement);
  return { sequence, createdAt, type, transactionId, withdrawId, lines, detailsHash };
}

/** Whether a movement's hashes cover its details, its content and the previous movement's hash. */
export function isHashed(movement: BookedMovement, previous: string): boolean {
  const { details, detailsHash, hash } = movement;
  const expected = details === null ? null : sha256HexSync(details);
  return expected === detailsHash && movementHash(previous, hashedPart(movement)) === hash;
}
