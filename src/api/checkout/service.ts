import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { companyIdOfTransactionId, parseSecureId } from "../../domain/shared/ids.ts";
import type { Env } from "../../config.ts";
import { timingSafeEqual } from "../../lib/hash.ts";
import { findTransaction } from "../transactions/repository.ts";
import { findTransactionAndPayee, type Payee } from "./repository.ts";

/** The transaction of a payer's link, by its UUID or `secureId`; null if the `secureId`'s random half differs. */
export async function findForCheckout(env: Env, id: string): Promise<TransactionRow | null> {
  const secure = parseSecureId(id);
  const transactionId = (secure?.transactionId ?? id).toLowerCase();
  const companyId = companyIdOfTransactionId(transactionId);
  if (companyId === null) return null;
  const row = await findTransaction(env, companyId, transactionId);
  if (row === null || secure === null) return row;
  return timingSafeEqual(row.secureRandom, secure.secureRandom) ? row : null;
}

/**
 * The transaction of a payer's page with its company, in one storage trip; null for anything but its `secureId`:
 * the UUID, by which a page polls, does not open it.
 */
export async function findForPayer(
  env: Env,
  secureId: string,
): Promise<{ row: TransactionRow; payee: Payee } | null> {
  const secure = parseSecureId(secureId);
  const companyId = secure === null ? null : companyIdOfTransactionId(secure.transactionId);
  if (secure === null || companyId === null) return null;
  const found = await findTransactionAndPayee(env, companyId, secure.transactionId);
  if (found === null) return null;
  return timingSafeEqual(found.row.secureRandom, secure.secureRandom) ? found : null;
}
