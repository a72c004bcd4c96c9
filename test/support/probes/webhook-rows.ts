import { asc, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { numberedAttempts } from "../../../src/db/projection/event-rows.ts";
import { deliveries, events, type Attempt } from "../../../src/db/schema/webhooks.ts";
import { env, type TestCompany } from "../fakes/env.ts";
import { shardOf } from "../builders/shard-of.ts";

type Company = Pick<TestCompany, "id">;

export interface EventRow {
  companySequence: number;
  type: string;
  objectId: string;
  sequence: number;
  body: any;
}

export interface DeliveryState {
  companySequence: number;
  target: "postback" | "endpoint";
  url: string;
  status: string;
  attempts: number;
  dueAt: number | null;
}

export interface AttemptRow {
  companySequence: number;
  target: "postback" | "endpoint";
  number: number;
  startedAt: number;
  durationMs: number;
  httpStatus: number | null;
  fault: string | null;
  answer: string;
}

/** The events of a company in their order, as the Worker reads them. */
export async function storedEventsOf(company: Company) {
  return drizzle(await shardOf(company.id))
    .select()
    .from(events)
    .where(eq(events.companyId, company.id))
    .orderBy(asc(events.companySequence));
}

/** The events of a company in their order, bodies parsed. */
export async function eventsOf(company: TestCompany): Promise<EventRow[]> {
  const rows = await storedEventsOf(company);
  return rows.map(({ companySequence, type, objectId, sequence, body }) => {
    return { companySequence, type, objectId, sequence, body: JSON.parse(body) };
  });
}

/** The company's deliveries in the order of their events, a transaction's own URL first. */
async function storedDeliveriesOf(company: Company) {
  const rows = await drizzle(await shardOf(company.id))
    .select()
    .from(deliveries)
    .where(eq(deliveries.companyId, company.id))
    .orderBy(desc(deliveries.companySequence), desc(deliveries.target));
  return rows.toSorted((left, right) => left.companySequence - right.companySequence);
}

/** The company's deliveries in the order of their events, a transaction's own URL first. */
export async function deliveriesOf(company: Company): Promise<DeliveryState[]> {
  const rows = await storedDeliveriesOf(company);
  return rows.map(({ companySequence, target, url, status, attempts, nextAttemptAt: dueAt }) => {
    return { companySequence, target, url, status, attempts, dueAt };
  });
}

/** Each attempt at the company's deliveries. */
export async function attemptsOf(company: Company): Promise<AttemptRow[]> {
  const rows = await storedDeliveriesOf(company);
  return rows.flatMap((delivery) =>
    numberedAttempts(delivery).map(({ at: startedAt, ...attempt }) => {
      const { companySequence, target } = delivery;
      return Object.assign(attempt, { companySequence, target, startedAt });
    }),
  );
}

/** The first time at which a delivery of any company is due; null where none is. */
export function firstDueAt(): Promise<number | null> {
  const first = `SELECT min(next_attempt_at) AS due FROM deliveries
    WHERE next_attempt_at IS NOT NULL`;
  return env.DB.prepare(first).first("due");
}

/** Ends all that is due before a time with a status, of whatever company. */
export async function finishDueBefore(dueAt: number, status: string): Promise<void> {
  await env.DB.prepare(
    "UPDATE deliveries SET status = ?2, next_attempt_at = NULL WHERE next_attempt_at <= ?1",
  )
    .bind(dueAt, status)
    .run();
}

/** An event's delivery to the company's URL that was given up after attempts at these times. */
export async function insertAttempts(
  company: TestCompany,
  companySequence: number,
  startedAt: number[],
): Promise<void> {
  const log = startedAt.map((at): Attempt => {
    return { at, durationMs: 1, httpStatus: 500, fault: null, answer: "" };
  });
  await env.DB.prepare(
    `INSERT INTO deliveries (company_id, company_sequence, target, url, status, attempts,
       next_attempt_at, updated_at, attempts_log)
     VALUES (?, ?, 'endpoint', 'https://loja.example.com/webhooks', 'exhausted', ?, NULL, ?, ?)`,
  )
    .bind(
      company.id,
      companySequence,
      startedAt.length,
      Math.max(...startedAt),
      JSON.stringify(log),
    )
    .run();
}

/** The company's deliveries are due at `nowMs` to `url`, as if never attempted. */
export async function makeDue(company: TestCompany, nowMs: number, url: string): Promise<void> {
  await env.DB.prepare(
    `UPDATE deliveries SET url = ?1, status = 'pending', attempts = 0, next_attempt_at = ?2,
       attempts_log = '[]'
     WHERE company_id = ?3`,
  )
    .bind(url, nowMs, company.id)
    .run();
}

/** The one status of a company's transaction in D1. */
export async function transactionsOf(
  company: TestCompany,
): Promise<{ id: string; status: string; version: number; nextSweepAt: number | null }[]> {
  return queryRows(
    `SELECT id, status, version, next_sweep_at AS nextSweepAt FROM transactions
     WHERE company_id = ? ORDER BY seq`,
    company,
  );
}

async function queryRows<Row>(query: string, company: Company): Promise<Row[]> {
  const home = await shardOf(company.id);
  const { results } = await home.prepare(query).bind(company.id).all<Row>();
  return results;
}
