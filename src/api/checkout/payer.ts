import { companyIdOfTransactionId, parseSecureId } from "../../domain/shared/ids.ts";
import type { Env } from "../../config.ts";
import { timingSafeEqual } from "../../lib/hash.ts";
import { findTransactionAndPayee, type PayersTransaction } from "./repository.ts";

/**
 * The transaction of a payer's page with its company, in one storage trip; null for anything but its `secureId`:
 * the UUID, by which a page polls, does not open it.
 */
export async function findForPayer(env: Env, secureId: string): Promise<PayersTransaction | null> {
  const secure = parseSecureId(secureId);
  const companyId = secure === null ? null : companyIdOfTransactionId(secure.transactionId);
  if (secure === null || companyId === null) return null;
  const found = await findTransactionAndPayee(env, companyId, secure.transactionId);
  if (found === null) return null;
  return timingSafeEqual(found.row.secureRandom, secure.secureRandom) ? found : null;
}
