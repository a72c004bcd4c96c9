import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import { ACCOUNTS, NON_NEGATIVE_ACCOUNTS } from "../../domain/ledger/ledger.ts";
import { GENESIS_HASH } from "../../domain/ledger/movement-hash.ts";
import { ChargeAudit } from "./audit-charges.ts";
import { DailyAudit, parseDailyProgress, type DailyProgress } from "./audit-daily.ts";
import { ReleaseAudit } from "./audit-releases.ts";
import { WithdrawAudit } from "./audit-withdraws.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import type { DisputeStore } from "../disputes/dispute-store.ts";
import type { DailyTotalsStore } from "./daily-totals-store.ts";
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
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** Movements verified in one step, which bounds how long it blocks the object. */
export const MOVEMENTS_PER_STEP = 500;
/** Payments verified in one step. There are never more payments than movements. */
const PAYMENTS_PER_STEP = { cron: 100, reconcile: MOVEMENTS_PER_STEP };
/** Transactions whose pending releases one step verifies. */
const PENDING_RELEASES_PER_STEP = { cron: 100, reconcile: MOVEMENTS_PER_STEP };
/** Faulty charges that are stored, to be verified again in the next step. */
const QUARANTINED_MAX = 100;
/** A step sums no more open rows of a kind; the last step of a reconciliation sums all. */
const OPEN_ROWS_MAX = 1_000;

/** `cron` continues from its watermark; `reconcile` restarts at the first movement on request. */
export type AuditPass = "cron" | "reconcile";

export interface AuditStep {
  /** The newest verified movement. */
  movement: number;
  /** Whether the pass ended, at the ledger's newest movement or at a violation. */
  done: boolean;
  /** Size of the object's database. */
  storageBytes: number;
  /** Each starts with the invariant it breaks. */
  violations: string[];
}

/** Whether the balances cannot be trusted: an invariant of the ledger itself is broken. */
export function isLedgerCorrupt({ violations }: AuditStep): boolean {
  return violations.some((violation) => /^I[123] /.test(violation));
}

/** How far a pass has verified the object; balances are those after `movement`. */
interface Watermark {
  movement: number;
  hash: string;
  balances: AccountBalances;
  /** Id of the last verified payment; empty at the start. */
  payment: string;
  /** Last transaction whose pending releases were verified; empty at the start. */
  awaited: string;
  /** Position in the open withdraws; empty at the start. */
  withdraws: string;
  daily: DailyProgress;
}

type WatermarkRow = {
  daily_totals: string;
  movement: number;
  hash: string;
  balances: string;
  payment: string;
  awaited: string;
  withdraws: string;
};

const NO_ERRORS = { errors: [], after: "" };
const NO_PENDING_RELEASES = { ids: [], after: "" };
const START = { movement: 0, hash: GENESIS_HASH, payment: "", awaited: "", withdraws: "" };

const AUDITS = new Table<WatermarkRow & { walk: AuditPass }>("audits");

/**
 * Verifies the ledger from a watermark, at a cost independent of history (decision 0013): movements
 * sum to zero and their hash chain holds (I1), balances are the sums of postings (I2), none is
 * below zero (I3), open rows add up to their accounts (I4), charges match their credits (I5, I6),
 * payees and release days are those of the movements (I1, decision 0039), and daily totals are
 * their days' sums (I9).
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
  readonly #daily: DailyAudit;

  constructor(deps: {
    sql: SqlStorage;
    ledger: LedgerStore;
    dailyTotals: DailyTotalsStore;
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
    this.#daily = new DailyAudit(deps);
  }

  /** The next step, or the first one. Runs inside one `transactionSync`. */
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
    // The watermark stays before a broken movement, so that each step reports it until it is
    // repaired.
    const isSound = violations.length === 0;
    const verified = found.filter((each) => each.sequence <= proven.movement);
    const payments = isSound ? this.#paymentErrors(pass, before.payment) : NO_ERRORS;
    const payouts = isSound ? this.#payoutErrors(before.withdraws, verified) : NO_ERRORS;
    const pendingReleases = isSound
      ? this.#nextPendingReleases(pass, before.awaited)
      : NO_PENDING_RELEASES;
    const done = !isSound || found.length < MOVEMENTS_PER_STEP;
    const missing = this.#missingMovementErrors();
    const daily = isSound
      ? this.#daily.next(before.daily, verified, done && missing.length === 0)
      : null;
    if (daily !== null) {
      const cursors = {
        payment: payments.after,
        withdraws: payouts.after,
        awaited: pendingReleases.after,
        daily: daily.progress,
      };
      this.#saveWatermark(pass, { ...proven, ...cursors });
    }
    if (done && isSound) violations.push(...this.#balanceErrors(proven.balances));
    const isReconciliationEnd = done && pass === "reconcile";
    if (isReconciliationEnd) violations.push(...this.#openRowErrors());
    violations.push(...missing, ...this.#currentBalanceErrors(isReconciliationEnd));
    violations.push(...this.#quarantineErrors(verified, pendingReleases.ids, isSound));
    violations.push(...payments.errors, ...this.#charges.unlistedMovementErrors(verified));
    violations.push(...payouts.errors, ...(daily?.errors ?? []));
    const storageBytes = this.#sql.databaseSize;
    return { movement: this.#watermark(pass).movement, done, storageBytes, violations };
  }

  /** Sums all open rows, however many: for the last step of a reconciliation. */
  #openRowErrors(): string[] {
    const { awaiting, suspense } = this.#ledger.balances();
    const { pending, suspended } = this.#sql
      .exec<{ pending: number; suspended: number }>(
        `SELECT (SELECT coalesce(sum(amount), 0) FROM releases) AS pending,
           (SELECT coalesce(sum(amount - returned_amount), 0) FROM payments
             WHERE suspended = 1 AND NOT EXISTS (
             SELECT 1 FROM operations o
             WHERE o.id = return_operation AND o.status = 'DONE')) AS suspended`,
      )
      .one();
    const errors = awaiting === pending ? [] : ["I4 awaiting is not the sum of its credits"];
    if (suspense !== suspended) errors.push("I4 suspense is not the sum of unexpected payments");
    return errors;
  }

  /** Errors of the withdraws of these movements, and of open ones. */
  #payoutErrors(after: string, movements: BookedMovement[]): { errors: string[]; after: string } {
    const open = this.#payouts.openErrors(after);
    const touched = this.#payouts.errorsOf(movements.flatMap((each) => each.withdrawId ?? []));
    return { errors: [...new Set([...open.errors, ...touched])], after: open.after };
  }

  /** The next transactions with pending releases; the cron restarts after the last. */
  #nextPendingReleases(pass: AuditPass, after: string): { ids: string[]; after: string } {
    const limit = PENDING_RELEASES_PER_STEP[pass];
    const ids = this.#releases.transactionsAfter(after, limit);
    const atEnd = ids.length < limit;
    return { ids, after: atEnd && pass === "cron" ? "" : (ids.at(-1) ?? after) };
  }

  /**
   * Errors of the charges of these movements, of those with pending releases, and of those faulty
   * before. Releases are compared with movements only if the movements are sound.
   */
  #quarantineErrors(movements: BookedMovement[], pending: string[], isSound: boolean): string[] {
    const quarantined = this.#sql
      .exec<{ id: string }>("SELECT transaction_id AS id FROM audit_suspects")
      .toArray()
      .map((row) => row.id);
    const touched = movements.flatMap((each) => each.transactionId ?? []);
    const ids = [...new Set([...quarantined, ...touched])];
    const errors = this.#charges.errors(ids);
    const releases = this.#releases.errors(isSound ? [...new Set([...ids, ...pending])] : []);
    this.#sql.exec("DELETE FROM audit_suspects");
    const faulty = new Set([...errors.keys(), ...releases.keys()]);
    for (const id of [...faulty].slice(0, QUARANTINED_MAX)) {
      this.#sql.exec("INSERT INTO audit_suspects (transaction_id) VALUES (?)", id);
    }
    return [...errors.values(), ...releases.values()];
  }

  /** A verified movement keeps its hash: finds a past that was rewritten with new hashes. */
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
   * Verifies the next credited payments by id: the charge names this payment (I5) and lists a
   * movement that credited it (I1). Stays before a faulty one; the cron restarts after the last.
   */
  #paymentErrors(pass: AuditPass, after: string): { errors: string[]; after: string } {
    const limit = PAYMENTS_PER_STEP[pass];
    const payments = named(
      `SELECT p.payment_id AS id, p.transaction_id AS charge, p.suspended = 1 OR EXISTS (
           SELECT 1 FROM charges c WHERE c.transaction_id = p.transaction_id
             AND c.payment_id = p.payment_id) AS sound,
           p.suspended = 1 OR EXISTS (
             SELECT 1 FROM charges c
             WHERE c.transaction_id = p.transaction_id AND json_array_length(c.movements) >= :kept)
           OR EXISTS (
             SELECT 1 FROM charges c, json_each(c.movements) n, movements m
             WHERE c.transaction_id = p.transaction_id AND m.sequence = n.value
               AND m.type IN ('charge_paid', 'suspense_credited')
               AND m.transaction_id = c.transaction_id) AS credited
         FROM payments p WHERE p.payment_id > :after ORDER BY p.payment_id LIMIT :limit`,
    )
      .exec<{ id: string; charge: string | null; sound: number; credited: number }>(this.#sql, {
        kept: MOVEMENTS_KEPT,
        after,
        limit,
      })
      .toArray();
    const index = payments.findIndex(({ sound, credited }) => sound === 0 || credited === 0);
    const faulty = payments[index];
    if (faulty !== undefined) {
      const { charge } = faulty;
      const error =
        faulty.sound === 0
          ? `I5 transaction ${charge} was credited twice`
          : `I1 transaction ${charge} has no movement that credited it`;
      return { errors: [error], after: payments[index - 1]?.id ?? after };
    }
    const atEnd = payments.length < limit;
    return { errors: [], after: atEnd && pass === "cron" ? "" : (payments.at(-1)?.id ?? after) };
  }

  /** An anchored movement keeps its hash: finds a past that was rewritten with its watermarks. */
  #checkpointErrors(anchors: readonly AnchoredHead[]): string[] {
    return this.#ledger
      .mismatchedHeads(anchors)
      .map(({ movement, day }) => `I1 movement ${movement} is not what was anchored on ${day}`);
  }

  /** Each account is the sum of its postings (I2). */
  #balanceErrors(proven: AccountBalances): string[] {
    const balances = this.#ledger.balances();
    return ACCOUNTS.filter((account) => balances[account] !== proven[account]).map(
      (account) => `I2 ${account} is not the sum of its postings`,
    );
  }

  /** Finds a truncated ledger: other rows know its least length (I1). */
  #missingMovementErrors(): string[] {
    const minimum = this.#ledgerLength.minimum();
    return this.#ledger.newestMovement() < minimum ? [`I1 movement ${minimum} is missing`] : [];
  }

  /** Errors of the current balances. Skips sums of more than `OPEN_ROWS_MAX` rows, unless `all`. */
  #currentBalanceErrors(all: boolean): string[] {
    const limit = all ? Number.MAX_SAFE_INTEGER - 1 : OPEN_ROWS_MAX;
    const balances = this.#ledger.balances();
    const errors: string[] = [];
    const negative = NON_NEGATIVE_ACCOUNTS.filter((account) => balances[account] < 0);
    errors.push(...negative.map((account) => `I3 ${account} is below 0`));
    if (balances.debt > 0) errors.push("I3 debt is above 0");
    const inFlight = this.#withdraws.inFlightTotal(limit);
    if (inFlight !== null && balances.payout !== inFlight) {
      errors.push("I4 payout is not the sum of withdraws in flight");
    }
    const refunds = this.#operations.pendingRefundTotal(limit);
    const disputes = this.#disputes.heldTotal(limit);
    if (refunds !== null && disputes !== null && balances.blocked !== refunds + disputes) {
      errors.push("I4 blocked is not the sum of the holds of open refunds and disputes");
    }
    const { total } = this.#sql
      .exec<{ total: number }>("SELECT coalesce(sum(amount), 0) AS total FROM release_days")
      .one();
    if (balances.awaiting !== total)
      errors.push("I4 awaiting is not the sum of the pending releases");
    return [...errors, ...this.#releases.dayErrors(limit)];
  }

  #movementsAfter(movement: number): BookedMovement[] {
    return named(
      "SELECT * FROM movements WHERE sequence > :movement AND sequence <= :last ORDER BY sequence",
    )
      .exec<MovementRow>(this.#sql, { movement, last: movement + MOVEMENTS_PER_STEP })
      .toArray()
      .map(movementOf);
  }

  #watermark(pass: AuditPass): Watermark {
    const balances = Object.fromEntries(ACCOUNTS.map((account) => [account, 0])) as AccountBalances;
    const [row] = this.#sql
      .exec<WatermarkRow>("SELECT * FROM audits WHERE walk = ?", pass)
      .toArray();
    if (row === undefined) return { ...START, balances, daily: parseDailyProgress("") };
    return {
      movement: row.movement,
      hash: row.hash,
      balances: JSON.parse(row.balances) as AccountBalances,
      payment: row.payment,
      awaited: row.awaited,
      withdraws: row.withdraws,
      daily: parseDailyProgress(row.daily_totals),
    };
  }

  #saveWatermark(pass: AuditPass, proven: Watermark): void {
    const known = this.#watermark(pass);
    const daily = JSON.stringify(proven.daily);
    const isKnown =
      known.movement === proven.movement &&
      known.payment === proven.payment &&
      known.awaited === proven.awaited &&
      known.withdraws === proven.withdraws &&
      JSON.stringify(known.daily) === daily;
    if (isKnown) return;
    AUDITS.replace(this.#sql, {
      walk: pass,
      movement: proven.movement,
      hash: proven.hash,
      balances: JSON.stringify(proven.balances),
      payment: proven.payment,
      awaited: proven.awaited,
      withdraws: proven.withdraws,
      daily_totals: daily,
    });
  }
}

/** Errors of the movement after the watermark. */
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
