import type { RequestContext, TransactionalConnection } from "@vendure/core";
import { LockNotSupportedOnGivenDriverError } from "typeorm";
import { CentavoCharge } from "./charge.entity.ts";

/** A transaction's charge, and nobody else's until the end of the database transaction; null for an unknown one. */
export async function lockedCharge(
  connection: TransactionalConnection,
  ctx: RequestContext,
  transactionId: string,
): Promise<CentavoCharge | null> {
  const charges = connection.getRepository(ctx, CentavoCharge);
  const where = { transactionId };
  try {
    return await charges.findOne({ where, lock: { mode: "pessimistic_write" } });
  } catch (error) {
    if (!(error instanceof LockNotSupportedOnGivenDriverError)) throw error;
    // SQLite has one writer at a time.
    return charges.findOne({ where });
  }
}
