import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { companyIdOfTransactionId, parseSecureId } from "../../domain/shared/ids.ts";
import type { Env } from "../../config.ts";
import { timingSafeEqual } from "../../lib/hash.ts";
import type { PolledTransaction } from "../../methods/transaction-view.ts";
import { findTransaction } from "../transactions/repository.ts";
import { findStatus } from "./repository.ts";

/** The transaction of a payer's link, by its UUID or `secureId`; null if the `secureId`'s random half differs. */
export function findForCheckout(env: Env, id: string): Promise<TransactionRow | null> {
  return findByLink(id, (companyId, transactionId) =>
    findTransaction(env, companyId, transactionId),
  );
}

/** As `findForCheckout`, what a payer who polls it may know. */
export function findStatusForCheckout(env: Env, id: string): Promise<PolledTransaction | null> {
  return findByLink(id, (companyId, transactionId) => findStatus(env, companyId, transactionId));
}

async function findByLink<Found extends { secureRandom: string }>(
  id: string,
  find: (companyId: number, transactionId: string) => Promise<Found | null>,
): Promise<Found | null> {
  const secure = parseSecureId(id);
  const transactionId = (secure?.transactionId ?? id).toLowerCase();
  const companyId = companyIdOfTransactionId(transactionId);
  if (companyId === null) return null;
  const found = await find(companyId, transactionId);
  if (found === null || secure === null) return found;
  return timingSafeEqual(found.secureRandom, secure.secureRandom) ? found : null;
}
