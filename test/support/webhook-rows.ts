import { env, type TestCompany } from "./env.ts";

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
  number: number;
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
  for (const row of rows) row.body = JSON.parse(row.body);
  return rows;
}

export function deliveriesOf(company: TestCompany): Promise<DeliveryState[]> {
  return read(
    `SELECT company_sequence AS companySequence, target, url, status, attempts, due_at AS dueAt
     FROM deliveries WHERE company_id = ? ORDER BY company_sequence, target DESC`,
    company,
  );
}

export function attemptsOf(company: TestCompany): Promise<AttemptRow[]> {
  return read(
    `SELECT company_sequence AS companySequence, number, http_status AS httpStatus, fault, answer
     FROM attempts WHERE company_id = ? ORDER BY company_sequence, number`,
    company,
  );
}

/** The company's deliveries are due at `nowMs` to `url`, as if never attempted. */
export async function becomeDue(company: TestCompany, nowMs: number, url: string): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE deliveries SET url = ?, status = 'pending', attempts = 0, due_at = ?, lease_until = 0
       WHERE company_id = ?`,
    ).bind(url, nowMs, company.id),
    env.DB.prepare("DELETE FROM attempts WHERE company_id = ?").bind(company.id),
  ]);
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

async function read<Row>(query: string, company: TestCompany): Promise<Row[]> {
  const { results } = await env.DB.prepare(query).bind(company.id).all<Row>();
  return results;
}
