import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import { isAcceptedBy } from "../withdraws/payout-check.ts";
import type { Position } from "../storage/due-index.ts";
import { movementOf, type BookedMovement, type MovementRow } from "./movement-row.ts";
import type { WithdrawStore } from "../withdraws/withdraw-store.ts";

/** Open withdraws of one status that a step compares; the next step continues. */
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
  /** Sum of its movements on the account `payout`. */
  payout: number;
};

/** Errors that one step reports; the rest follow once these are repaired. */
const ERRORS_MAX = 100;

/** The last open withdraw that was compared, by status; null at the start. */
interface Positions {
  awaiting: Position | null;
  processing: Position | null;
}

const START: Positions = { awaiting: null, processing: null };

/**
 * Compares withdraws with their movements: payee, amount and fee are those that were accepted (I1),
 * and only an open withdraw has its amount in `payout` (I4).
 */
export class WithdrawAudit {
  readonly #sql: SqlStorage;
  readonly #withdraws: WithdrawStore;

  constructor(deps: { sql: SqlStorage; withdraws: WithdrawStore }) {
    this.#sql = deps.sql;
    this.#withdraws = deps.withdraws;
  }

  /**
   * Errors of the next slice of open withdraws. `after` is the result of the previous call, empty
   * at the start; a slice with errors is repeated.
   */
  openErrors(after: string): { errors: string[]; after: string } {
    const { awaiting, processing } = after === "" ? START : (JSON.parse(after) as Positions);
    const slices = {
      awaiting: this.#withdraws.awaiting.after(awaiting, OPEN_PER_STEP),
      processing: this.#withdraws.processing.after(processing, OPEN_PER_STEP),
    };
    const errors = this.errorsOf([...slices.awaiting, ...slices.processing].map(({ id }) => id));
    if (errors.length > 0) return { errors, after };
    const last = (slice: Position[]) =>
      slice.length < OPEN_PER_STEP ? null : (slice.at(-1) ?? null);
    const next = { awaiting: last(slices.awaiting), processing: last(slices.processing) };
    const isComplete = next.awaiting === null && next.processing === null;
    return { errors, after: isComplete ? "" : JSON.stringify(next) };
  }

  /** Errors of these withdraws, at most `ERRORS_MAX`. */
  errorsOf(ids: number[]): string[] {
    if (ids.length === 0) return [];
    const withdraws = this.#totals(ids);
    const firsts = this.#movements(withdraws.flatMap((each) => sequencesOf(each)[0] ?? []));
    const known = new Set(withdraws.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    return [
      ...missing.map((id) => `I1 withdraw ${id} does not exist`),
      ...withdraws.flatMap((each) => errorsIn(each, firsts.get(sequencesOf(each)[0] ?? 0))),
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

  #movements(sequences: number[]): Map<number, BookedMovement> {
    const rows = this.#sql
      .exec<MovementRow>(
        "SELECT * FROM movements WHERE sequence IN (SELECT value FROM json_each(?))",
        JSON.stringify(sequences),
      )
      .toArray();
    return new Map(rows.map((row) => [row.sequence, movementOf(row)]));
  }
}

function sequencesOf({ movements }: WithdrawTotals): number[] {
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
