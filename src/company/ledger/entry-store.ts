import { addSums, NO_SUMS } from "../../domain/ledger/daily-totals.ts";
import {
  entryAmounts,
  ownBalance,
  type EntryPage,
  type EntryQuery,
  type Payee,
  isEntryOf,
  type StatementEntry,
  type StatementSums,
} from "../../domain/ledger/entries/entry.ts";
import { timesOfDays, type DayPeriod } from "../../domain/ledger/entries/month.ts";
import { lineNumber, movementOfLine } from "../../domain/ledger/statement.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { named } from "../storage/named-sql.ts";
import type { DailyTotalsStore } from "./daily-totals-store.ts";
import { balancesAfter, lastLine, type LedgerStore } from "./ledger-store.ts";
import { movementOf, type BookedMovement, type MovementRow } from "./movement-row.ts";

/** Movements that one page reads at most: some are no entry. */
const SCAN_MAX = 4_000;

/** The statement as people read it: entries, and the sums of days. */
export class EntryStore {
  readonly #sql: SqlStorage;
  readonly #ledger: LedgerStore;
  readonly #dailyTotals: DailyTotalsStore;

  constructor(deps: { sql: SqlStorage; ledger: LedgerStore; dailyTotals: DailyTotalsStore }) {
    this.#sql = deps.sql;
    this.#ledger = deps.ledger;
    this.#dailyTotals = deps.dailyTotals;
  }

  /** A page of a period's entries, newest first. Reads no more movements than it needs, whatever the history. */
  page({ from, to, before, limit, only }: EntryQuery): EntryPage {
    const first = this.#ledger.lastBefore(from) + 1;
    const newest = this.#ledger.lastBefore(to + 1);
    const last = before === null ? newest : Math.min(newest, movementOfLine(before) - 1);
    const found: StatementEntry[] = [];
    let read = last + 1;
    const rows = named(
      `SELECT * FROM movements WHERE sequence BETWEEN :first AND :last
         ORDER BY sequence DESC LIMIT :most`,
    ).exec<MovementRow>(this.#sql, { first, last, most: SCAN_MAX });
    for (const row of rows) {
      if (found.length > limit) break;
      read = row.sequence;
      const movement = movementOf(row);
      const amounts = entryAmounts(movement);
      if (amounts === null) continue;
      const { createdAt, type, transactionId, withdrawId } = movement;
      if (only !== null && !isEntryOf(only, { type, ...amounts })) continue;
      const sequence = lastLine(movement);
      found.push({ sequence, createdAt, type, transactionId, withdrawId, ...amounts });
    }
    const entries = found.slice(0, limit);
    const end = found.length > limit ? (entries.at(-1)?.sequence ?? null) : null;
    const after = end ?? (read > first ? lineNumber(read, 0) : null);
    return { entries, payees: this.#payeesOf(entries), after };
  }

  /** The sums of days: two balances and the totals of each day, whatever its length. */
  sums(days: DayPeriod): StatementSums {
    const { from, to } = timesOfDays(days);
    const before = this.#ledger.lastBefore(from);
    const last = this.#ledger.lastBefore(to + 1);
    const [start, end] = [this.#movement(before), this.#movement(last)];
    const [opened, closed] = [balancesAfter(start), balancesAfter(end)];
    const counted = this.#dailyTotals.between(days.from, days.to).reduce(addSums, NO_SUMS);
    const opening = ownBalance(opened);
    const closing = ownBalance(closed);
    const fees = closed.fees - opened.fees;
    const moneyIn = counted.gross + this.#uncounted(before + 1, last);
    return {
      opening,
      moneyIn,
      fees,
      moneyOut: opening + moneyIn - fees - closing,
      closing,
      available: closed.available + closed.debt,
      movements: last - before,
      sequence: end === null ? 0 : lastLine(end),
    };
  }

  /** The gross of payments that are older than the totals of days. Centavos. */
  #uncounted(first: number, last: number): Cents {
    return named(
      `SELECT coalesce(sum(0 - coalesce(postings ->> '$.provider', 0)
           - coalesce(postings ->> '$.suspense', 0)), 0) AS gross
         FROM movements WHERE sequence BETWEEN :first AND :last
           AND type IN ('charge_paid', 'suspense_credited')`,
    )
      .exec<{ gross: number }>(this.#sql, {
        first,
        last: Math.min(last, this.#dailyTotals.firstMovement() - 1),
      })
      .one().gross;
  }

  #movement(sequence: number): BookedMovement | null {
    const [row] = this.#sql
      .exec<MovementRow>("SELECT * FROM movements WHERE sequence = ?", sequence)
      .toArray();
    return row === undefined ? null : movementOf(row);
  }

  #payeesOf(entries: readonly StatementEntry[]): Payee[] {
    const ids = new Set(entries.flatMap(({ withdrawId }) => withdrawId ?? []));
    if (ids.size === 0) return [];
    return this.#sql
      .exec<Pick<Payee, keyof Payee>>(
        `SELECT id AS withdrawId, pix_key AS pixKey, pix_key_type AS pixKeyType FROM withdraws
         WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify([...ids]),
      )
      .toArray();
  }
}
