import { createHash } from "node:crypto";
import { DatabaseError, type Pool } from "pg";

interface Withdraw {
  id: number;
  /** In centavos. */
  amount: number;
  status: string;
  createdAt: Date;
}

export type WithdrawAnswer =
  | { kind: "accepted" | "replayed"; withdraw: Withdraw }
  | { kind: "key_reused" | "insufficient" };

interface Row {
  id: string;
  amount: string;
  status: string;
  created_at: Date;
}

/**
 * Writes both balances, the withdraw with its key, and both entries. One statement is one transaction, so
 * the company's row stays locked for no round trip to the client. A known key violates its constraint.
 */
const WITHDRAW = `
  WITH debited AS (
    UPDATE accounts SET balance = balance - $4
    WHERE company_id = $1 AND account = 'available' AND balance >= $4 RETURNING balance
  ), credited AS (
    UPDATE accounts SET balance = balance + $4
    WHERE company_id = $1 AND account = 'payout' AND EXISTS (SELECT FROM debited) RETURNING balance
  ), withdraw AS (
    INSERT INTO withdraws (company_id, idempotency_key, request_hash, amount, status)
    SELECT $1, $2, $3, $4::bigint, 'Awaiting' FROM debited RETURNING id, amount, status, created_at
  ), posted AS (
    INSERT INTO entries (withdraw_id, company_id, account, amount, balance)
    SELECT withdraw.id, $1, 'available', -$4, debited.balance FROM withdraw, debited
    UNION ALL SELECT withdraw.id, $1, 'payout', $4, credited.balance FROM withdraw, credited
  )
  SELECT id, amount, status, created_at FROM withdraw`;

const BY_KEY = `
  SELECT id, amount, status, created_at, request_hash = $3 AS is_same
  FROM withdraws WHERE company_id = $1 AND idempotency_key = $2`;

const UNIQUE_VIOLATION = "23505";

/** Debits `amount` centavos from a company's balance, once per key. */
export async function requestWithdraw(
  pool: Pool,
  companyId: number,
  key: string,
  amount: number,
): Promise<WithdrawAnswer> {
  const requestHash = createHash("sha256").update(JSON.stringify({ amount })).digest();
  try {
    const values = [companyId, key, requestHash, amount];
    const { rows } = await pool.query<Row>({ name: "withdraw", text: WITHDRAW, values });
    const [created] = rows;
    if (created !== undefined) return { kind: "accepted", withdraw: toWithdraw(created) };
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
  }
  const values = [companyId, key, requestHash];
  const { rows } = await pool.query<Row & { is_same: boolean }>({
    name: "by-key",
    text: BY_KEY,
    values,
  });
  const [known] = rows;
  if (known === undefined) return { kind: "insufficient" };
  return known.is_same ? { kind: "replayed", withdraw: toWithdraw(known) } : { kind: "key_reused" };
}

function toWithdraw({ id, amount, status, created_at: createdAt }: Row): Withdraw {
  return { id: Number(id), amount: Number(amount), status, createdAt };
}
