import type { DeliveryTarget } from "../../../../src/domain/events/delivery.ts";
import { eventCountIn } from "../../probes/ledger/ledger-rows.ts";
import { env, inAccount, type TestCompany } from "../companies/company.ts";
import { finishDueBefore } from "./stored-deliveries.ts";

/** One event of an object, with one delivery of it. */
export interface EventFixture {
  /** The balance that the event is about. */
  objectId: string;
  /** The event's time, and a pending delivery's due time. Unix milliseconds. */
  at: number;
  url: string;
  target?: DeliveryTarget;
  /** Defaults to `pending`. */
  status?: string;
  /** The event's `data`; by default only an id. */
  data?: object;
}

/**
 * Writes events and deliveries straight into D1, numbered after the company's own, for tests with
 * a long history or other times. Returns the first event's number.
 */
export async function givenHistory(
  company: TestCompany,
  fixtures: EventFixture[],
): Promise<number> {
  const before = await inAccount(company.id, (_account, { storage: { sql } }) => {
    const announced = eventCountIn(sql);
    // The object counts all events and balance events separately.
    sql.exec(
      "UPDATE company SET newest_event = newest_event + ?1, balance_events = balance_events + ?1",
      fixtures.length,
    );
    return announced;
  });
  const rows = JSON.stringify(
    fixtures.map((each, index) => ({ target: "endpoint", status: "pending", ...each, index })),
  );
  const given = `WITH given AS (
    SELECT ?1 AS company_id, ?2 + 1 + (value ->> 'index') AS company_sequence,
      'balance:' || (value ->> 'objectId') AS object_id, value ->> 'at' AS at,
      value ->> 'target' AS target, value ->> 'url' AS url, value ->> 'status' AS status,
      value -> 'data' AS data
    FROM json_each(?3))`;
  const statements = [
    `${given}, numbered AS (
       SELECT *, row_number() OVER (PARTITION BY object_id ORDER BY company_sequence) + (
         SELECT count(*) FROM events
         WHERE company_id = ?1 AND events.object_id = given.object_id) AS sequence
       FROM given)
     INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
     SELECT company_id, company_sequence, 'balance.released', object_id, sequence, at,
       json_object('type', 'balance.released',
         'timestamp', strftime('%FT%R:%fZ', at / 1000.0, 'unixepoch'),
         'sequence', sequence, 'data', json(coalesce(data, json_object('id', substr(object_id, 9)))))
     FROM numbered`,
    `${given}
     INSERT INTO deliveries (company_id, company_sequence, target, url, status, attempts,
       next_attempt_at, updated_at, attempts_log)
     SELECT company_id, company_sequence, target, url, status, 0,
       iif(status = 'pending', at, NULL), at, '[]' FROM given`,
  ];
  await env.DB.batch(
    statements.map((statement) => env.DB.prepare(statement).bind(company.id, before, rows)),
  );
  return before + 1;
}

/** `count` events with the same time and URL, each of its own object. */
export function dueEvents(
  count: number,
  at: number,
  url: string,
  status = "pending",
): EventFixture[] {
  return Array.from({ length: count }, (_, index) => ({
    objectId: `object-${index}`,
    at,
    url,
    status,
  }));
}

/** A check would mend what other files' companies have in D1, and open their contradictions anew. */
const CHECKED_FOR_EVER = `INSERT INTO self_checks
    (company_id, checked_at, movement, company_sequence, missing_events, suspects, violations)
  SELECT id, unixepoch('now', '+20 years') * 1000, 0, 0, '[]', '{"transactionIds":[],"withdrawIds":[]}', '[]'
  FROM companies WHERE true
  ON CONFLICT (company_id) DO UPDATE SET checked_at = excluded.checked_at
  WHERE checked_at < unixepoch('now', '+10 years') * 1000`;

/** Ends every due delivery: the next test's cron would send it. */
export async function finishAllDue(): Promise<void> {
  await finishDueBefore(Number.MAX_SAFE_INTEGER, "stopped");
}

/**
 * Resets the state that files share: due deliveries, the sweep's cursor, change capture of tenant
 * migrations and operator events. A file then counts only its own rows.
 */
export async function deleteAllDue(): Promise<void> {
  await finishAllDue();
  const watching = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'moving_*'";
  const { results: triggers } = await env.DB.prepare(watching).all<{ name: string }>();
  await env.DB.batch(
    [
      ...triggers.map(({ name }) => `DROP TRIGGER "${name}"`),
      "DELETE FROM cursors WHERE name = 'deliveries'",
      "UPDATE transactions SET next_sweep_at = NULL WHERE next_sweep_at IS NOT NULL",
      "DELETE FROM callbacks",
      "DELETE FROM reconciliation_passes",
      "DELETE FROM mandate_passes",
      "UPDATE contradictions SET status = 'decided' WHERE status <> 'decided'",
      CHECKED_FOR_EVER,
    ].map((statement) => env.DB.prepare(statement)),
  );
}
