import { storedBoleto, transactionWith } from "../../probes/charges/stored-boleto.ts";
import { transactions } from "../../../../src/db/schema/transactions.ts";
import type { BoletoCharge } from "../../../../src/domain/charges/payment-details.ts";
import { assert } from "../../../../src/lib/assert.ts";
import { eq } from "drizzle-orm";

/** Changes a boleto in D1. */
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
