import type { Attempt } from "../../../../src/db/schema/webhooks.ts";
import { env, type TestCompany } from "../companies/env.ts";

/** Ends every delivery that is due before a time with this status, of all companies. */
export async function finishDueBefore(dueAt: number, status: string): Promise<void> {
  await env.DB.prepare(
    "UPDATE deliveries SET status = ?2, next_attempt_at = NULL WHERE next_attempt_at <= ?1",
  )
    .bind(dueAt, status)
    .run();
}

/** An exhausted delivery of an event, with attempts at these times. */
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

/** Makes the company's deliveries due at `nowMs` to `url`, without attempts. */
export async function makeDue(company: TestCompany, nowMs: number, url: string): Promise<void> {
  await env.DB.prepare(
    `UPDATE deliveries SET url = ?1, status = 'pending', attempts = 0, next_attempt_at = ?2,
       attempts_log = '[]'
     WHERE company_id = ?3`,
  )
    .bind(url, nowMs, company.id)
    .run();
}
