import type { Account, MovementType } from "../../../src/domain/ledger/ledger.ts";
import { hashedPart } from "../../../src/company/ledger/movement-row.ts";
import {
  GENESIS_HASH,
  movementHash,
  sha256HexSync,
} from "../../../src/domain/ledger/movement-hash.ts";
import { movementsIn } from "../probes/ledger/ledger-rows.ts";

/** Recomputes every movement's hash, its details' hash included. */
export function rehashMovements(sql: SqlStorage): void {
  let previous = GENESIS_HASH;
  for (const movement of movementsIn(sql)) {
    const detailsHash = movement.details === null ? null : sha256HexSync(movement.details);
    previous = movementHash(previous, hashedPart({ ...movement, detailsHash }));
    sql.exec(
      "UPDATE movements SET hash = ?, details_hash = ? WHERE sequence = ?",
      previous,
      detailsHash,
      movement.sequence,
    );
  }
}

/** Statements that tamper with the ledger, by what they change. */
export const LEDGER_SQL = {
  /** The newest movement's balance; `provider` keeps the sum at zero. */
  addToBalance: (account: string, amount: number) =>
    `UPDATE movements SET ${account} = ${account} + ${amount}, provider = provider - ${amount}
     WHERE sequence = (SELECT max(sequence) FROM movements)`,
  addToBalanceOf: (sequence: number, account: string, amount: number) =>
    `UPDATE movements SET ${account} = ${account} + ${amount}, fees = fees - ${amount}
     WHERE sequence = ${sequence}`,
  /** A balance from one movement on. */
  addBackSince: (sequence: number, account: string, amount: number) =>
    `UPDATE movements SET ${account} = ${account} + ${amount}, provider = provider - ${amount}
     WHERE sequence >= ${sequence}`,
  /** A balance in every movement. */
  setBalance: (account: string, amount: number) =>
    `UPDATE movements SET provider = provider + ${account} - ${amount}, ${account} = ${amount}`,
  scalePostings: (sequence: number, by: string) =>
    `UPDATE movements
     SET postings = (SELECT json_group_object(key, value ${by}) FROM json_each(postings))
     WHERE sequence = ${sequence}`,
  /** A movement's posting, by an SQL expression. */
  setPosting: (sequence: number, account: Account, amount: string) =>
    `UPDATE movements SET postings = json_set(postings, '$.${account}', ${amount})
     WHERE sequence = ${sequence}`,
  removePosting: (sequence: number, account: Account) =>
    `UPDATE movements SET postings = json_remove(postings, '$.${account}')
     WHERE sequence = ${sequence}`,
  setType: (sequence: number, type: MovementType) =>
    `UPDATE movements SET type = '${type}' WHERE sequence = ${sequence}`,
  setHash: (sequence: number, hex: string) =>
    `UPDATE movements SET hash = '${hex}' WHERE sequence = ${sequence}`,
  /** The same movements without their table's constraints. */
  withoutRules: [
    "ALTER TABLE movements RENAME TO kept_movements",
    "CREATE TABLE movements AS SELECT * FROM kept_movements",
  ],
  withRules: ["DROP TABLE movements", "ALTER TABLE kept_movements RENAME TO movements"],
};
