import { databaseFor } from "../../../src/db/client.ts";
import { transactions } from "../../../src/db/schema/transactions.ts";
import { companyIdOfTransactionId } from "../../../src/domain/shared/ids.ts";
import type { BoletoCharge } from "../../../src/domain/charges/payment-details.ts";
import { assert } from "../../../src/lib/assert.ts";
import { eq } from "drizzle-orm";
import { env } from "../fakes/env.ts";

/** A boleto as D1 has it. */
export async function storedBoleto(id: string): Promise<BoletoCharge | null> {
  const [row] = await transactionWith(id)
    .select({ boleto: transactions.boleto })
    .from(transactions)
    .where(eq(transactions.id, id));
  return row?.boleto ?? null;
}

/** Changes what D1 has of a boleto. */
export async function changeStoredBoleto(
  id: string,
  change: (boleto: BoletoCharge) => BoletoCharge,
): Promise<void> {
  const boleto = await storedBoleto(id);
  assert(boleto !== null, "the transaction is a boleto");
  await transactionWith(id)
    .update(transactions)
    .set({ boleto: change(boleto) })
    .where(eq(transactions.id, id));
}

function transactionWith(id: string) {
  return databaseFor(env, companyIdOfTransactionId(id) ?? 0);
}
