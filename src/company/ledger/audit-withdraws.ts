import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import { isAcceptedBy } from "../withdraws/payout-check.ts";
import type { Position } from "../runtime/due-index.ts";
import { movementOf, type BookedMovement, type MovementRow } from "./movement-row.ts";
import type { WithdrawStore } from "../withdraws/withdraw-store.ts";

/** Open withdraws of one state that a step compares; where there are more, the next step goes on. */
const OPEN_PER_STEP = 1_000;

type WithdrawTotals = {
  id: number;
  payout_id: string;
  amount: number;
  fee: number;
  pix_key: string;
  pix_key_type: PixKeyType;
  creditor_document: string;
  in_flight: number;
  movements: string;
  /** What its movements have left on the account `payout`. */
  payout: number;
};

/** Faults that one step tells; the rest are told once these are mended. */
const ERRORS_MAX = 100;

/** How far the slices of open withdraws have come, by state; null at the beginning. */
interface Positions {
  awaiting: Position | null;
  processing: Position | null;
}

const START: Positions = { awaiting: null, processing: null };

/**
 * Withdraws against their movements: each was accepted with the payee, amount and fee that its row has
 * (I1), and what its movements left on its way is on its way (I4).
 */
export class WithdrawAudit {
  readonly #sql: SqlStorage;
  readonly #withdraws: WithdrawStore;

  constructor(deps: { sql: SqlStorage; withdraws: WithdrawStore }) {
    this.#sql = deps.sql;
    this.#withdraws = deps.withdraws;
  }

  /**
   * The open withdraws, all of them where they are not too many, else the next slice behind `after`,
   * which is what the step before answered. A slice with a fault is looked at again.
   */
  openErrors(after: string): { faults: string[]; after: string } {
    const { awaiting, processing } = after === "" ? START : (JSON.parse(after) as Positions);
    const slices = {
      awaiting: this.#withdraws.awaiting.after(awaiting, OPEN_PER_STEP),
      processing: this.#withdraws.processing.after(processing, OPEN_PER_STEP),
    };
    const faults = this.errorsOf([...slices.awaiting, ...slices.processing].map(({ id }) => id));
    if (faults.length > 0) return { faults, after };
    const last = (slice: Position[]) =>
      slice.length < OPEN_PER_STEP ? null : (slice.at(-1) ?? null);
    const next = { awaiting: last(slices.awaiting), processing: last(slices.processing) };
    const isComplete = next.awaiting === null && next.processing === null;
    return { faults, after: isComplete ? "" : JSON.stringify(next) };
  }

  /** What is wrong with these withdraws. */
  errorsOf(ids: number[]): string[] {
    if (ids.length === 0) return [];
    const found = this.#totals(ids);
    const firsts = this.#movements(found.flatMap((each) => numbersOf(each)[0] ?? []));
    const known = new Set(found.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    return [
      ...missing.map((id) => `I1 withdraw ${id} does not exist`),
      ...found.flatMap((facts) => errorsIn(facts, firsts.get(numbersOf(facts)[0] ?? 0))),
    ].slice(0, ERRORS_MAX);
  }

  #totals(ids: number[]): WithdrawTotals[] {
    return this.#sql
      .exec<WithdrawTotals>(
        `SELECT id, payout_id, amount, fee, pix_key, pix_key_type, creditor_document, movements,
           status IN ('Awaiting', 'Processing') AS in_flight,
           (SELECT coalesce(sum(m.postings ->> '$.payout'), 0)
            FROM json_each(w.movements) n CROSS JOIN movements m
            ON m.sequence = n.value AND m.withdraw_id = w.id) AS payout
         FROM withdraws w WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify([...new Set(ids)]),
      )
      .toArray();
  }

  #movements(numbers: number[]): Map<number, BookedMovement> {
    const rows = this.#sql
      .exec<MovementRow>(
        "SELECT * FROM movements WHERE sequence IN (SELECT value FROM json_each(?))",
        JSON.stringify(numbers),
      )
      .toArray();
    return new Map(rows.map((row) => [row.sequence, movementOf(row)]));
  }
}

function numbersOf({ movements }: WithdrawTotals): number[] {
  return JSON.parse(movements) as number[];
}

function errorsIn(totals: WithdrawTotals, first: BookedMovement | undefined): string[] {
  const { id, amount } = totals;
  const errors: string[] = [];
  const payout = {
    id,
    payoutId: totals.payout_id,
    amount,
    fee: totals.fee,
    pixKey: totals.pix_key,
    pixKeyType: totals.pix_key_type,
    creditorDocument: totals.creditor_document,
  };
  if (first === undefined || !isAcceptedBy(payout, first)) {
    errors.push(`I1 withdraw ${id} differs from what was accepted`);
  }
  if (totals.payout !== (totals.in_flight === 1 ? amount : 0)) {
    errors.push(`I4 withdraw ${id} has an amount in flight that differs from its movements`);
  }
  return errors;
}
