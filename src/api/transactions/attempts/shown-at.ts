import type { OperationOrder } from "../../../domain/charges/operation.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { assert } from "../../../lib/assert.ts";
import type { Provider } from "../../../providers/provider.ts";
import { providerOfCharge } from "../../../providers/registry.ts";
import type { BookingContext } from "../../payments/follow-up.ts";
import { findTransaction } from "../repository.ts";

/** A transaction that is known to be in D1. */
export async function requireTransaction(
  { env, company }: BookingContext,
  transactionId: string,
): Promise<TransactionRow> {
  const row = await findTransaction(env, company.id, transactionId);
  assert(row !== null, `transaction ${transactionId} is in D1`);
  return row;
}

/**
 * The provider whose code a charge shows: that of the order's account, or another where the company's object began with
 * the charge before that one was asked. Null where it is not connected.
 */
export async function shownAt(
  { env, deps, company }: BookingContext,
  row: TransactionRow,
  begunAt: Provider,
  { account }: Pick<OperationOrder, "account">,
): Promise<Provider | null> {
  return account === row.account ? begunAt : providerOfCharge(deps.providers(env), company, row);
}
