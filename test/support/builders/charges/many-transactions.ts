import { findPayerKeyOfDocument } from "../../../../src/api/transactions/payer-key.ts";
import { env, type TestCompany } from "../companies/env.ts";

export const MANY_COUNT = 20_000;
/** Every hundredth transaction has this external reference and this payer. */
export const RARE_EVERY = 100;
export const RARE_REFERENCE = "rare";
export const RARE_DOCUMENT = "52998224725";

export interface ManyTransactions {
  firstAt: number;
  /** The transaction id for a number. */
  idOf: (number: number) => string;
}

/**
 * Writes many transactions straight into D1: through the API they would take a minute or more.
 * They are waiting or settled and one minute apart, up to now.
 */
export async function givenManyTransactions(
  company: TestCompany,
  { many = MANY_COUNT, settled = false } = {},
): Promise<ManyTransactions> {
  const firstAt = Date.now() - many * 60_000;
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE numbers (n, at) AS (
         SELECT 1, ?6 + 60000 UNION ALL SELECT n + 1, at + 60000 FROM numbers WHERE n < ?2)
       INSERT INTO transactions (company_id, seq, id, lead_number, lead_count, lead_key,
         external_ref, amount, currency, payment_method, installments, postback_url, traceable,
         payer, items, provider, secure_random, created_at, expires_at, status, version, updated_at,
         paid_amount, refunded_amount, request_hash, lease_until, answered_at, answered_status)
       SELECT ?1, n, printf('%08x-%04x-8000-8000-%06x%06x', at >> 16, at & 65535, n, ?1),
         CASE WHEN n % ?3 = 0 THEN 1 ELSE 2 END, 2,
         CASE WHEN n % ?3 = 0 THEN ?9 ELSE 'id:often' END,
         CASE WHEN n % ?3 = 0 THEN ?4 ELSE 'r' || n END, 100, 'BRL', 'PIX', 1, '', 0,
         CASE WHEN n % ?3 = 0 THEN ?5 ELSE ?8 END, '[]', 'Sandbox', 'AAAAAAAAAAAAAAAAAAAAAA', at,
         at + 1000000000000, ?7, 0, at, 0, 0, '', 0, at, 'waiting_payment'
       FROM numbers`,
    ).bind(
      company.id,
      many,
      RARE_EVERY,
      RARE_REFERENCE,
      payerOf(RARE_DOCUMENT),
      firstAt,
      settled ? "failed" : "waiting_payment",
      payerOf(""),
      await leadKeyOf(company),
    ),
  ]);
  const idOf = (number: number) => {
    const time = (firstAt + number * 60_000).toString(16).padStart(12, "0");
    const prefix = `${time.slice(0, 8)}-${time.slice(8)}`;
    return `${prefix}-8000-8000-${sixHexDigits(number)}${sixHexDigits(company.id)}`;
  };
  return { firstAt, idOf };
}

async function leadKeyOf({ id, providerCompanyId }: TestCompany): Promise<string | null> {
  const leadKeySealed = await env.DB.prepare("SELECT lead_key_sealed FROM companies WHERE id = ?")
    .bind(id)
    .first<string>("lead_key_sealed");
  return findPayerKeyOfDocument(env, { id, providerCompanyId, leadKeySealed }, RARE_DOCUMENT);
}

function payerOf(documentNumber: string): string {
  const payer = { externalId: null, name: "", email: "", phone: "", documentType: "", address: {} };
  return JSON.stringify({ ...payer, documentNumber });
}

function sixHexDigits(value: number): string {
  return value.toString(16).padStart(6, "0");
}
