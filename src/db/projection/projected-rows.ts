import { and, not, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import type { ChangedBoleto } from "../../domain/charges/payment-details.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import type { UnexpectedPayment } from "../../domain/charges/unexpected-payment.ts";
import type { Contradiction } from "../../domain/reconciliation/contradiction.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Database } from "../client.ts";
import { transactions } from "../schema/transactions.ts";

/** The caller that booked the payment makes its transaction at once; the cron does if the caller died. */
const CREDIT_AFTER_MS = 60_000;

/** The projected columns of a charge. A charge that is no longer open leaves the sweep. */
export function chargeProjection(state: ChargeState) {
  return isOpenCharge(state.status) ? state : { ...state, nextSweepAt: null };
}

/**
 * Gives a charge the boleto that a version of it changed. Other charges' boletos are as they were created, so a mend of
 * the charge's status may be ahead of it: it has a version of its own.
 */
export function changeBoleto(
  db: Database,
  changed: ChangedBoleto,
  version: number,
  isCharge: SQL | undefined,
): BatchItem<"sqlite"> {
  const { expiresAt } = changed;
  const nextSweepAt = sql`iif(next_sweep_at IS NULL, NULL, ${expiresAt})`;
  const isOlder = sql`coalesce(boleto ->> '$.version', 0) > ${version}`;
  return db
    .update(transactions)
    .set({ boleto: boletoWith(changed, version), expiresAt, nextSweepAt })
    .where(and(isCharge, sql`boleto IS NOT NULL`, not(isOlder)));
}

/** The version of a mended charge, `version`, that gave it the boleto that its object has; 0 where none did. */
export function boletoVersion(changed: ChangedBoleto | null, version: number): number {
  return changed === null ? 0 : (changed.version ?? version);
}

/**
 * The columns of a mended charge's boleto. A later one than its object has was lost by a restore, and the house has it: it
 * stays, as if the charge's next version gave it, for D1 would skip the next change.
 */
export function mendedBoleto(changed: ChangedBoleto | null, version: number) {
  const since = boletoVersion(changed, version);
  const isLost = sql`boleto ->> '$.version' > ${since}`;
  const kept = sql`json_set(boleto, '$.version', min(boleto ->> '$.version', ${version + 1}))`;
  if (changed === null) return { boleto: sql`iif(${isLost}, ${kept}, boleto)` };
  return {
    boleto: sql`iif(${isLost}, ${kept}, ${boletoWith(changed, since)})`,
    expiresAt: sql`iif(${isLost}, expires_at, ${changed.expiresAt})`,
  };
}

function boletoWith({ dueDate, registered }: ChangedBoleto, version: number): SQL {
  return sql`json_set(boleto, '$.dueDate', ${dueDate},
    '$.registered', json(${JSON.stringify(registered)}), '$.version', CAST(${version} AS INTEGER))`;
}

/** The projected columns of a withdraw: nothing that the merchant wrote, and no approval. */
export function withdrawProjection(withdraw: WithdrawRecord) {
  const {
    idempotencyKey: _key,
    description: _text,
    metadata: _metadata,
    account: _account,
    paidAt: _paidAt,
    approval: _approval,
    requestedBy: _requestedBy,
    decidedBy: _decidedBy,
    decisionReason: _decisionReason,
    ...row
  } = withdraw;
  return row;
}

/** When the cron carries a payment's credit out; null where it has nothing to do. */
export function nextRunOf(
  { status }: Pick<UnexpectedPayment, "status">,
  updatedAt: number,
): number | null {
  return status === "crediting" ? updatedAt + CREDIT_AFTER_MS : null;
}

/** The projected columns of a contradiction. */
export function contradictionRow({ finding: _finding, ...row }: Contradiction) {
  return row;
}
