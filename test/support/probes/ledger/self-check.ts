import {
  ACCOUNTS,
  NON_NEGATIVE_ACCOUNTS,
  type Posting,
} from "../../../../src/domain/ledger/ledger.ts";
import type { BookedMovement } from "../../../../src/company/ledger/movement-row.ts";
import { MOVEMENTS_KEPT } from "../../../../src/company/charges/charge-store.ts";
import { compose } from "../../../../src/company/compose.ts";
import { dailyTotalsIn } from "./daily-rows.ts";
import { isChainIntact, eventCountIn, movementsIn } from "./ledger-rows.ts";

/**
 * Checks the invariants of docs/architecture.md that concern one object, over its whole history,
 * and names each violation. It is independent of the product's check (`audit.ts`).
 */
export function selfCheck(sql: SqlStorage): string[] {
  const { stores } = compose(sql);
  const balances = stores.ledger.balances();
  const movements = movementsIn(sql);
  return [
    ...movements
      .filter(({ postings }) => sumOf(postings) !== 0)
      .map(({ sequence }) => `I1 movement does not sum to 0: ${sequence}`),
    ...movements
      .filter(({ postings }) => postings.length === 0)
      .map(({ sequence }) => `I1 movement without postings: ${sequence}`),
    ...violationUnless(
      "I1 movements have a gap",
      movements.length === (movements.at(-1)?.sequence ?? 0),
    ),
    ...violationUnless("the chain of movement hashes is broken", isChainIntact(sql)),
    ...unbalancedMovements(movements),
    ...NON_NEGATIVE_ACCOUNTS.filter((account) => balances[account] < 0).map(
      (account) => `I3 ${account} is below 0`,
    ),
    ...violationUnless("I3 debt is above 0", balances.debt <= 0),
    ...violationUnless(
      "I3 debt beside available money",
      balances.debt === 0 || balances.available === 0,
    ),
    ...violationUnless(
      "I4 payout is not the sum of withdraws in flight",
      balances.payout ===
        sum(
          sql,
          `SELECT sum(amount) AS total FROM withdraws
           WHERE status IN ('Awaiting', 'Processing')`,
        ),
    ),
    ...violationUnless(
      "I4 blocked is not the sum of the holds of open refunds and disputes",
      balances.blocked ===
        sum(
          sql,
          `SELECT sum(amount) AS total FROM operations
           WHERE status = 'PENDING' AND kind = 'refund'`,
        ) +
          sum(sql, "SELECT sum(held) AS total FROM disputes WHERE status = 'OPEN'"),
    ),
    ...violationUnless(
      "I4 awaiting is not the sum of credits to be released",
      balances.awaiting === sum(sql, "SELECT sum(amount) AS total FROM releases") &&
        balances.awaiting === sum(sql, "SELECT sum(amount) AS total FROM release_days"),
    ),
    ...violationUnless(
      "I4 suspense is not the sum of unexpected payments",
      balances.suspense ===
        sum(
          sql,
          `SELECT sum(amount - returned_amount) AS total FROM payments WHERE suspended = 1 AND NOT EXISTS (
             SELECT 1 FROM operations o WHERE o.id = return_operation AND o.status = 'DONE')`,
        ),
    ),
    ...rows(
      sql,
      "I5 credited payments of a charge are not one",
      "SELECT transaction_id AS id FROM payments WHERE suspended = 0 GROUP BY transaction_id HAVING count(*) <> 1",
    ),
    ...chargeMismatches(sql, movements),
    ...dailyMismatches(sql),
    ...rows(
      sql,
      "I6 refunded is not what went back",
      `SELECT transaction_id AS id FROM charges c WHERE refunded_amount <> min(paid_amount, (
         SELECT coalesce(sum(o.amount), 0) FROM operations o
         WHERE o.transaction_id = c.transaction_id AND o.kind = 'refund' AND o.status = 'DONE'
       ) + (
         SELECT coalesce(sum(d.amount), 0) FROM disputes d
         WHERE d.transaction_id = c.transaction_id AND d.status = 'LOST'
       ) + (
         SELECT coalesce(sum(e.booked), 0) FROM external_refunds e
         WHERE e.transaction_id = c.transaction_id))`,
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
    ...rows(
      sql,
      "I4 an unexpected payment's status differs from where its money is",
      `SELECT payment_id AS id FROM payments p WHERE number IS NOT NULL AND status <> CASE
         WHEN suspended = 0 THEN 'credited'
         WHEN returned_amount = amount THEN 'returned'
         ELSE coalesce((SELECT iif(o.status = 'DONE', 'returned', iif(o.status = 'PENDING', 'returning', NULL))
           FROM operations o WHERE o.id = p.return_operation), iif(p.status = 'crediting', 'crediting', 'kept'))
         END`,
    ),
    ...rows(
      sql,
      "I7 unexpected payments have a gap",
      "SELECT max(number) AS id FROM payments HAVING max(number) <> count(number)",
    ),
    ...violationUnless(
      "I8 event numbers are not one for each state change",
      areEventNumbersDense(sql),
    ),
    ...rows(
      sql,
      "I12 a payment link's counts differ from its checkouts",
      `SELECT l.id FROM payment_links l WHERE
         paid_count <> (SELECT count(*) FROM checkouts c WHERE c.link = l.number AND status = 'paid')
         OR open_count <> (SELECT count(*) FROM checkouts c
           WHERE c.link = l.number AND status IN ('held', 'open'))`,
    ),
    ...rows(
      sql,
      "I12 a checkout's status differs from its charges",
      `SELECT c.id FROM checkouts c WHERE (status = 'open') <> (status NOT IN ('held', 'paid')
         AND EXISTS (SELECT 1 FROM checkout_charges t WHERE t.checkout_id = c.id AND is_open = 1))`,
    ),
    ...rows(
      sql,
      "I13 a cycle was retried more than three times, or has two open attempts",
      `SELECT c.transaction_id AS id FROM subscription_cycles c WHERE
         (SELECT count(*) FROM json_each(attempts) WHERE value ->> 'kind' = 'retry') > 3
         OR (SELECT count(*) FROM json_each(attempts)
           WHERE value ->> 'status' IN ('requested', 'scheduled')) > 1`,
    ),
    ...rows(
      sql,
      "I11 withdraws of one key",
      "SELECT min(id) AS id FROM withdraws GROUP BY idempotency_key HAVING count(*) > 1",
    ),
  ];
}

/** Each balance is the sum of its postings. */
function unbalancedMovements(movements: BookedMovement[]): string[] {
  const running = Object.fromEntries(ACCOUNTS.map((account) => [account, 0]));
  return movements.flatMap(({ sequence, postings, balances }) => {
    for (const { account, amount } of postings) running[account] = (running[account] ?? 0) + amount;
    return ACCOUNTS.filter((account) => running[account] !== balances[account]).map(
      (account) => `I2 balance is not the sum of its postings: ${account} of ${sequence}`,
    );
  });
}

/** A charge's paid amount is its credit, and it lists its movements. */
function chargeMismatches(sql: SqlStorage, movements: BookedMovement[]): string[] {
  const about = Map.groupBy(movements, (movement) => movement.transactionId);
  return sql
    .exec<{ id: string; paid: number; movements: string }>(
      "SELECT transaction_id AS id, paid_amount AS paid, movements FROM charges",
    )
    .toArray()
    .flatMap(({ id, paid, movements: named }) => {
      const own = about.get(id) ?? [];
      const credited = own
        .filter(({ type }) => type === "charge_paid" || type === "suspense_credited")
        .flatMap(({ postings }) => postings.filter((each) => each.amount > 0));
      const numbers = own.map((movement) => movement.sequence).slice(-MOVEMENTS_KEPT);
      const isPaid = violationUnless(
        `I6 credit is not paidAmount: ${id}`,
        sumOf(credited) === paid,
      );
      const isNamed = named === JSON.stringify(numbers);
      return isPaid.concat(violationUnless(`charge does not name its movements: ${id}`, isNamed));
    });
}

function dailyMismatches(sql: SqlStorage): string[] {
  const totals = JSON.stringify(dailyTotalsIn(sql));
  const sums = JSON.stringify(dailySumsIn(sql));
  return violationUnless(
    `I9 daily totals are not the sums of their movements: ${totals} and ${sums}`,
    totals === sums,
  );
}

/** What the movements sum up to, by day and payment method: as `dailyTotalsIn` shows the totals. */
function dailySumsIn(sql: SqlStorage): Record<string, number[]> {
  // Brazil has had no summer time since 2019.
  const grouped = sql.exec<{ name: string; sums: string }>(
    `SELECT date(m.created_at / 1000 - 3 * 3600, 'unixepoch') || ' ' || c.payment_method AS name,
       json_array(sum(m.type IN ('charge_paid', 'suspense_credited')),
         sum(iif(m.type = 'charge_paid', -(postings ->> '$.provider'),
           iif(m.type = 'suspense_credited', -(postings ->> '$.suspense'), 0))),
         sum(coalesce(postings ->> '$.fees', 0)),
         sum(iif(m.type IN ('charge_paid', 'suspense_credited'), 0,
           coalesce(postings ->> '$.provider', 0)))) AS sums
     FROM movements m JOIN charges c USING (transaction_id)
     WHERE m.type IN ('charge_paid', 'suspense_credited', 'refund_done', 'refund_external',
         'dispute_lost', 'chargeback', 'chargeback_reversed')
       AND m.sequence >= (SELECT daily_totals_from FROM company)
     GROUP BY 1 ORDER BY 1`,
  );
  const days = grouped.toArray();
  return Object.fromEntries(days.map(({ name, sums }) => [name, JSON.parse(sums) as number[]]));
}

function sumOf(postings: Posting[]): number {
  return postings.reduce((total, posting) => total + posting.amount, 0);
}

function areEventNumbersDense(sql: SqlStorage): boolean {
  const { total } = sql
    .exec<{ total: number }>(
      `SELECT (SELECT coalesce(sum(event_sequence), 0) FROM charges)
            + (SELECT coalesce(sum(event_sequence), 0) FROM withdraws)
            + (SELECT coalesce(sum(event_sequence), 0) FROM disputes)
            + (SELECT coalesce(sum(event_sequence), 0) FROM suspense_disputes
               WHERE id NOT IN (SELECT id FROM disputes))
            + (SELECT coalesce(sum(event_sequence), 0) FROM payments)
            + (SELECT coalesce(sum(event_sequence), 0) FROM payment_links)
            + (SELECT coalesce(sum(event_sequence), 0) FROM subscriptions)
            + (SELECT balance_events + webhook_tests + settings_events + freeze_changes FROM company)
            + (SELECT coalesce(sum(number), 0) FROM newest_anchor) AS total`,
    )
    .one();
  return total === eventCountIn(sql);
}

function sum(sql: SqlStorage, query: string): number {
  return sql.exec<{ total: number | null }>(query).one().total ?? 0;
}

function rows(sql: SqlStorage, violation: string, query: string): string[] {
  return sql
    .exec<{ id: string | number }>(query)
    .toArray()
    .map(({ id }) => `${violation}: ${id}`);
}

function violationUnless(violation: string, holds: boolean): string[] {
  return holds ? [] : [violation];
}
