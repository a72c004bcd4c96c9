import { databaseFor } from "../../../../src/db/client.ts";
import { transactions } from "../../../../src/db/schema/transactions.ts";
import { companyIdOfTransactionId } from "../../../../src/domain/shared/ids.ts";
import type { BoletoCharge } from "../../../../src/domain/charges/payment-details.ts";
import { eq } from "drizzle-orm";
import { env } from "../../builders/companies/env.ts";

/** A boleto in D1. */
export async function storedBoleto(id: string): Promise<BoletoCharge | null> {
  const [row] = await transactionWith(id)
    .select({ boleto: transactions.boleto })
    .from(transactions)
    .where(eq(transactions.id, id));
  return row?.boleto ?? null;
}

export function transactionWith(id: string) {
  return databaseFor(env, companyIdOfTransactionId(id) ?? 0);
}
