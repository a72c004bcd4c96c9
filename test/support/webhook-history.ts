import type { DeliveryTarget } from "../../src/domain/delivery.ts";
import { eventsIn } from "./ledger-rows.ts";
import { env, inAccount, type TestCompany } from "./company.ts";
import { endDueBefore, placeOf } from "./webhook-rows.ts";

/** One event of an object, with one delivery of it. */
export interface Written {
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
export async function givenHistory(company: TestCompany, written: Written[]): Promise<number> {
  const before = await inAccount(company.id, (_account, { storage: { sql } }) => {
    const announced = eventsIn(sql);
    sql.exec(
      `INSERT INTO notes
       SELECT coalesce(max(number), 0) + 1, (SELECT coalesce(max(sequence), 0) FROM movements), 0,
         NULL, ?, 0, 0 FROM notes`,
      announced + written.length,
    );
    // The object counts events by what they are about.
    sql.exec(
      `INSERT INTO meta (name, value) VALUES ('balance_events', ?1)
       ON CONFLICT (name) DO UPDATE SET value = value + ?1`,
      written.length,
    );
    return announced;
  });
  const rows = JSON.stringify(
    written.map(({ status = "pending", ...each }, index) => {
      return { target: "endpoint", ...each, index, status: placeOf(status) };
    }),
  );
  await env.DB.prepare(
    `WITH given AS (
       SELECT ?2 + 1 + (value ->> 'index') AS number, value ->> 'objectId' AS object,
         value ->> 'at' AS at, value ->> 'target' AS target,
         json_array(value ->> 'url', value ->> 'status', 0, 0, json_array(),
           iif(value ->> 'status' = 0, value ->> 'at', NULL)) AS delivery
       FROM json_each(?3)),
     numbered AS (
       SELECT *, row_number() OVER (PARTITION BY object ORDER BY number) + (
         SELECT count(*) FROM events
         WHERE company_id = ?1 AND object_id = 'balance:' || object) AS sequence
       FROM given)
     INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body,
       postback, endpoint)
     SELECT ?1, number, 13, 'balance:' || object, sequence, at,
       CAST(json_object('type', 'balance.released',
         'timestamp', strftime('%FT%R:%fZ', at / 1000.0, 'unixepoch'),
         'sequence', sequence, 'data', json_object('id', object)) AS blob),
       iif(target = 'postback', delivery, NULL), iif(target = 'endpoint', delivery, NULL)
     FROM numbered`,
  )
    .bind(company.id, before, rows)
    .run();
  return before + 1;
}

/** `count` events at a time to one URL, each of an object of its own. */
export function eventsDue(count: number, at: number, url: string, status = "pending"): Written[] {
  return Array.from({ length: count }, (_, index) => ({
    objectId: `object-${index}`,
    at,
    url,
    status,
  }));
}

/** Leaves nothing due to the cron of the next test, which would send it for real. */
export async function endAllDue(): Promise<void> {
  await endDueBefore(Number.MAX_SAFE_INTEGER, "stopped");
}

/**
 * Nothing is due to the cron, its sweep of deliveries begins from the start, and no write of a company
 * that was being moved is watched: a file's tests find no other's rows, whatever their clocks say, and
 * what they count is their own.
 */
export async function forgetAllDue(): Promise<void> {
  await endAllDue();
  const watching = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'moving_*'";
  const { results: triggers } = await env.DB.prepare(watching).all<{ name: string }>();
  await env.DB.batch(
    [
      ...triggers.map(({ name }) => `DROP TRIGGER "${name}"`),
      "DELETE FROM cursors WHERE name = 'deliveries'",
      "UPDATE transactions SET next_sweep_at = NULL WHERE next_sweep_at IS NOT NULL",
      "DELETE FROM callbacks",
    ].map((statement) => env.DB.prepare(statement)),
  );
}
