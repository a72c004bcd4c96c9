import { ACCOUNTS, NEVER_NEGATIVE } from "../domain/ledger.ts";
import type { Cents } from "../domain/money.ts";
import { GENESIS_HASH, movementHash } from "../domain/movement-hash.ts";
import { MOVEMENTS_KEPT } from "./charge-store.ts";
import type { DisputeStore } from "./dispute-store.ts";
import type { LedgerLength } from "./ledger-length.ts";
import type { LedgerStore } from "./ledger-store.ts";
import {
  hashedPart,
  movementOf,
  type AccountBalances,
  type BookedMovement,
  type MovementRow,
} from "./movement-row.ts";
import type { OperationStore } from "./operation-store.ts";
import type { WithdrawStore } from "./withdraw-store.ts";

/** Movements looked at in one step, so that a check never holds the object for long. */
export const AUDIT_MOVEMENTS = 500;
/** Payments looked at in one step: there are no more of them than movements. */
const PAYMENTS_OF_A_STEP = { cron: 100, reconcile: AUDIT_MOVEMENTS };
/** Charges found faulty that are looked at in each step. */
const SUSPECTS_MAX = 100;
/**
 * Open rows of one kind that a step adds up, so that its cost does not grow with them. Where there are
 * more, the last step of a reconciliation adds them up.
 */
const OPEN_MAX = 1_000;

/** `cron` goes on and on; `reconcile` begins again at the first movement whenever it is asked to. */
export type AuditWalk = "cron" | "reconcile";

export interface AuditStep {
  /** The newest movement that was found sound. */
  movement: number;
  /** Whether that is the ledger's newest. */
  done: boolean;
  /** Each begins with the invariant it breaks. */
  violations: string[];
}

/** Whether the balances themselves cannot be trusted. */
export function breaksMoney({ violations }: AuditStep): boolean {
  return violations.some((violation) => /^I[123] /.test(violation));
}

/** How far a walk has come, and what each account came to there. */
interface Watermark {
  movement: number;
  hash: string;
  balances: AccountBalances;
  /** The id of the last payment that was looked at. */
  payment: string;
}

type WatermarkRow = {
  movement: number;
  hash: string;
  balances: string;
  payment: string;
};

const NO_FAULTS = { faults: [], after: "" };

/** What a charge says, and what the rows about it do. */
type ChargeFacts = {
  id: string;
  paid: number;
  refunded: number;
  whole: number;
  movements: string;
  /** How many of them; one that names as many as are kept may have lost its credit's. */
  named: number;
  payment: number | null;
  given_back: number;
};

/**
 * Proves the ledger from where the last step ended: each movement sums to zero (I1), each running
 * balance and in the end each account is the sum of its postings (I2), nothing is below zero (I3),
 * what is on its way or set aside is what there is of it (I4), the charges that money moved for say
 * so (I5, I6), and the chain of hashes holds. What was found sound is remembered, so that the cost
 * does not grow with history.
 */
export class Audit {
  readonly #sql: SqlStorage;
  readonly #ledger: LedgerStore;
  readonly #ledgerLength: LedgerLength;
  readonly #withdraws: WithdrawStore;
  readonly #operations: OperationStore;
  readonly #disputes: DisputeStore;

  constructor(parts: {
    sql: SqlStorage;
    ledger: LedgerStore;
    ledgerLength: LedgerLength;
    withdraws: WithdrawStore;
    operations: OperationStore;
    disputes: DisputeStore;
  }) {
    this.#sql = parts.sql;
    this.#ledger = parts.ledger;
    this.#ledgerLength = parts.ledgerLength;
    this.#withdraws = parts.withdraws;
    this.#operations = parts.operations;
    this.#disputes = parts.disputes;
  }

  /** One step on, or the first one again. Runs inside one `transactionSync`. */
  step(walk: AuditWalk, fromStart: boolean): AuditStep {
    if (fromStart) this.#sql.exec("DELETE FROM audits WHERE walk = ?", walk);
    let proven = this.#watermark(walk);
    const { payment } = proven;
    const violations = this.#anchorFaults();
    const found = violations.length > 0 ? [] : this.#movementsAfter(proven.movement);
    for (const next of found) {
      violations.push(...faultsOf(next, proven));
      if (violations.length > 0) break;
      const { sequence: movement, hash, balances } = next;
      proven = { movement, hash, balances, payment };
    }
    // The ledger stops at what is broken, which is found again each time until it is mended.
    const sound = violations.length === 0;
    const payments = sound ? this.#paymentFaults(walk, payment) : NO_FAULTS;
    if (sound) this.#remember(walk, { ...proven, payment: payments.after });
    const soundOnes = found.filter((each) => each.sequence <= proven.movement);
    const done = !sound || found.length < AUDIT_MOVEMENTS;
    if (done && sound) violations.push(...this.#balanceFaults(proven.balances));
    const isWhole = done && walk === "reconcile";
    if (isWhole) violations.push(...this.#openFaults());
    violations.push(...this.#standingFaults(isWhole), ...this.#suspectFaults(soundOnes));
    violations.push(...payments.faults, ...this.#unnamedFaults(soundOnes));
    return { movement: this.#watermark(walk).movement, done, violations };
  }

  /** What reads all that is open, however much that is: for a reconciliation's last step. */
  #openFaults(): string[] {
    const { awaiting, suspense } = this.#ledger.balances();
    const { released, unexpected } = this.#sql
      .exec<{ released: number; unexpected: number }>(
        `SELECT (SELECT coalesce(sum(amount), 0) FROM releases) AS released,
           (SELECT coalesce(sum(amount), 0) FROM payments WHERE suspended = 1 AND NOT EXISTS (
             SELECT 1 FROM operations o
             WHERE o.id = return_operation AND o.status = 'DONE')) AS unexpected`,
      )
      .one();
    const faults = awaiting === released ? [] : ["I4 awaiting is not the sum of its credits"];
    if (suspense !== unexpected) faults.push("I4 suspense is not the sum of unexpected payments");
    return faults;
  }

  /** Faults of the charges that money moved for, and of those that were faulty before. */
  #suspectFaults(found: BookedMovement[]): string[] {
    const suspects = this.#sql
      .exec<{ id: string }>("SELECT transaction_id AS id FROM audit_suspects")
      .toArray()
      .map((row) => row.id);
    const touched = found.flatMap((each) => each.transactionId ?? []);
    const faults = this.#chargeFaults([...new Set([...suspects, ...touched])]);
    this.#sql.exec("DELETE FROM audit_suspects");
    for (const id of [...faults.keys()].slice(0, SUSPECTS_MAX)) {
      this.#sql.exec("INSERT INTO audit_suspects (transaction_id) VALUES (?)", id);
    }
    return [...faults.values()];
  }

  /** What was once found sound is still what it was: nobody wrote a new past with new hashes. */
  #anchorFaults(): string[] {
    return this.#sql
      .exec<{ movement: number }>(
        `SELECT a.movement FROM audits a LEFT JOIN movements m ON m.sequence = a.movement
         WHERE m.hash IS NOT a.hash`,
      )
      .toArray()
      .map(({ movement }) => `I1 movement ${movement} is not what it was when it was proven`);
  }

  /**
   * One credit for what was paid (I5), of exactly that and with the payment it names (I6); refunded is
   * what went back (I6).
   */
  #chargeFaults(transactionIds: string[]): Map<string, string> {
    const rows = this.#sql.exec<ChargeFacts>(
      `SELECT c.transaction_id AS id, c.paid_amount AS paid, c.refunded_amount AS refunded,
         c.status = 'refunded' AS whole,
         c.movements, json_array_length(c.movements) AS named,
         (SELECT p.amount FROM payments p
          WHERE p.payment_id = c.payment_id
            AND p.transaction_id = c.transaction_id AND p.suspended = 0) AS payment,
         (SELECT coalesce(sum(o.amount), 0) FROM operations o
          WHERE o.transaction_id = c.transaction_id AND o.kind = 'refund' AND o.status = 'DONE')
         + (SELECT coalesce(sum(d.amount), 0) FROM disputes d
            WHERE d.transaction_id = c.transaction_id AND d.status = 'LOST') AS given_back
       FROM charges c WHERE c.transaction_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(transactionIds),
    );
    const faults = new Map<string, string>();
    for (const charge of rows) {
      const { id, paid, refunded } = charge;
      const credits = charge.named < MOVEMENTS_KEPT ? this.#creditsIn(charge) : [paid];
      const credited = credits.reduce((sum, credit) => sum + credit, 0);
      const whole = paid > 0 && refunded === paid;
      if (refunded !== Math.min(paid, charge.given_back) || whole !== (charge.whole === 1)) {
        faults.set(id, `I6 transaction ${id} is refunded by another amount`);
      }
      if (credited !== paid || (charge.payment ?? 0) !== paid) {
        faults.set(id, `I6 transaction ${id} is paid by another amount`);
      }
      if (credits.length > 1) faults.set(id, `I5 transaction ${id} was credited twice`);
    }
    return faults;
  }

  /** What each movement that a charge names credited it with. Centavos. */
  #creditsIn({ id, movements }: ChargeFacts): Cents[] {
    return this.#sql
      .exec<{ credit: number }>(
        `SELECT 0 - (postings ->> '$.provider') AS credit FROM movements
         WHERE sequence IN (SELECT value FROM json_each(?)) AND transaction_id = ?
           AND type = 'charge_paid'`,
        movements,
        id,
      )
      .toArray()
      .map(({ credit }) => credit);
  }

  /** Movements that their charge does not name: what is told of it would lack them. */
  #unnamedFaults(found: BookedMovement[]): string[] {
    const named = new Map(
      this.#sql
        .exec<{ id: string; movements: string }>(
          `SELECT transaction_id AS id, movements FROM charges
           WHERE transaction_id IN (SELECT value FROM json_each(?))`,
          JSON.stringify([...new Set(found.flatMap((each) => each.transactionId ?? []))]),
        )
        .toArray()
        .map(({ id, movements }) => [id, new Set(JSON.parse(movements) as number[])]),
    );
    return found.flatMap(({ sequence, transactionId: id }) => {
      const numbers = named.get(id ?? "");
      const kept = numbers === undefined || numbers.size >= MOVEMENTS_KEPT;
      return kept || numbers.has(sequence)
        ? []
        : [`I6 transaction ${id} does not name its movement ${sequence}`];
    });
  }

  /**
   * Payments that were credited, a few in each step by their ids: each is the one that its charge
   * names (I5), and a movement that the charge names credited it. A walk stays where one is not; the cron's begins again after the last.
   */
  #paymentFaults(walk: AuditWalk, after: string): { faults: string[]; after: string } {
    const limit = PAYMENTS_OF_A_STEP[walk];
    const payments = this.#sql
      .exec<{ id: string; charge: string | null; sound: number; credited: number }>(
        `SELECT p.payment_id AS id, p.transaction_id AS charge, p.suspended = 1 OR EXISTS (
           SELECT 1 FROM charges c WHERE c.transaction_id = p.transaction_id
             AND c.payment_id = p.payment_id) AS sound,
           p.suspended = 1 OR EXISTS (
             SELECT 1 FROM charges c
             WHERE c.transaction_id = p.transaction_id AND json_array_length(c.movements) >= ?)
           OR EXISTS (
             SELECT 1 FROM charges c, json_each(c.movements) n, movements m
             WHERE c.transaction_id = p.transaction_id AND m.sequence = n.value
               AND m.type = 'charge_paid' AND m.transaction_id = c.transaction_id) AS credited
         FROM payments p WHERE p.payment_id > ? ORDER BY p.payment_id LIMIT ?`,
        MOVEMENTS_KEPT,
        after,
        limit,
      )
      .toArray();
    const wrong = payments.findIndex(({ sound, credited }) => sound === 0 || credited === 0);
    const found = payments[wrong];
    if (found !== undefined) {
      const { charge } = found;
      const fault =
        found.sound === 0
          ? `I5 transaction ${charge} was credited twice`
          : `I1 transaction ${charge} was credited by no movement`;
      return { faults: [fault], after: payments[wrong - 1]?.id ?? after };
    }
    const atEnd = payments.length < limit;
    return { faults: [], after: atEnd && walk === "cron" ? "" : (payments.at(-1)?.id ?? after) };
  }

  /** Each account is what its postings add up to (I2). */
  #balanceFaults(proven: AccountBalances): string[] {
    const balances = this.#ledger.balances();
    return ACCOUNTS.filter((account) => balances[account] !== proven[account]).map(
      (account) => `I2 ${account} is not the sum of its postings`,
    );
  }

  /** Others than the ledger itself know how long it was at least: nobody cut its end off. */
  #missingFaults(): string[] {
    const known = this.#ledgerLength.known();
    return this.#ledger.newestMovement() < known ? [`I1 movement ${known} is missing`] : [];
  }

  /** What must hold at any time; what is open is added up where it is not too much, or all is asked for. */
  #standingFaults(all: boolean): string[] {
    const limit = all ? Number.MAX_SAFE_INTEGER - 1 : OPEN_MAX;
    const balances = this.#ledger.balances();
    const faults = this.#missingFaults();
    const negative = NEVER_NEGATIVE.filter((account) => balances[account] < 0);
    faults.push(...negative.map((account) => `I3 ${account} is below 0`));
    if (balances.debt > 0) faults.push("I3 debt is above 0");
    const inFlight = this.#withdraws.inFlightTotal(limit);
    if (inFlight !== null && balances.payout !== inFlight) {
      faults.push("I4 payout is not the sum of withdraws on their way");
    }
    const refunds = this.#operations.pendingRefundTotal(limit);
    const disputes = this.#disputes.heldTotal(limit);
    if (refunds !== null && disputes !== null && balances.blocked !== refunds + disputes) {
      faults.push("I4 blocked is not what open refunds and disputes hold");
    }
    const { total } = this.#sql
      .exec<{ total: number }>("SELECT coalesce(sum(amount), 0) AS total FROM release_days")
      .one();
    if (balances.awaiting !== total) faults.push("I4 awaiting is not what is to be released");
    return faults;
  }

  #movementsAfter(movement: number): BookedMovement[] {
    return this.#sql
      .exec<MovementRow>(
        "SELECT * FROM movements WHERE sequence > ? AND sequence <= ? ORDER BY sequence",
        movement,
        movement + AUDIT_MOVEMENTS,
      )
      .toArray()
      .map(movementOf);
  }

  #watermark(walk: AuditWalk): Watermark {
    const nothing = Object.fromEntries(ACCOUNTS.map((account) => [account, 0])) as AccountBalances;
    const [row] = this.#sql
      .exec<WatermarkRow>("SELECT * FROM audits WHERE walk = ?", walk)
      .toArray();
    if (row === undefined) {
      return { movement: 0, hash: GENESIS_HASH, balances: nothing, payment: "" };
    }
    return {
      movement: row.movement,
      hash: row.hash,
      balances: JSON.parse(row.balances) as AccountBalances,
      payment: row.payment,
    };
  }

  #remember(walk: AuditWalk, { movement, hash, balances, payment }: Watermark): void {
    const known = this.#watermark(walk);
    if (known.movement === movement && known.payment === payment) return;
    this.#sql.exec(
      "INSERT OR REPLACE INTO audits (walk, movement, hash, balances, payment) VALUES (?, ?, ?, ?, ?)",
      walk,
      movement,
      hash,
      JSON.stringify(balances),
      payment,
    );
  }
}

/** What is wrong with a movement that follows what was proven. */
function faultsOf(movement: BookedMovement, proven: Watermark): string[] {
  const faults: string[] = [];
  const { sequence, postings, balances } = movement;
  const name = `movement ${sequence}`;
  if (sequence !== proven.movement + 1) faults.push(`I1 ${name} follows ${proven.movement}`);
  if (postings.length < 2) faults.push(`I1 ${name} has no postings`);
  if (postings.reduce((sum, posting) => sum + posting.amount, 0) !== 0) {
    faults.push(`I1 ${name} does not sum to 0`);
  }
  for (const account of ACCOUNTS) {
    const moved = postings.find((posting) => posting.account === account)?.amount ?? 0;
    if (proven.balances[account] + moved !== balances[account]) {
      faults.push(`I2 ${name} leaves ${account} at a wrong balance`);
    }
  }
  if (movementHash(proven.hash, hashedPart(movement)) !== movement.hash) {
    faults.push(`I1 ${name} does not carry the hash of what it says`);
  }
  return faults;
}
