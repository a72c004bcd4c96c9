import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";

/** One line of a movement as the statement shows it. */
export interface MovementLine {
  account: Account;
  amount: Cents;
  balance: Cents;
}

export interface HashedMovement {
  sequence: number;
  createdAt: number;
  type: MovementType;
  transactionId: string | null;
  withdrawId: number | null;
  lines: MovementLine[];
  /** SHA-256 of the movement's details (`MovementDetails`); null when it has none. */
  detailsHash: string | null;
}

/** The predecessor's hash of a ledger's first movement. */
export const GENESIS_HASH = "0".repeat(64);

/**
 * The hash of a movement and its predecessor's hash (SHA-256 of a JSON array): a changed history shows.
 * Synchronous, because the commit computes it. The `provider` line is left out: it is minus the sum of the
 * others, so a statement without it still proves the chain. The hash of the details, if any, is the eighth
 * element (decision 0039).
 */
export function movementHash(previous: string, movement: HashedMovement): string {
  const lines = movement.lines
    .filter((line) => line.account !== "provider")
    .map((line) => [line.account, line.amount, line.balance]);
  const text = JSON.stringify([
    previous,
    movement.sequence,
    movement.createdAt,
    movement.type,
    movement.transactionId,
    movement.withdrawId,
    lines,
    ...(movement.detailsHash === null ? [] : [movement.detailsHash]),
  ]);
  return sha256HexSync(text);
}

/** SHA-256 of a text (UTF-8), 64 hexadecimal digits. */
export function sha256HexSync(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
