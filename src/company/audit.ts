import { NEVER_NEGATIVE, type Account, type MovementType } from "../domain/ledger.ts";
import { CURRENCY, type Cents } from "../domain/money.ts";
import { GENESIS_HASH, movementHash, type MovementLine } from "../domain/movement-hash.ts";
import type { DisputeStore } from "./dispute-store.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { OperationStore } from "./operation-store.ts";
import type { WithdrawStore } from "./withdraw-store.ts";

/** Movements looked at in one step, so that a check never holds the object for long. */
export const AUDIT_MOVEMENTS = 500;
/** Charges found faulty that are looked at in each step. */
const SUSPECTS_MAX = 100;

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

interface Movement {
  sequence: number;
  createdAt: number;
  type: MovementType;
  currency: string;
  transactionId: string | null;
  withdrawId: number | null;
  hash: string;
  lines: MovementLine[];
}

type AuditRow = {
  sequence: number;
  created_at: number;
  type: MovementType;
  currency: string;
  transaction_id: string | null;
  withdraw_id: number | null;
  hash: string;
  account: Account | null;
  amount: number;
  balance: number;
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
  readonly #withdraws: WithdrawStore;
  readonly #operations: OperationStore;
  readonly #disputes: DisputeStore;

  constructor(parts: {
    sql: SqlStorage;
    ledger: LedgerStore;
    withdraws: WithdrawStore;
    operations: OperationStore;
    disputes: DisputeStore;
  }) {
    this.#sql = parts.sql;
    this.#ledger = parts.ledger;
    this.#withdraws = parts.withdraws;
    this.#operations = parts.operations;
    this.#disputes = parts.disputes;
  }

  /** One step on, or the first one again. Runs inside one `transactionSync`. */
  step(walk: AuditWalk, fromStart: boolean): AuditStep {
    if (fromStart) this.#forget(walk);
    let { movement, hash } = this.#watermark(walk);
    const balances = this.#proven(walk);
    const violations = this.#anchorFaults();
    const found = violations.length > 0 ? [] : this.#movementsAfter(movement);
    for (const next of found) {
      violations.push(...faultsOf(next, movement, hash, balances));
      if (violations.length > 0) break;
      movement = next.sequence;
      hash = next.hash;
    }
    // The ledger stops at what is broken, which is found again each time until it is mended.
    const sound = violations.length === 0;
    if (sound) this.#remember(walk, movement, hash, balances);
    const done = !sound || found.length < AUDIT_MOVEMENTS;
    if (done && sound) violations.push(...this.#balanceFaults(balances));
    if (done && walk === "reconcile") violations.push(...this.#openFaults());
    violations.push(...this.#standingFaults(), ...this.#suspectFaults(found));
    return { movement: this.#watermark(walk).movement, done, violations };
  }

  /** What reads all that is open, however much that is: for a reconciliation. */
  #openFaults(): string[] {
    const { awaiting, suspense } = this.#ledger.balances(CURRENCY);
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
  #suspectFaults(found: Movement[]): string[] {
    const credits = new Map<string, Cents>();
    for (const { type, transactionId, lines } of found) {
      if (type !== "charge_paid" || transactionId === null) continue;
      const paid = lines.find((line) => line.account === "provider")?.amount ?? 0;
      credits.set(transactionId, 0 - paid);
    }
    const suspects = this.#sql
      .exec<{ id: string }>("SELECT transaction_id AS id FROM audit_suspects")
      .toArray()
      .map((row) => row.id);
    const touched = found.flatMap((each) => each.transactionId ?? []);
    const faults = this.#chargeFaults([...new Set([...suspects, ...touched])], credits);
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

  /** One credit for what was paid (I5), of exactly that (I6); refunded is what went back (I6). */
  #chargeFaults(transactionIds: string[], credits: Map<string, Cents>): Map<string, string> {
    const rows = this.#sql.exec<{
      id: string;
      paid: number;
      refunded: number;
      whole: number;
      credits: number;
      credited: number;
      given_back: number;
    }>(
      `SELECT c.transaction_id AS id, c.paid_amount AS paid, c.refunded_amount AS refunded,
         c.status = 'refunded' AS whole,
         (SELECT count(*) FROM payments p
          WHERE p.transaction_id = c.transaction_id AND p.suspended = 0) AS credits,
         (SELECT coalesce(sum(p.amount), 0) FROM payments p
          WHERE p.transaction_id = c.transaction_id AND p.suspended = 0) AS credited,
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
      const whole = paid > 0 && refunded === paid;
      if (refunded !== Math.min(paid, charge.given_back) || whole !== (charge.whole === 1)) {
        faults.set(id, `I6 transaction ${id} is refunded by another amount`);
      }
      if (charge.credited !== paid || (credits.get(id) ?? paid) !== paid) {
        faults.set(id, `I6 transaction ${id} is paid by another amount`);
      }
      if (charge.credits > 1) faults.set(id, `I5 transaction ${id} was credited twice`);
    }
    return faults;
  }

  /** Each account is what its postings add up to (I2). */
  #balanceFaults(proven: Map<string, Cents>): string[] {
    const accounts = this.#sql
      .exec<{ currency: string; account: string; balance: number }>("SELECT * FROM accounts")
      .toArray();
    const known = new Map(accounts.map((row) => [keyOf(row.currency, row.account), row.balance]));
    const keys = new Set([...known.keys(), ...proven.keys()]);
    return [...keys]
      .filter((key) => (known.get(key) ?? 0) !== (proven.get(key) ?? 0))
      .map((key) => `I2 ${key} is not the sum of its postings`);
  }

  /** What must hold at any time and costs no more than what is open. */
  #standingFaults(): string[] {
    const balances = this.#ledger.balances(CURRENCY);
    const faults = NEVER_NEGATIVE.filter((account) => balances[account] < 0).map(
      (account) => `I3 ${account} is below 0`,
    );
    if (balances.debt > 0) faults.push("I3 debt is above 0");
    if (balances.payout !== this.#withdraws.sumOnTheWay()) {
      faults.push("I4 payout is not the sum of withdraws on their way");
    }
    if (balances.blocked !== this.#operations.sumOfOpenRefunds() + this.#disputes.sumOfOpen()) {
      faults.push("I4 blocked is not what open refunds and disputes hold");
    }
    const { total } = this.#sql
      .exec<{ total: number }>("SELECT coalesce(sum(amount), 0) AS total FROM release_days")
      .one();
    if (balances.awaiting !== total) faults.push("I4 awaiting is not what is to be released");
    return faults;
  }

  #movementsAfter(movement: number): Movement[] {
    const rows = this.#sql.exec<AuditRow>(
      `SELECT m.*, p.account, p.amount, p.balance
       FROM movements m LEFT JOIN postings p ON p.movement = m.sequence
       WHERE m.sequence > ? AND m.sequence <= ? ORDER BY m.sequence, p.sequence`,
      movement,
      movement + AUDIT_MOVEMENTS,
    );
    const movements: Movement[] = [];
    for (const row of rows) {
      if (movements.at(-1)?.sequence !== row.sequence) {
        movements.push({
          sequence: row.sequence,
          createdAt: row.created_at,
          type: row.type,
          currency: row.currency,
          transactionId: row.transaction_id,
          withdrawId: row.withdraw_id,
          hash: row.hash,
          lines: [],
        });
      }
      const { account, amount, balance } = row;
      if (account !== null) movements.at(-1)?.lines.push({ account, amount, balance });
    }
    return movements;
  }

  #watermark(walk: AuditWalk): { movement: number; hash: string } {
    const [row] = this.#sql
      .exec<{ movement: number; hash: string }>(
        "SELECT movement, hash FROM audits WHERE walk = ?",
        walk,
      )
      .toArray();
    return row ?? { movement: 0, hash: GENESIS_HASH };
  }

  #proven(walk: AuditWalk): Map<string, Cents> {
    return new Map(
      this.#sql
        .exec<{ currency: string; account: string; balance: number }>(
          "SELECT currency, account, balance FROM audit_balances WHERE walk = ?",
          walk,
        )
        .toArray()
        .map((row) => [keyOf(row.currency, row.account), row.balance]),
    );
  }

  #remember(walk: AuditWalk, movement: number, hash: string, balances: Map<string, Cents>): void {
    if (this.#watermark(walk).movement === movement) return;
    this.#sql.exec(
      "INSERT OR REPLACE INTO audits (walk, movement, hash) VALUES (?, ?, ?)",
      walk,
      movement,
      hash,
    );
    for (const [key, balance] of balances) {
      const [currency, account] = key.split(" ");
      this.#sql.exec(
        `INSERT OR REPLACE INTO audit_balances (walk, currency, account, balance)
         VALUES (?, ?, ?, ?)`,
        walk,
        currency,
        account,
        balance,
      );
    }
  }

  #forget(walk: AuditWalk): void {
    this.#sql.exec("DELETE FROM audits WHERE walk = ?", walk);
    this.#sql.exec("DELETE FROM audit_balances WHERE walk = ?", walk);
  }
}

/** What is wrong with a movement; adds its postings to the balances where nothing is. */
function faultsOf(
  movement: Movement,
  previous: number,
  previousHash: string,
  balances: Map<string, Cents>,
): string[] {
  const faults: string[] = [];
  const name = `movement ${movement.sequence}`;
  if (movement.sequence !== previous + 1) faults.push(`I1 ${name} follows ${previous}`);
  if (movement.lines.length < 2) faults.push(`I1 ${name} has no postings`);
  if (movement.lines.reduce((sum, line) => sum + line.amount, 0) !== 0) {
    faults.push(`I1 ${name} does not sum to 0`);
  }
  const after = new Map<string, Cents>();
  for (const { account, amount, balance } of movement.lines) {
    const key = keyOf(movement.currency, account);
    const running = (after.get(key) ?? balances.get(key) ?? 0) + amount;
    if (running !== balance) faults.push(`I2 ${name} leaves ${account} at a wrong balance`);
    after.set(key, running);
  }
  if (movementHash(previousHash, movement) !== movement.hash) {
    faults.push(`I1 ${name} does not carry the hash of what it says`);
  }
  if (faults.length === 0) for (const [key, balance] of after) balances.set(key, balance);
  return faults;
}

function keyOf(currency: string, account: string): string {
  return `${currency} ${account}`;
}
