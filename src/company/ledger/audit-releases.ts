import { releasePartChanges } from "../../domain/ledger/movement-details.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import { detailsOf } from "./movement-row.ts";
import { named } from "../storage/named-sql.ts";

/** Errors that one step reports; the rest follow once these are repaired. */
const ERRORS_MAX = 100;

type ListedMovement = {
  id: string;
  listed: number;
  created_at: number;
  awaiting: number | null;
  details: string | null;
};

type ReleaseRow = { id: string; installment: number; amount: number; due_at: number };

/** A transaction's pending releases according to its movements. */
interface ExpectedReleases {
  awaiting: Cents;
  /** By installment; null if a movement has no details. */
  parts: Map<number, { amount: Cents; dueAt: number }> | null;
  /** Whether its movements contradict each other. */
  isInconsistent: boolean;
}

/**
 * Compares pending releases with the movements that their charges list: their sum (I4), and the
 * amount and day of each (I1).
 */
export class ReleaseAudit {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Transactions with pending releases, by id, after the id `after`. */
  transactionsAfter(after: string, limit: number): string[] {
    return named(
      `SELECT DISTINCT transaction_id AS id FROM releases WHERE transaction_id > :after
         ORDER BY transaction_id LIMIT :limit`,
    )
      .exec<{ id: string }>(this.#sql, { after, limit })
      .toArray()
      .map(({ id }) => id);
  }

  /** Days whose total is not the sum of their releases; unchecked above `limit` releases. */
  dayErrors(limit: number): string[] {
    const differences = new Map<string, Cents>();
    let pending = 0;
    const releases = this.#sql.exec<{ day: string; amount: number }>(
      "SELECT day, amount FROM releases LIMIT ?",
      limit + 1,
    );
    for (const { day, amount } of releases) {
      differences.set(day, (differences.get(day) ?? 0) - amount);
      pending += 1;
    }
    if (pending > limit) return [];
    const days = this.#sql.exec<{ day: string; amount: number }>(
      "SELECT day, amount FROM release_days",
    );
    for (const { day, amount } of days) {
      differences.set(day, (differences.get(day) ?? 0) + amount);
    }
    return [...differences]
      .filter(([, difference]) => difference !== 0)
      .slice(0, ERRORS_MAX)
      .map(([day]) => `I4 the day ${day} is not the sum of its credits`);
  }

  /** Errors by transaction. Skips a charge whose older movements may have been dropped. */
  errors(transactionIds: string[]): Map<string, string> {
    const ids = JSON.stringify(transactionIds);
    const listed = Map.groupBy(this.#movementsOf(ids), ({ id }) => id);
    const releases = Map.groupBy(this.#releasesOf(ids), ({ id }) => id);
    const errors = new Map<string, string>();
    for (const id of transactionIds) {
      const movements = listed.get(id) ?? [];
      if ((movements[0]?.listed ?? 0) >= MOVEMENTS_KEPT || errors.size >= ERRORS_MAX) continue;
      const expected = expectedReleasesOf(movements);
      const pending = releases.get(id) ?? [];
      const sum = pending.reduce((total, row) => total + row.amount, 0);
      if (sum !== expected.awaiting) {
        errors.set(
          id,
          `I4 transaction ${id} has pending releases whose sum differs from its movements`,
        );
      }
      if (expected.isInconsistent || !matchesDetails(pending, expected.parts)) {
        errors.set(id, `I1 transaction ${id} has pending releases that differ from its movements`);
      }
    }
    return errors;
  }

  /** The movements that charges list, oldest first. */
  #movementsOf(ids: string): ListedMovement[] {
    return this.#sql
      .exec<ListedMovement>(
        `SELECT c.transaction_id AS id, json_array_length(c.movements) AS listed, m.created_at,
           m.postings ->> '$.awaiting' AS awaiting, m.details
         FROM json_each(?) t CROSS JOIN charges c ON c.transaction_id = t.value
         CROSS JOIN json_each(c.movements) n
         CROSS JOIN movements m ON m.sequence = n.value AND m.transaction_id = c.transaction_id`,
        ids,
      )
      .toArray();
  }

  #releasesOf(ids: string): ReleaseRow[] {
    return this.#sql
      .exec<ReleaseRow>(
        `SELECT transaction_id AS id, installment, amount, due_at FROM releases
         WHERE transaction_id IN (SELECT value FROM json_each(?))`,
        ids,
      )
      .toArray();
  }
}

function expectedReleasesOf(movements: ListedMovement[]): ExpectedReleases {
  const expected: ExpectedReleases = { awaiting: 0, parts: new Map(), isInconsistent: false };
  for (const movement of movements) {
    const details = detailsOf(movement);
    expected.awaiting += movement.awaiting ?? 0;
    if (details === null && movement.awaiting !== null) expected.parts = null;
    const { parts } = expected;
    if (details === null || parts === null) continue;
    const { added, removed } = releasePartChanges(details);
    for (const { installment, amount, dueAt } of added) {
      const before = parts.get(installment);
      if (before !== undefined && before.dueAt !== dueAt) expected.isInconsistent = true;
      parts.set(installment, { amount: (before?.amount ?? 0) + amount, dueAt });
    }
    for (const { installment, amount, dueAt } of removed) {
      const before = parts.get(installment);
      const left = (before?.amount ?? 0) - amount;
      if (before?.dueAt !== dueAt || left < 0) expected.isInconsistent = true;
      if (left > 0) parts.set(installment, { amount: left, dueAt });
      else parts.delete(installment);
    }
    const isReleasedBeforeDue = removed.some((part) => part.dueAt > movement.created_at);
    if ("released" in details && isReleasedBeforeDue) expected.isInconsistent = true;
  }
  return expected;
}

function matchesDetails(pending: ReleaseRow[], parts: ExpectedReleases["parts"]): boolean {
  if (parts === null) return true;
  return (
    pending.length === parts.size &&
    pending.every((row) => {
      const part = parts.get(row.installment);
      return part?.amount === row.amount && part.dueAt === row.due_at;
    })
  );
}
