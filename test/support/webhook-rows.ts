import { expect } from "vitest";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { bodyOf } from "../../src/db/event-bodies.ts";
import { attemptsIn, deliveriesIn } from "../../src/db/event-rows.ts";
import { DELIVERY_STATUSES, events } from "../../src/db/schema/webhooks.ts";
import { env, type TestCompany } from "./env.ts";
import { homeOf } from "./home.ts";

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
  return drizzle(await homeOf(company.id))
    .select()
    .from(events)
    .where(eq(events.companyId, company.id))
    .orderBy(asc(events.companySequence));
}

/** The events of a company in their order, bodies parsed. */
export async function eventsOf(company: TestCompany): Promise<EventRow[]> {
  const rows = await storedEventsOf(company);
  return rows.map((row) => {
    const { companySequence, type, objectId, sequence } = row;
    return { companySequence, type, objectId, sequence, body: JSON.parse(bodyOf(row)) };
  });
}

const TARGETS = ["postback", "endpoint"];

/** The company's deliveries in the order of their events, a transaction's own URL first. */
export async function deliveriesOf(company: Company): Promise<DeliveryState[]> {
  const rows = await storedEventsOf(company);
  return rows.flatMap((row) =>
    deliveriesIn(row)
      .toReversed()
      .map(({ companySequence, target, url, status, attempts, dueAt }) => {
        return { companySequence, target, url, status, attempts, dueAt };
      }),
  );
}

/** Each try of the company's deliveries. */
export async function attemptsOf(company: Company): Promise<AttemptRow[]> {
  const rows = await storedEventsOf(company);
  return rows.flatMap((row) =>
    deliveriesIn(row).flatMap((delivery) =>
      attemptsIn(delivery).map(({ createdAt: startedAt, ...attempt }) => {
        const { companySequence, target } = delivery;
        return Object.assign(attempt, { companySequence, target, startedAt });
      }),
    ),
  );
}

/** The first time at which a delivery of any company is due; null where none is. */
export function firstDueAt(): Promise<number | null> {
  return env.DB.prepare("SELECT min(due_at) AS due FROM events WHERE due_at IS NOT NULL").first(
    "due",
  );
}

/** Ends all that is due before a time with a status, of whatever company. */
export async function endDueBefore(dueAt: number, status: string): Promise<void> {
  const ended = TARGETS.map(
    (target) => `${target} = iif(${target} ->> 5 IS NULL, ${target},
      json_remove(json_set(${target}, '$[1]', json(?2)), '$[5]'))`,
  );
  await env.DB.prepare(`UPDATE events SET ${ended.join()} WHERE due_at <= ?1`)
    .bind(dueAt, JSON.stringify(placeOf(status)))
    .run();
}

/** An event's delivery to the company's URL that was given up after tries at these times. */
export async function giveTries(
  company: TestCompany,
  companySequence: number,
  startedAt: number[],
): Promise<void> {
  await env.DB.prepare(
    `UPDATE events SET endpoint = (
       SELECT json_array('https://loja.example.com/webhooks', ?1, max(value) - created_at, count(*),
         json_group_array(json_array(value - created_at, 1, 500)))
       FROM json_each(?2))
     WHERE company_id = ?3 AND company_sequence = ?4`,
  )
    .bind(placeOf("exhausted"), JSON.stringify(startedAt), company.id, companySequence)
    .run();
}

/** The company's deliveries are due at `nowMs` to `url`, as if never attempted. */
export async function becomeDue(company: TestCompany, nowMs: number, url: string): Promise<void> {
  const fresh = TARGETS.map(
    (target) => `${target} = iif(${target} IS NULL, NULL,
      json_array(?1, 0, ${target} ->> 2, 0, json_array(), CAST(?2 AS INTEGER)))`,
  );
  await env.DB.prepare(`UPDATE events SET ${fresh.join()} WHERE company_id = ?3`)
    .bind(url, nowMs, company.id)
    .run();
}

/** How a status of a delivery stands in a row. */
export function placeOf(status: string): number {
  const place = (DELIVERY_STATUSES as readonly string[]).indexOf(status);
  expect(place).toBeGreaterThanOrEqual(0);
  return place;
}

/** The one status of a company's transaction in D1. */
export async function transactionsOf(
  company: TestCompany,
): Promise<{ id: string; status: string; version: number; nextSweepAt: number | null }[]> {
  return read(
    `SELECT id, status, version, next_sweep_at AS nextSweepAt FROM transactions
     WHERE company_id = ? ORDER BY seq`,
    company,
  );
}

async function read<Row>(query: string, company: Company): Promise<Row[]> {
  const home = await homeOf(company.id);
  const { results } = await home.prepare(query).bind(company.id).all<Row>();
  return results;
}
