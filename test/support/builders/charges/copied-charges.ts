import { env, type TestCompany } from "../companies/env.ts";

/** What the object does not know of. */
const NEVER_PAID = {
  status: "failed",
  version: 0,
  paid_at: null,
  paid_amount: 0,
  booked_day: null,
  end_to_end_id: null,
  paid_by: null,
  payer_match: null,
  idempotency_key: null,
};

/** Copies a company's first charge in D1, as one that failed, with other columns. Returns the copy's id. */
export async function copyCharge(
  { id: companyId }: TestCompany,
  seq: number,
  columns: Record<string, string | number | null>,
): Promise<string> {
  const row = await env.DB.prepare("SELECT * FROM transactions WHERE company_id = ? AND seq = 1")
    .bind(companyId)
    .first<Record<string, string | number | null>>();
  if (row === null) throw new Error("the company has a first charge");
  // The last digits are its company's.
  const id = String(seq).padStart(8, "0") + String(row["id"]).slice(8);
  const copy = { ...row, ...NEVER_PAID, seq, id, ...columns };
  const names = Object.keys(copy);
  await env.DB.prepare(
    `INSERT INTO transactions (${names.join()}) VALUES (${names.map(() => "?").join()})`,
  )
    .bind(...Object.values(copy))
    .run();
  return id;
}
