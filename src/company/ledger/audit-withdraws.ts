import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import { isAcceptedBy } from "../withdraws/accepted-payout.ts";
import type { Position } from "../runtime/due-index.ts";
import { movementOf, type BookedMovement, type MovementRow } from "./movement-row.ts";
import type { WithdrawStore } from "../withdraws/withdraw-store.ts";

/** Open withdraws of one state that a step compares; where there are more, the next step goes on. */
const OPEN_OF_A_STEP = 1_000;

type WithdrawFacts = {
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
const FAULTS_MAX = 100;

/** How far the slices of open withdraws have come, by state; null at the beginning. */
interface Positions {
  awaiting: Position | null;
  processing: Position | null;
}

const BEGINNING: Positions = { awaiting: null, processing: null };

/**
 * Withdraws against their movements: each was accepted with the payee, amount and fee that its row has
 * (I1), and what its movements left on its way is on its way (I4).
 */
export class WithdrawAudit {
  readonly #sql: SqlStorage;
  readonly #withdraws: WithdrawStore;

  constructor(parts: { sql: SqlStorage; withdraws: WithdrawStore }) {
    this.#sql = parts.sql;
    this.#withdraws = parts.withdraws;
  }

  /**
   * The open withdraws, all of them where they are not too many, else the next slice behind `after`,
   * which is what the step before answered. A slice with a fault is looked at again.
   */
  openFaults(after: string): { faults: string[]; after: string } {
    const { awaiting, processing } = after === "" ? BEGINNING : (JSON.parse(after) as Positions);
    const slices = {
      awaiting: this.#withdraws.awaiting.after(awaiting, OPEN_OF_A_STEP),
      processing: this.#withdraws.processing.after(processing, OPEN_OF_A_STEP),
    };
    const faults = this.faultsOf([...slices.awaiting, ...slices.processing].map(({ id }) => id));
    if (faults.length > 0) return { faults, after };
    const last = (slice: Position[]) =>
      slice.length < OPEN_OF_A_STEP ? null : (slice.at(-1) ?? null);
    const next = { awaiting: last(slices.awaiting), processing: last(slices.processing) };
    const isWhole = next.awaiting === null && next.processing === null;
    return { faults, after: isWhole ? "" : JSON.stringify(next) };
  }

  /** What is wrong with these withdraws. */
  faultsOf(ids: number[]): string[] {
    if (ids.length === 0) return [];
    const found = this.#facts(ids);
    const firsts = this.#movements(found.flatMap((each) => numbersOf(each)[0] ?? []));
    const known = new Set(found.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    return [
      ...missing.map((id) => `I1 withdraw ${id} is not there`),
      ...found.flatMap((facts) => faultsIn(facts, firsts.get(numbersOf(facts)[0] ?? 0))),
    ].slice(0, FAULTS_MAX);
  }

  #facts(ids: number[]): WithdrawFacts[] {
    return this.#sql
      .exec<WithdrawFacts>(
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

function numbersOf({ movements }: WithdrawFacts): number[] {
  return JSON.parse(movements) as number[];
}

function faultsIn(facts: WithdrawFacts, first: BookedMovement | undefined): string[] {
  const { id, amount } = facts;
  const faults: string[] = [];
  const payout = {
    id,
    payoutId: facts.payout_id,
    amount,
    fee: facts.fee,
    pixKey: facts.pix_key,
    pixKeyType: facts.pix_key_type,
    creditorDocument: facts.creditor_document,
  };
  if (first === undefined || !isAcceptedBy(payout, first)) {
    faults.push(`I1 withdraw ${id} is not what was accepted`);
  }
  if (facts.payout !== (facts.in_flight === 1 ? amount : 0)) {
    faults.push(`I4 withdraw ${id} is not on its way as its movements say`);
  }
  return faults;
}
