import { releasePartChanges } from "../../domain/ledger/movement-details.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import { detailsOf } from "./movement-row.ts";

/** Transactions at fault that one step tells; the rest are told once these are mended. */
const ERRORS_MAX = 100;

type NamedMovement = {
  id: string;
  named: number;
  created_at: number;
  awaiting: number | null;
  details: string | null;
};

type ReleaseRow = { id: string; installment: number; amount: number; due_at: number };

/** What a transaction's movements say is still to come of its credit. */
interface ExpectedReleases {
  awaiting: Cents;
  /** By installment; null where movements came before they carried details. */
  parts: Map<number, { amount: Cents; dueAt: number }> | null;
  /** What its movements contradict among themselves. */
  isInconsistent: boolean;
}

/**
 * Credits that wait for their day against the movements that their charges name: as much as was posted
 * (I4), and each part of the amount and for the day that was written down with the payment (I1).
 */
export class ReleaseAudit {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Transactions with credits to come, after one, in the order of their ids. */
  transactionsAfter(after: string, limit: number): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT DISTINCT transaction_id AS id FROM releases WHERE transaction_id > ?
         ORDER BY transaction_id LIMIT ?`,
        after,
        limit,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Days whose sum is not that of their credits; nothing where there are more credits than `limit`. */
  dayErrors(limit: number): string[] {
    const left = new Map<string, Cents>();
    let open = 0;
    const credits = this.#sql.exec<{ day: string; amount: number }>(
      "SELECT day, amount FROM releases LIMIT ?",
      limit + 1,
    );
    for (const { day, amount } of credits) {
      left.set(day, (left.get(day) ?? 0) - amount);
      open += 1;
    }
    if (open > limit) return [];
    const days = this.#sql.exec<{ day: string; amount: number }>(
      "SELECT day, amount FROM release_days",
    );
    for (const { day, amount } of days) left.set(day, (left.get(day) ?? 0) + amount);
    return [...left]
      .filter(([, difference]) => difference !== 0)
      .slice(0, ERRORS_MAX)
      .map(([day]) => `I4 the day ${day} is not the sum of its credits`);
  }

  /** What is wrong, by transaction. One that names as many movements as are kept may have lost some. */
  errors(transactionIds: string[]): Map<string, string> {
    const ids = JSON.stringify(transactionIds);
    const named = Map.groupBy(this.#namedBy(ids), ({ id }) => id);
    const rows = Map.groupBy(this.#releasesOf(ids), ({ id }) => id);
    const errors = new Map<string, string>();
    for (const id of transactionIds) {
      const movements = named.get(id) ?? [];
      if ((movements[0]?.named ?? 0) >= MOVEMENTS_KEPT || errors.size >= ERRORS_MAX) continue;
      const expected = expectedReleasesOf(movements);
      const pending = rows.get(id) ?? [];
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

  /** The movements that charges name, oldest first. */
  #namedBy(ids: string): NamedMovement[] {
    return this.#sql
      .exec<NamedMovement>(
        `SELECT c.transaction_id AS id, json_array_length(c.movements) AS named, m.created_at,
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

function expectedReleasesOf(movements: NamedMovement[]): ExpectedReleases {
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
