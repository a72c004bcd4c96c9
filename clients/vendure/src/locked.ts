import type { RequestContext, TransactionalConnection, Type, VendureEntity } from "@vendure/core";
import { LockNotSupportedOnGivenDriverError, type FindManyOptions } from "typeorm";
import { CentavoCharge } from "./charge.entity.ts";

/** Rows that are nobody else's until the end of the database transaction. */
export async function locked<T extends VendureEntity>(
  connection: TransactionalConnection,
  ctx: RequestContext,
  entity: Type<T>,
  options: FindManyOptions<T>,
): Promise<T[]> {
  const rows = connection.getRepository(ctx, entity);
  try {
    return await rows.find({ ...options, lock: { mode: "pessimistic_write" } });
  } catch (error) {
    if (!(error instanceof LockNotSupportedOnGivenDriverError)) throw error;
    // SQLite has one writer at a time.
    return rows.find(options);
  }
}

/** A transaction's charge, locked; null for an unknown one. */
export async function lockedCharge(
  connection: TransactionalConnection,
  ctx: RequestContext,
  transactionId: string,
): Promise<CentavoCharge | null> {
  const [charge] = await locked(connection, ctx, CentavoCharge, { where: { transactionId } });
  return charge ?? null;
}
