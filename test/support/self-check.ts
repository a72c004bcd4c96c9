import { NEVER_NEGATIVE, type Account, type MovementType } from "../../src/domain/ledger.ts";
import { GENESIS_HASH, movementHash } from "../../src/domain/movement-hash.ts";
import { CURRENCY } from "../../src/domain/money.ts";
import type { MetaStore } from "../../src/company/meta-store.ts";
import { partsOf } from "../../src/company/parts.ts";

/**
 * Checks the invariants of docs/architecture.md that one object can see by itself, all of them over
 * all of its history, and names each violation. The product's own check (`audit.ts`) is another.
 */
export function selfCheck(sql: SqlStorage): string[] {
  const { stores } = partsOf(sql);
  const balances = stores.ledger.balances(CURRENCY);
  return [
    ...rows(
      sql,
      "I1 movement does not sum to 0",
      "SELECT movement AS id FROM postings GROUP BY movement HAVING sum(amount) <> 0",
    ),
    ...rows(
      sql,
      "I1 movement without postings",
      "SELECT sequence AS id FROM movements WHERE sequence NOT IN (SELECT movement FROM postings)",
    ),
    ...check("the chain of movement hashes is broken", chainHolds(sql)),
    ...rows(
      sql,
      "I2 balance is not the sum of its postings",
      `SELECT account AS id FROM accounts WHERE balance <> (
         SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN movements m ON m.sequence = p.movement
         WHERE p.account = accounts.account AND m.currency = accounts.currency)`,
    ),
    ...NEVER_NEGATIVE.filter((account) => balances[account] < 0).map(
      (account) => `I3 ${account} is below 0`,
    ),
    ...check("I3 debt is above 0", balances.debt <= 0),
    ...check("I3 debt beside available money", balances.debt === 0 || balances.available === 0),
    ...check(
      "I4 payout is not the sum of withdraws on their way",
      balances.payout === stores.withdraws.sumOnTheWay(),
    ),
    ...check(
      "I4 blocked is not what open refunds and disputes hold",
      balances.blocked === stores.operations.sumOfOpenRefunds() + stores.disputes.sumOfOpen(),
    ),
    ...check(
      "I4 awaiting is not the sum of credits to be released",
      balances.awaiting === sum(sql, "SELECT sum(amount) AS total FROM releases") &&
        balances.awaiting === sum(sql, "SELECT sum(amount) AS total FROM release_days"),
    ),
    ...check(
      "I4 suspense is not the sum of unexpected payments",
      balances.suspense ===
        sum(
          sql,
          `SELECT sum(amount) AS total FROM payments WHERE suspended = 1 AND NOT EXISTS (
             SELECT 1 FROM operations o WHERE o.id = return_operation AND o.status = 'DONE')`,
        ),
    ),
    ...rows(
      sql,
      "I5 credited payments of a charge are not one",
      "SELECT transaction_id AS id FROM payments WHERE suspended = 0 GROUP BY transaction_id HAVING count(*) <> 1",
    ),
    ...rows(
      sql,
      "I6 credit is not paidAmount",
      `SELECT c.transaction_id AS id FROM charges c WHERE c.paid_amount <> coalesce((
         SELECT sum(p.amount) FROM postings p JOIN movements m ON m.sequence = p.movement
         WHERE m.transaction_id = c.transaction_id AND m.type = 'charge_paid' AND p.amount > 0), 0)`,
    ),
    ...rows(
      sql,
      "I6 refunded is not what went back",
      `SELECT transaction_id AS id FROM charges c WHERE refunded_amount <> min(paid_amount, (
         SELECT coalesce(sum(o.amount), 0) FROM operations o
         WHERE o.transaction_id = c.transaction_id AND o.kind = 'refund' AND o.status = 'DONE'
       ) + (
         SELECT coalesce(sum(d.amount), 0) FROM disputes d
         WHERE d.transaction_id = c.transaction_id AND d.status = 'LOST'))`,
    ),
    ...rows(
      sql,
      "I6 refunded in part or beyond its status",
      `SELECT transaction_id AS id FROM charges
       WHERE (status = 'refunded') <> (paid_amount > 0 AND refunded_amount = paid_amount)`,
    ),
    ...rows(
      sql,
      "I7 withdraw ids have a gap",
      "SELECT max(id) AS id FROM withdraws HAVING max(id) <> count(*)",
    ),
    ...check(
      "I8 event numbers are not one for each state change",
      eventNumbersFit(sql, stores.meta),
    ),
    ...rows(
      sql,
      "I11 withdraw without its idempotency key",
      `SELECT id FROM withdraws WHERE NOT EXISTS (SELECT 1 FROM idempotency i
         WHERE i.operation = 'withdraw' AND i.key = withdraws.idempotency_key AND i.record_id = withdraws.id)`,
    ),
  ];
}

type ChainedRow = {
  sequence: number;
  created_at: number;
  type: MovementType;
  transaction_id: string | null;
  withdraw_id: number | null;
  hash: string;
};

/** Computes every movement's hash again from its postings and its predecessor. */
function chainHolds(sql: SqlStorage): boolean {
  let previous = GENESIS_HASH;
  for (const row of sql.exec<ChainedRow>("SELECT * FROM movements ORDER BY sequence")) {
    const lines = sql
      .exec<{ account: Account; amount: number; balance: number }>(
        "SELECT account, amount, balance FROM postings WHERE movement = ? ORDER BY sequence",
        row.sequence,
      )
      .toArray();
    const hash = movementHash(previous, {
      sequence: row.sequence,
      createdAt: row.created_at,
      type: row.type,
      transactionId: row.transaction_id,
      withdrawId: row.withdraw_id,
      lines,
    });
    if (hash !== row.hash) return false;
    previous = hash;
  }
  return true;
}

function eventNumbersFit(sql: SqlStorage, meta: MetaStore): boolean {
  const { total } = sql
    .exec<{ total: number }>(
      `SELECT (SELECT coalesce(sum(event_sequence), 0) FROM charges)
            + (SELECT coalesce(sum(event_sequence), 0) FROM withdraws)
            + (SELECT coalesce(sum(value), 0) FROM meta WHERE name IN ('balance_events', 'webhook_tests')) AS total`,
    )
    .one();
  return total === (meta.get("company_sequence") ?? 0);
}

function sum(sql: SqlStorage, query: string): number {
  return sql.exec<{ total: number | null }>(query).one().total ?? 0;
}

function rows(sql: SqlStorage, violation: string, query: string): string[] {
  return sql
    .exec<{ id: string | number }>(query)
    .toArray()
    .map((row) => `${violation}: ${row.id}`);
}

function check(violation: string, holds: boolean): string[] {
  return holds ? [] : [violation];
}
