import type { DeliveryTarget } from "../../../../src/domain/events/delivery.ts";
import { eventCountIn } from "../../probes/ledger/ledger-rows.ts";
import { env, inAccount, type TestCompany } from "../companies/company.ts";
import { finishDueBefore } from "./stored-deliveries.ts";

/** One event of an object, with one delivery of it. */
export interface EventFixture {
  /** Which of the company's balances it is about. */
  objectId: string;
  /** When it happened, and when it is due where it is pending. Unix milliseconds. */
  at: number;
  url: string;
  target?: DeliveryTarget;
  /** `pending`, and due, where left out. */
  status?: string;
}

/**
 * Events and deliveries straight into D1, numbered after what the company has, for tests that need
 * more of them, or at other times, than a company's life makes. Answers the first one's number.
 */
export async function givenHistory(
  company: TestCompany,
  fixtures: EventFixture[],
): Promise<number> {
  const before = await inAccount(company.id, (_account, { storage: { sql } }) => {
    const announced = eventCountIn(sql);
    // The object counts events, and those of its balance apart.
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
      value ->> 'target' AS target, value ->> 'url' AS url, value ->> 'status' AS status
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
         'sequence', sequence, 'data', json_object('id', substr(object_id, 9)))
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

/** `count` events at a time to one URL, each of an object of its own. */
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

/** Leaves nothing due to the cron of the next test, which would send it for real. */
export async function finishAllDue(): Promise<void> {
  await finishDueBefore(Number.MAX_SAFE_INTEGER, "stopped");
}

/**
 * Nothing is due to the cron, its sweep of deliveries begins from the start, no write of a company that was
 * being moved is watched, and nothing is open to an operator: a file's tests find no other's rows, whatever
 * their clocks say, and what they count is their own.
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
      "UPDATE contradictions SET status = 'decided' WHERE status <> 'decided'",
    ].map((statement) => env.DB.prepare(statement)),
  );
}
