import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { Company } from "../../domain/shared/company.ts";
import { companyIdOfTransactionId } from "../../domain/shared/ids.ts";
import type { Env } from "../../config.ts";
import { requireOwnCompany } from "../../http/auth/auth.ts";
import { notFound } from "../../http/problems.ts";
import { findTransaction } from "./repository.ts";

/**
 * A company's own transaction by the id in a path. Throws 404 where it is unknown or not of the
 * layout of our ids, and 403 where the id says that it is another company's, whether or not there
 * is such a one.
 */
export async function requireTransaction(
  env: Env,
  company: Company,
  transactionId: string,
): Promise<TransactionRow> {
  const companyId = companyIdOfTransactionId(transactionId);
  if (companyId === null) throw notFound("transaction");
  requireOwnCompany(company, companyId);
  const row = await findTransaction(env, companyId, transactionId.toLowerCase());
  if (row === null) throw notFound("transaction");
  return row;
}
