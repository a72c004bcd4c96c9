import type {
  LedgerPosition,
  OpenItem,
  OpenItemKind,
  Undecided,
} from "../../domain/reconciliation/ledger-position.ts";
import type { Services } from "../compose.ts";

/** Open rows of one kind that are counted and summed. */
const OPEN_ROWS_MAX = 1_000;
/** Undecided payouts and operations that are shown one by one, the next to be asked about first. */
const UNDECIDED_SHOWN = 50;

/**
 * A company's balances, and the open items whose money may have left the bank already. Centavos.
 * Its cost does not depend on history.
 */
export function ledgerPositionOf({ stores }: Services, sql: SqlStorage): LedgerPosition {
  const open = (kind: OpenItemKind, amounts: string): OpenItem => {
    const { count, amount } = sql
      .exec<{ count: number; amount: number }>(
        `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM (${amounts} LIMIT ?)`,
        OPEN_ROWS_MAX + 1,
      )
      .one();
    return { kind, count: Math.min(count, OPEN_ROWS_MAX), amount, more: count > OPEN_ROWS_MAX };
  };
  const pending =
    "SELECT amount FROM operations INDEXED BY operations_pending WHERE status = 'PENDING'";
  const undecided = (columns: string, from: string): Undecided[] =>
    sql
      .exec<Pick<Undecided, keyof Undecided>>(
        `SELECT ${columns}, amount, created_at AS since, checks, next_check_at AS nextCheckAt
         FROM ${from} ORDER BY next_check_at LIMIT ?`,
        UNDECIDED_SHOWN,
      )
      .toArray();
  return {
    accounts: stores.ledger.balances(),
    frozen: stores.meta.get("frozen") === 1,
    held: stores.contradictions.heldTotal(),
    openItems: [
      open(
        "payouts_processing",
        "SELECT amount FROM withdraws INDEXED BY withdraws_processing WHERE status = 'Processing'",
      ),
      open("refunds_pending", `${pending} AND kind = 'refund'`),
      open("returns_pending", `${pending} AND kind = 'return'`),
      open(
        "disputes_open",
        "SELECT amount FROM disputes INDEXED BY disputes_open WHERE status = 'OPEN'",
      ),
    ],
    undecided: {
      payouts: undecided(
        "CAST(id AS TEXT) AS id, 'payout' AS kind",
        "withdraws INDEXED BY withdraws_processing WHERE status = 'Processing'",
      ),
      operations: undecided(
        "operation_id AS id, kind",
        // One that waits for an approval was never sent: its provider owes no answer.
        "operations INDEXED BY operations_pending WHERE status = 'PENDING' AND approval <> 'pending'",
      ),
    },
  };
}
