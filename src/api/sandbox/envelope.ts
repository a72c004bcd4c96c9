import { visibleTransaction } from "../../domain/access/payer-masks.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { issuerOf } from "../../config.ts";
import type { AppContext } from "../../http/context.ts";
import { creationView } from "../../methods/transaction-view.ts";

/** The transaction after a simulated event, as the caller may see it. */
export function transactionEnvelope(c: AppContext, record: TransactionRecord, message: string) {
  const { company, scopes } = c.get("caller");
  const data = creationView(visibleTransaction(scopes, record), issuerOf(c.env, company));
  return { data, status: 200, message };
}
