import { sql, type SQL } from "drizzle-orm";
import {
  CHARGE_STATUSES,
  toCreateStatus,
  toListStatus,
  isListStatus,
  type SearchStatus,
} from "../domain/charges/charge-status.ts";
import { METHODS } from "../methods/registry.ts";

/** Whether a row is shown with a status, in the words of lists or of creation answers: the SQL of `withExpiryApplied`. */
export function hasListStatus(status: SearchStatus, nowMs: number): SQL {
  const statuses = CHARGE_STATUSES.filter((each) =>
    isListStatus(status) ? toListStatus(each) === status : toCreateStatus(each) === status,
  );
  // Not an IN: SQLite counts what it finds in a list of three as a row read.
  const hasStatus = sql`(${sql.join(
    statuses.map((each) => sql`status = ${each}`),
    sql` OR `,
  )})`;
  const expiry = [
    sql`status IN ('creating', 'waiting_payment')`,
    ...METHODS.flatMap(({ name, expiresByClock }) =>
      expiresByClock ? [] : [sql`payment_method <> ${name}`],
    ),
    sql`coalesce(expires_at <= ${nowMs}, 0)`,
  ];
  const isExpired = sql`(${sql.join(expiry, sql` AND `)})`;
  if (status === "PENDING" || status === "WAITING_PAYMENT")
    return sql`(${hasStatus} AND NOT ${isExpired})`;
  return status === "CANCELLED" ? sql`(${hasStatus} OR ${isExpired})` : hasStatus;
}
