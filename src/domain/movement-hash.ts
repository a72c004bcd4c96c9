import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "./money.ts";

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
}

/** What the first movement of a ledger carries in place of a predecessor's hash. */
export const GENESIS_HASH = "0".repeat(64);

/**
 * The hash of a movement over itself and the one before (SHA-256 of a JSON array), so that nobody
 * can change the past unseen. Synchronous, for it is part of the commit. The `provider` line is left out: it is minus the sum of the others,
 * and a statement, which does not show it, is enough to compute the chain again.
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
  ]);
  return bytesToHex(sha256(utf8ToBytes(text)));
}
