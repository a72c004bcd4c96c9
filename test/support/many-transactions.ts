import { packDetails } from "../../src/db/packed-details.ts";
import { firstTransactionIdAt } from "../../src/domain/ids.ts";
import { env, type TestCompany } from "./env.ts";

export const MANY = 20_000;
/** One in so many has this external reference, and one in so many this payer. */
export const RARE = 100;
export const RARE_REFERENCE = "rare";
export const RARE_DOCUMENT = "52998224725";

export interface ManyTransactions {
  firstAt: number;
  /** The id that the transaction of a number has. */
  idOf: (number: number) => string;
}

/**
 * Gives a company many transactions, written straight into D1: through the API it would take a minute
 * or more. They are waiting or settled, and a minute lies between each and the next, up to now.
 */
export async function givenManyTransactions(
  company: TestCompany,
  { many = MANY, settled = false } = {},
): Promise<ManyTransactions> {
  const firstAt = Date.now() - many * 60_000;
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO leads (company_id, match_key, number, uuid, created_at, first_seq)
       VALUES (?1, 'doc:' || ?2, 1, 'lead-rare', 0, ?3), (?1, 'id:often', 2, 'lead-often', 0, 1)`,
    ).bind(company.id, RARE_DOCUMENT, RARE),
    env.DB.prepare(
      `WITH RECURSIVE numbers (n, at) AS (
         SELECT 1, ?6 + 60000 UNION ALL SELECT n + 1, at + 60000 FROM numbers WHERE n < ?2)
       INSERT INTO transactions (company_id, seq, id, lead_number, lead_uuid, lead_count, is_repeat,
         external_ref, amount, currency, payment_method, installments, postback_url, traceable, details,
         provider, secure_random, created_at, expires_at, status, version, updated_at,
         paid_amount, refunded_amount, request_hash, lease_until, answered_at, answered_status)
       SELECT ?1, n, unhex(printf('%08x%04x80008000%06x%06x', at >> 16, at & 65535, n, ?1)),
         CASE WHEN n % ?3 = 0 THEN 1 ELSE 2 END,
         CASE WHEN n % ?3 = 0 THEN 'lead-rare' ELSE 'lead-often' END, 2, n <> 1 AND n <> ?3,
         CASE WHEN n % ?3 = 0 THEN ?4 ELSE 'r' || n END, 100, 0, 0, 1, '', 0,
         CASE WHEN n % ?3 = 0 THEN ?5 ELSE ?8 END, 0, zeroblob(16), at,
         at + 1000000000000, ?7, 0, at, 0, 0, x'00', 0, at, 1
       FROM numbers`,
    ).bind(
      company.id,
      many,
      RARE,
      RARE_REFERENCE,
      detailsOf(RARE_DOCUMENT),
      firstAt,
      settled ? "failed" : "waiting_payment",
      detailsOf(""),
    ),
  ]);
  const idOf = (number: number) => {
    const prefix = firstTransactionIdAt(firstAt + number * 60_000);
    return `${prefix}-8000-8000-${sixHexDigits(number)}${sixHexDigits(company.id)}`;
  };
  return { firstAt, idOf };
}

function detailsOf(documentNumber: string): Uint8Array {
  const payer = { externalId: null, name: "", email: "", phone: "", documentType: "", address: {} };
  return packDetails({ payer: { ...payer, documentNumber }, items: [], metadata: null });
}

function sixHexDigits(value: number): string {
  return value.toString(16).padStart(6, "0");
}
