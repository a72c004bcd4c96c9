import { env, type TestCompany } from "./env.ts";

export const MANY = 20_000;
/** One in so many has this external reference, and one in so many this payer. */
export const RARE = 100;
export const RARE_REFERENCE = "rare";
export const RARE_DOCUMENT = "52998224725";

/**
 * A company with many waiting transactions, written straight into D1: through the API it would
 * take a minute. A minute lies between each and the next.
 */
export async function givenManyTransactions(company: TestCompany): Promise<{ firstAt: number }> {
  const firstAt = Date.now() - MANY * 60_000;
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO leads (company_id, match_key, number, uuid, created_at)
       VALUES (?1, 'doc:' || ?2, 1, 'lead-rare', 0), (?1, 'id:often', 2, 'lead-often', 0)`,
    ).bind(company.id, RARE_DOCUMENT),
    env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
       INSERT INTO transactions (company_id, seq, id, lead_number, lead_uuid, external_ref, amount,
         currency, payment_method, installments, postback_url, traceable, payer, items, provider,
         secure_random, created_at, expires_at, status, version, updated_at, paid_amount,
         refunded_amount, request_hash, lease_until, answered_at, answered_status)
       SELECT ?1, n, printf('00000000-0000-8000-8000-%06x%06x', n, ?1),
         CASE WHEN n % ?3 = 0 THEN 1 ELSE 2 END,
         CASE WHEN n % ?3 = 0 THEN 'lead-rare' ELSE 'lead-often' END,
         CASE WHEN n % ?3 = 0 THEN ?4 ELSE 'r' || n END, 100, 'BRL', 'PIX', 1, '', 0,
         json_object('externalId', NULL, 'name', '', 'email', '', 'phone', '', 'documentNumber',
           CASE WHEN n % ?3 = 0 THEN ?5 ELSE '' END, 'documentType', '', 'address', json('{}')),
         '[]', 'Sandbox', 'AAAAAAAAAAAAAAAAAAAAAA', ?6 + n * 60000, ?6 + n * 60000 + 1000000000000,
         'waiting_payment', 0, ?6 + n * 60000, 0, 0, 'x', 0, ?6 + n * 60000, 'waiting_payment'
       FROM numbers`,
    ).bind(company.id, MANY, RARE, RARE_REFERENCE, RARE_DOCUMENT, firstAt),
  ]);
  return { firstAt };
}

/** The id that the transaction of a number has. */
export function idOfNumber(company: TestCompany, number: number): string {
  return `00000000-0000-8000-8000-${sixHexDigits(number)}${sixHexDigits(company.id)}`;
}

function sixHexDigits(value: number): string {
  return value.toString(16).padStart(6, "0");
}
