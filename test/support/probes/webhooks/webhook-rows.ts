import { asc, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { numberedAttempts } from "../../../../src/db/projection/event-rows.ts";
import { deliveries, events } from "../../../../src/db/schema/webhooks.ts";
import type { DeliveryTarget } from "../../../../src/domain/events/delivery.ts";
import { env, type TestCompany } from "../../builders/companies/env.ts";
import { shardOf } from "../database/shards.ts";

export type Company = Pick<TestCompany, "id">;

export interface EventRow {
  companySequence: number;
  type: string;
  objectId: string;
  sequence: number;
  body: any;
}

export interface DeliveryState {
  companySequence: number;
  target: DeliveryTarget;
  url: string;
  status: string;
  attempts: number;
  dueAt: number | null;
}

export interface AttemptRow {
  companySequence: number;
  target: DeliveryTarget;
  number: number;
  startedAt: number;
  durationMs: number;
  httpStatus: number | null;
  fault: string | null;
  answer: string;
}

/** A company's events in their order, as stored. */
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
