import { unpackedText } from "../../src/db/packed-column.ts";
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

/** The events of a company in their order, bodies parsed. */
export async function eventsOf(company: TestCompany): Promise<EventRow[]> {
  const rows = await read<EventRow>(
    `SELECT company_sequence AS companySequence, type, object_id AS objectId, sequence, body
     FROM events WHERE company_id = ? ORDER BY company_sequence`,
    company,
  );
  for (const row of rows) row.body = JSON.parse(unpackedText(row.body));
  return rows;
}

const TARGETS = ["postback", "endpoint"];

/** A row for each delivery that stands in an event's row. */
const DELIVERIES = `(
  SELECT company_id, company_sequence, 'postback' AS target, postback AS delivery FROM events
  UNION ALL SELECT company_id, company_sequence, 'endpoint', endpoint FROM events)`;

/** The company's deliveries in the order of their events, a transaction's own URL first. */
export function deliveriesOf(company: Company): Promise<DeliveryState[]> {
  return read(
    `SELECT company_sequence AS companySequence, target, delivery ->> 'url' AS url,
       delivery ->> 'status' AS status, delivery ->> 'attempts' AS attempts,
       delivery ->> 'dueAt' AS dueAt
     FROM ${DELIVERIES} WHERE company_id = ? AND delivery IS NOT NULL
     ORDER BY company_sequence, target DESC`,
    company,
  );
}

/** Each try of the company's deliveries. */
export function attemptsOf(company: Company): Promise<AttemptRow[]> {
  return read(
    `SELECT company_sequence AS companySequence, target,
       delivery ->> 'attempts' - json_array_length(delivery, '$.tries') + try.key + 1 AS number,
       try.value ->> 0 AS startedAt, try.value ->> 1 AS durationMs, try.value ->> 2 AS httpStatus,
       try.value ->> 3 AS fault, try.value ->> 4 AS answer
     FROM ${DELIVERIES}, json_each(delivery, '$.tries') AS try
     WHERE company_id = ? AND delivery IS NOT NULL ORDER BY company_sequence, target, number`,
    company,
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
    (target) =>
      `${target} = iif(${target} ->> 'dueAt' IS NULL, ${target}, json_patch(${target}, ?2))`,
  );
  await env.DB.prepare(`UPDATE events SET ${ended.join()} WHERE due_at <= ?1`)
    .bind(dueAt, JSON.stringify({ status, dueAt: null }))
    .run();
}

/** An event's delivery to the company's URL that was given up after tries at these times. */
export async function giveTries(
  company: TestCompany,
  companySequence: number,
  startedAt: number[],
): Promise<void> {
  const delivery = {
    url: "https://loja.example.com/webhooks",
    status: "exhausted",
    updatedAt: startedAt.at(-1),
    attempts: startedAt.length,
    tries: startedAt.map((at) => [at, 1, 500, null, ""]),
  };
  await env.DB.prepare(
    "UPDATE events SET endpoint = ? WHERE company_id = ? AND company_sequence = ?",
  )
    .bind(JSON.stringify(delivery), company.id, companySequence)
    .run();
}

/** The company's deliveries are due at `nowMs` to `url`, as if never attempted. */
export async function becomeDue(company: TestCompany, nowMs: number, url: string): Promise<void> {
  const fresh = TARGETS.map((target) => `${target} = json_patch(${target}, ?1)`);
  const change = { url, status: "pending", attempts: 0, dueAt: nowMs, tries: [] };
  await env.DB.prepare(`UPDATE events SET ${fresh.join()} WHERE company_id = ?2`)
    .bind(JSON.stringify(change), company.id)
    .run();
}

/** The one status of a company's transaction in D1. */
export async function transactionsOf(
  company: TestCompany,
): Promise<{ id: string; status: string; version: number; sweepAt: number | null }[]> {
  return read(
    `SELECT id, status, version, sweep_at AS sweepAt FROM transactions
     WHERE company_id = ? ORDER BY seq`,
    company,
  );
}

async function read<Row>(query: string, company: Company): Promise<Row[]> {
  const home = await homeOf(company.id);
  const { results } = await home.prepare(query).bind(company.id).all<Row>();
  return results;
}
