import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import { ACCOUNTS, NON_NEGATIVE_ACCOUNTS } from "../../domain/ledger/ledger.ts";
import { GENESIS_HASH } from "../../domain/ledger/movement-hash.ts";
import { ChargeAudit } from "./audit-charges.ts";
import { ReleaseAudit } from "./audit-releases.ts";
import { WithdrawAudit } from "./audit-withdraws.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import type { DisputeStore } from "../disputes/dispute-store.ts";
import type { LedgerLength } from "./ledger-length.ts";
import type { LedgerStore } from "./ledger-store.ts";
import {
  isHashed,
  movementOf,
  type AccountBalances,
  type BookedMovement,
  type MovementRow,
} from "./movement-row.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import type { WithdrawStore } from "../withdraws/withdraw-store.ts";

/** Movements looked at in one step, so that a check never holds the object for long. */
export const MOVEMENTS_PER_STEP = 500;
/** Payments looked at in one step: there are no more of them than movements. */
const PAYMENTS_PER_STEP = { cron: 100, reconcile: MOVEMENTS_PER_STEP };
/** Transactions whose credits to come one step compares with their movements; the next step goes on. */
const PENDING_CREDITS_PER_STEP = { cron: 100, reconcile: MOVEMENTS_PER_STEP };
/** Charges found faulty that are looked at in each step. */
const QUARANTINED_MAX = 100;
/**
 * Open rows of one kind that a step adds up, so that its cost does not grow with them. Where there are
 * more, the last step of a reconciliation adds them up.
 */
const OPEN_ROWS_MAX = 1_000;

/** `cron` goes on and on; `reconcile` begins again at the first movement whenever it is asked to. */
export type AuditPass = "cron" | "reconcile";

export interface AuditStep {
  /** The newest movement that was found sound. */
  movement: number;
  /** Whether that is the ledger's newest. */
  done: boolean;
  /** How large the object is. */
  storageBytes: number;
  /** Each begins with the invariant it breaks. */
  violations: string[];
}

/** Whether the balances themselves cannot be trusted. */
export function isLedgerCorrupt({ violations }: AuditStep): boolean {
  return violations.some((violation) => /^I[123] /.test(violation));
}

/** How far a walk has come, and what each account came to there. */
interface Watermark {
  movement: number;
  hash: string;
  balances: AccountBalances;
  /** The id of the last payment that was looked at. */
  payment: string;
  /** The last transaction whose credits to come were; empty at the beginning. */
  awaited: string;
  /** How far the slices of open withdraws have come; empty at the beginning. */
  withdraws: string;
}

type WatermarkRow = {
  movement: number;
  hash: string;
  balances: string;
  payment: string;
  awaited: string;
  withdraws: string;
};

const NO_ERRORS = { faults: [], after: "" };
const NO_PENDING_CREDITS = { ids: [], after: "" };
const START = { movement: 0, hash: GENESIS_HASH, payment: "", awaited: "", withdraws: "" };

/**
 * Proves the ledger from where the last step ended: each movement sums to zero (I1), each running
 * balance and in the end each account is the sum of its postings (I2), nothing is below zero (I3),
 * what is on its way or set aside is what there is of it (I4), the charges that money moved for say
 * so (I5, I6), the chain of hashes holds, and what decides money later (payees, releases) is what its
 * movements say (decision 0039). What was found sound is remembered, so that the cost does not grow
 * with history.
 */
export class Audit {
  readonly #sql: SqlStorage;
  readonly #ledger: LedgerStore;
  readonly #ledgerLength: LedgerLength;
  readonly #withdraws: WithdrawStore;
  readonly #operations: OperationStore;
  readonly #disputes: DisputeStore;
  readonly #charges: ChargeAudit;
  readonly #releases: ReleaseAudit;
  readonly #payouts: WithdrawAudit;

  constructor(deps: {
    sql: SqlStorage;
    ledger: LedgerStore;
    ledgerLength: LedgerLength;
    withdraws: WithdrawStore;
    operations: OperationStore;
    disputes: DisputeStore;
  }) {
    this.#sql = deps.sql;
    this.#ledger = deps.ledger;
    this.#ledgerLength = deps.ledgerLength;
    this.#withdraws = deps.withdraws;
    this.#operations = deps.operations;
    this.#disputes = deps.disputes;
    this.#charges = new ChargeAudit(deps.sql);
    this.#releases = new ReleaseAudit(deps.sql);
    this.#payouts = new WithdrawAudit(deps);
  }

  /** One step on, or the first one again. Runs inside one `transactionSync`. */
  step(pass: AuditPass, fromStart: boolean, anchors: readonly AnchoredHead[]): AuditStep {
    if (fromStart) this.#sql.exec("DELETE FROM audits WHERE walk = ?", pass);
    let proven = this.#watermark(pass);
    const before = proven;
    const violations = [...this.#watermarkErrors(), ...this.#checkpointErrors(anchors)];
    const found = violations.length > 0 ? [] : this.#movementsAfter(proven.movement);
    for (const next of found) {
      violations.push(...errorsOf(next, proven));
      if (violations.length > 0) break;
      const { sequence: movement, hash, balances } = next;
      proven = { ...before, movement, hash, balances };
    }
    // The ledger stops at what is broken, which is found again each time until it is mended.
    const isSound = violations.length === 0;
    const verified = found.filter((each) => each.sequence <= proven.movement);
    const payments = isSound ? this.#paymentErrors(pass, before.payment) : NO_ERRORS;
    const payouts = isSound ? this.#payoutErrors(before.withdraws, verified) : NO_ERRORS;
    const pendingCredits = isSound
      ? this.#nextPendingCredits(pass, before.awaited)
      : NO_PENDING_CREDITS;
    if (isSound) {
      const cursors = {
        payment: payments.after,
        withdraws: payouts.after,
        awaited: pendingCredits.after,
      };
      this.#saveWatermark(pass, { ...proven, ...cursors });
    }
    const done = !isSound || found.length < MOVEMENTS_PER_STEP;
    if (done && isSound) violations.push(...this.#balanceErrors(proven.balances));
    const isReconciliationEnd = done && pass === "reconcile";
    if (isReconciliationEnd) violations.push(...this.#openRowErrors());
    violations.push(...this.#currentBalanceErrors(isReconciliationEnd));
    violations.push(...this.#quarantineErrors(verified, pendingCredits.ids, isSound));
    violations.push(...payments.faults, ...this.#charges.unlistedMovementErrors(verified));
    violations.push(...payouts.faults);
    const storageBytes = this.#sql.databaseSize;
    return { movement: this.#watermark(pass).movement, done, storageBytes, violations };
  }

  /** What reads all that is open, however much that is: for a reconciliation's last step. */
  #openRowErrors(): string[] {
    const { awaiting, suspense } = this.#ledger.balances();
    const { released, unexpected } = this.#sql
      .exec<{ released: number; unexpected: number }>(
        `SELECT (SELECT coalesce(sum(amount), 0) FROM releases) AS released,
           (SELECT coalesce(sum(amount - returned_amount), 0) FROM payments
             WHERE suspended = 1 AND NOT EXISTS (
             SELECT 1 FROM operations o
             WHERE o.id = return_operation AND o.status = 'DONE')) AS unexpected`,
      )
      .one();
    const faults = awaiting === released ? [] : ["I4 awaiting is not the sum of its credits"];
    if (suspense !== unexpected) faults.push("I4 suspense is not the sum of unexpected payments");
    return faults;
  }

  /** Withdraws that money moved for, and those that are open. */
  #payoutErrors(after: string, found: BookedMovement[]): { faults: string[]; after: string } {
    const open = this.#payouts.openErrors(after);
    const touched = this.#payouts.errorsOf(found.flatMap((each) => each.withdrawId ?? []));
    return { faults: [...new Set([...open.faults, ...touched])], after: open.after };
  }

  /** The next transactions with credits to come; the cron's walk begins again after the last. */
  #nextPendingCredits(walk: AuditPass, after: string): { ids: string[]; after: string } {
    const limit = PENDING_CREDITS_PER_STEP[walk];
    const ids = this.#releases.transactionsAfter(after, limit);
    const atEnd = ids.length < limit;
    return { ids, after: atEnd && walk === "cron" ? "" : (ids.at(-1) ?? after) };
  }

  /**
   * Faults of the charges that money moved for, of those that wait for credits, and of those that were
   * faulty before. Credits are compared with movements only where those are sound.
   */
  #quarantineErrors(found: BookedMovement[], awaited: string[], sound: boolean): string[] {
    const quarantined = this.#sql
      .exec<{ id: string }>("SELECT transaction_id AS id FROM audit_suspects")
      .toArray()
      .map((row) => row.id);
    const touched = found.flatMap((each) => each.transactionId ?? []);
    const ids = [...new Set([...quarantined, ...touched])];
    const faults = this.#charges.errors(ids);
    const credits = this.#releases.errors(sound ? [...new Set([...ids, ...awaited])] : []);
    this.#sql.exec("DELETE FROM audit_suspects");
    const faulty = new Set([...faults.keys(), ...credits.keys()]);
    for (const id of [...faulty].slice(0, QUARANTINED_MAX)) {
      this.#sql.exec("INSERT INTO audit_suspects (transaction_id) VALUES (?)", id);
    }
    return [...faults.values(), ...credits.values()];
  }

  /** What was once found sound is still what it was: nobody wrote a new past with new hashes. */
  #watermarkErrors(): string[] {
    return this.#sql
      .exec<{ movement: number }>(
        `SELECT a.movement FROM audits a LEFT JOIN movements m ON m.sequence = a.movement
         WHERE m.hash IS NOT a.hash`,
      )
      .toArray()
      .map(({ movement }) => `I1 movement ${movement} has changed since it was verified`);
  }

  /**
   * Payments that were credited, a few in each step by their ids: each is the one that its charge
   * names (I5), and a movement that the charge names credited it. A walk stays where one is not; the cron's begins again after the last.
   */
  #paymentErrors(walk: AuditPass, after: string): { faults: string[]; after: string } {
    const limit = PAYMENTS_PER_STEP[walk];
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
               AND m.type IN ('charge_paid', 'suspense_credited')
               AND m.transaction_id = c.transaction_id) AS credited
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
          : `I1 transaction ${charge} has no movement that credited it`;
      return { faults: [fault], after: payments[wrong - 1]?.id ?? after };
    }
    const atEnd = payments.length < limit;
    return { faults: [], after: atEnd && walk === "cron" ? "" : (payments.at(-1)?.id ?? after) };
  }

  /** What was anchored outside the object is still what it was: nobody wrote its watermarks too. */
  #checkpointErrors(anchors: readonly AnchoredHead[]): string[] {
    return this.#ledger
      .mismatchedHeads(anchors)
      .map(({ movement, day }) => `I1 movement ${movement} is not what was anchored on ${day}`);
  }

  /** Each account is what its postings add up to (I2). */
  #balanceErrors(proven: AccountBalances): string[] {
    const balances = this.#ledger.balances();
    return ACCOUNTS.filter((account) => balances[account] !== proven[account]).map(
      (account) => `I2 ${account} is not the sum of its postings`,
    );
  }

  /** Others than the ledger itself know how long it was at least: nobody cut its end off. */
  #missingMovementErrors(): string[] {
    const known = this.#ledgerLength.minimum();
    return this.#ledger.newestMovement() < known ? [`I1 movement ${known} is missing`] : [];
  }

  /** What must hold at any time; what is open is added up where it is not too much, or all is asked for. */
  #currentBalanceErrors(all: boolean): string[] {
    const limit = all ? Number.MAX_SAFE_INTEGER - 1 : OPEN_ROWS_MAX;
    const balances = this.#ledger.balances();
    const faults = this.#missingMovementErrors();
    const negative = NON_NEGATIVE_ACCOUNTS.filter((account) => balances[account] < 0);
    faults.push(...negative.map((account) => `I3 ${account} is below 0`));
    if (balances.debt > 0) faults.push("I3 debt is above 0");
    const inFlight = this.#withdraws.inFlightTotal(limit);
    if (inFlight !== null && balances.payout !== inFlight) {
      faults.push("I4 payout is not the sum of withdraws in flight");
    }
    const refunds = this.#operations.pendingRefundTotal(limit);
    const disputes = this.#disputes.heldTotal(limit);
    if (refunds !== null && disputes !== null && balances.blocked !== refunds + disputes) {
      faults.push("I4 blocked is not the sum of the holds of open refunds and disputes");
    }
    const { total } = this.#sql
      .exec<{ total: number }>("SELECT coalesce(sum(amount), 0) AS total FROM release_days")
      .one();
    if (balances.awaiting !== total)
      faults.push("I4 awaiting is not the sum of the pending releases");
    return [...faults, ...this.#releases.dayErrors(limit)];
  }

  #movementsAfter(movement: number): BookedMovement[] {
    return this.#sql
      .exec<MovementRow>(
        "SELECT * FROM movements WHERE sequence > ? AND sequence <= ? ORDER BY sequence",
        movement,
        movement + MOVEMENTS_PER_STEP,
      )
      .toArray()
      .map(movementOf);
  }

  #watermark(walk: AuditPass): Watermark {
    const nothing = Object.fromEntries(ACCOUNTS.map((account) => [account, 0])) as AccountBalances;
    const [row] = this.#sql
      .exec<WatermarkRow>("SELECT * FROM audits WHERE walk = ?", walk)
      .toArray();
    if (row === undefined) {
      return { ...START, balances: nothing };
    }
    return {
      movement: row.movement,
      hash: row.hash,
      balances: JSON.parse(row.balances) as AccountBalances,
      payment: row.payment,
      awaited: row.awaited,
      withdraws: row.withdraws,
    };
  }

  #saveWatermark(walk: AuditPass, proven: Watermark): void {
    const known = this.#watermark(walk);
    const isKnown =
      known.movement === proven.movement &&
      known.payment === proven.payment &&
      known.awaited === proven.awaited &&
      known.withdraws === proven.withdraws;
    if (isKnown) return;
    this.#sql.exec(
      `INSERT OR REPLACE INTO audits (walk, movement, hash, balances, payment, awaited, withdraws)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      walk,
      proven.movement,
      proven.hash,
      JSON.stringify(proven.balances),
      proven.payment,
      proven.awaited,
      proven.withdraws,
    );
  }
}

/** What is wrong with a movement that follows what was proven. */
function errorsOf(movement: BookedMovement, proven: Watermark): string[] {
  const errors: string[] = [];
  const { sequence, postings, balances } = movement;
  const name = `movement ${sequence}`;
  if (sequence !== proven.movement + 1) errors.push(`I1 ${name} follows ${proven.movement}`);
  if (postings.length < 2) errors.push(`I1 ${name} has no postings`);
  if (postings.reduce((sum, posting) => sum + posting.amount, 0) !== 0) {
    errors.push(`I1 ${name} does not sum to 0`);
  }
  for (const account of ACCOUNTS) {
    const moved = postings.find((posting) => posting.account === account)?.amount ?? 0;
    if (proven.balances[account] + moved !== balances[account]) {
      errors.push(`I2 ${name} leaves ${account} at a wrong balance`);
    }
  }
  if (!isHashed(movement, proven.hash)) {
    errors.push(`I1 ${name} does not carry the hash of its content`);
  }
  return errors;
}
