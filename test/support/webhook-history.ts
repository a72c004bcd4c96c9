import type { DeliveryTarget } from "../../src/domain/delivery.ts";
import { env, inAccount, type TestCompany } from "./company.ts";

/** One event of an object, with one delivery of it. */
export interface Written {
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
    const add = (name: string) =>
      sql.exec(
        `INSERT INTO meta (name, value) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET value = value + ?2`,
        name,
        written.length,
      );
    add("company_sequence");
    // The object counts events by what they are about.
    add("balance_events");
    const [row] = sql.exec("SELECT value FROM meta WHERE name = 'company_sequence'").toArray();
    return Number(row?.["value"]) - written.length;
  });
  const rows = JSON.stringify(
    written.map((each, index) => ({ target: "endpoint", status: "pending", ...each, index })),
  );
  await env.DB.batch([
    env.DB.prepare(
      `WITH given AS (
         SELECT ?2 + 1 + (value ->> 'index') AS number, value ->> 'objectId' AS object,
           value ->> 'at' AS at FROM json_each(?3)),
       numbered AS (
         SELECT *, row_number() OVER (PARTITION BY object ORDER BY number) + (
           SELECT count(*) FROM events WHERE company_id = ?1 AND object_id = object) AS sequence
         FROM given)
       INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
       SELECT ?1, number, 'balance.released', object, sequence, at,
         json_object('type', 'balance.released',
           'timestamp', strftime('%FT%R:%fZ', at / 1000.0, 'unixepoch'),
           'sequence', sequence, 'data', json_object('id', object))
       FROM numbered`,
    ).bind(company.id, before, rows),
    env.DB.prepare(
      `INSERT INTO deliveries (company_id, company_sequence, target, object_id, url, status, attempts,
         due_at, lease_until, updated_at)
       SELECT ?1, ?2 + 1 + (value ->> 'index'), value ->> 'target', value ->> 'objectId',
         value ->> 'url', value ->> 'status', 0,
         iif(value ->> 'status' = 'pending', value ->> 'at', NULL), 0, value ->> 'at'
       FROM json_each(?3)`,
    ).bind(company.id, before, rows),
  ]);
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

/** Leaves nothing due to the cron of the next test file, which would send it for real. */
export async function endAllDue(): Promise<void> {
  await env.DB.prepare(
    "UPDATE deliveries SET status = 'stopped', due_at = NULL WHERE due_at IS NOT NULL",
  ).run();
}
