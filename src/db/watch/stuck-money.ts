import { sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import {
  STUCK_PLACES,
  type StuckMoney,
  type StuckPlace,
} from "../../domain/figures/stuck-money.ts";
import { allShards } from "../client.ts";
import { contradictions } from "../schema/contradictions.ts";
import { selfChecks } from "../schema/operations.ts";
import { unexpectedPayments } from "../schema/payments.ts";
import { withdraws } from "../schema/withdraws.ts";
import { isReadableHere } from "../sharding/fence-filters.ts";

/** Rows counted and summed in each place of each database. */
const ROWS_MAX = 10_000;

/**
 * The money that waits in each place of all companies: payouts that a provider has not decided since `before`,
 * refunds, captures, cancels and returns without its answer since then (as each company's last check found them),
 * unexpected payments that are neither returned nor credited, and what open contradictions hold. Each is counted
 * up to 10,000 rows of a database. Money may be in two places: a contradiction holds an undecided payout's.
 */
export async function stuckMoney(env: Env, before: number): Promise<StuckMoney[]> {
  const places = placesSince(before);
  const found = await Promise.all(
    allShards(env).map(({ db }) =>
      db.all<StuckMoney>(
        sql.join(
          STUCK_PLACES.map((place) => sumOfPlace(place, places[place])),
          sql` UNION ALL `,
        ),
      ),
    ),
  );
  return STUCK_PLACES.map((place) => {
    const rows = found.flat().filter((row) => row.place === place);
    const times = rows.flatMap(({ since }) => since ?? []);
    return {
      place,
      count: rows.reduce((sum, { count }) => sum + count, 0),
      amount: rows.reduce((sum, { amount }) => sum + amount, 0),
      since: times.length === 0 ? null : Math.min(...times),
    };
  });
}

function sumOfPlace(place: StuckPlace, rows: SQL): SQL {
  return sql`SELECT ${place} AS place, coalesce(sum(items), 0) AS count,
    coalesce(sum(amount), 0) AS amount, min(since) AS since FROM (${rows} LIMIT ${ROWS_MAX})`;
}

/** The rows of each place. Conditions are written as in the partial indexes. */
function placesSince(before: number): Record<StuckPlace, SQL> {
  return {
    undecided_payouts: sql`SELECT 1 AS items, amount, updated_at AS since FROM withdraws
      WHERE status = 'Processing' AND updated_at <= ${before} AND ${isReadableHere(withdraws.companyId)}`,
    undecided_operations: sql`SELECT open_operations ->> '$.count' AS items,
        open_operations ->> '$.amount' AS amount, open_operations ->> '$.since' AS since
      FROM self_checks
      WHERE open_operations IS NOT NULL AND open_operations ->> '$.since' <= ${before}
        AND ${isReadableHere(selfChecks.companyId)}`,
    unexpected_payments: sql`SELECT 1 AS items, amount, received_at AS since
      FROM unexpected_payments INDEXED BY unexpected_payments_open
      WHERE status IN ('kept', 'crediting', 'returning') AND ${isReadableHere(unexpectedPayments.companyId)}`,
    contradictions: sql`SELECT 1 AS items, held AS amount, since FROM contradictions
      WHERE status <> 'decided' AND held > 0 AND ${isReadableHere(contradictions.companyId)}`,
  };
}
