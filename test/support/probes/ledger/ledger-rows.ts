import { ACCOUNTS } from "../../../../src/domain/ledger/ledger.ts";
import {
  hashedPart,
  movementOf,
  type BookedMovement,
  type MovementRow,
} from "../../../../src/company/ledger/movement-row.ts";
import { GENESIS_HASH, movementHash } from "../../../../src/domain/ledger/movement-hash.ts";

/** Every movement of a company's object, oldest first. All tests read movements here. */
export function movementsIn(sql: SqlStorage): BookedMovement[] {
  return sql
    .exec<MovementRow>("SELECT * FROM movements ORDER BY sequence")
    .toArray()
    .map(movementOf);
}

/** The balance of each used account in the newest movement, in centavos. */
export function accountsIn(sql: SqlStorage): Record<string, number> {
  const movements = movementsIn(sql);
  const used = new Set(movements.flatMap(({ postings }) => postings.map((each) => each.account)));
  const balances = movements.at(-1)?.balances;
  return Object.fromEntries(
    ACCOUNTS.filter((account) => used.has(account)).map((account) => [
      account,
      balances?.[account] ?? 0,
    ]),
  );
}

/** The number of the object's events. */
export function eventCountIn(sql: SqlStorage): number {
  return sql.exec<{ events: number }>("SELECT newest_event AS events FROM company").one().events;
}

/** Whether each movement's hash covers its content and the previous hash. */
export function isChainIntact(sql: SqlStorage): boolean {
  let previous = GENESIS_HASH;
  for (const movement of movementsIn(sql)) {
    if (movementHash(previous, hashedPart(movement)) !== movement.hash) return false;
    previous = movement.hash;
  }
  return true;
}
