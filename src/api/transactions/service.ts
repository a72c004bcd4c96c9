import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { Company } from "../../domain/shared/company.ts";
import { seesPersonalData } from "../../domain/access/payer-masks.ts";
import { parseDocument } from "../../domain/shared/document.ts";
import { companyIdOfTransactionId } from "../../domain/shared/ids.ts";
import type { Env } from "../../config.ts";
import { requireOwnCompany } from "../../http/auth/auth.ts";
import type { Caller } from "../../http/context.ts";
import { forbidden, notFound } from "../../http/problems.ts";
import { findLeadKeyOfDocument } from "./lead-key.ts";
import { findTransaction } from "./repository.ts";
import type { SearchRequest } from "./schemas.ts";
import { searchTransactions, type SearchResult } from "./search-repository.ts";

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

/**
 * A page of a search. Throws 403 for the filter `document` without `pii:read`: who sees half of a document
 * could find the rest by asking for each that fits.
 */
export async function searchForCaller(
  env: Env,
  { company, scopes }: Caller,
  { document, ...query }: SearchRequest,
  nowMs: number,
): Promise<SearchResult> {
  if (document === undefined) return searchTransactions(env, company.id, query, nowMs);
  if (!seesPersonalData(scopes)) {
    throw forbidden("The filter document needs the scope pii:read.");
  }
  const number = parseDocument(document)?.number;
  const leadKey = number === undefined ? null : await findLeadKeyOfDocument(env, company, number);
  return searchTransactions(env, company.id, { ...query, leadKey }, nowMs);
}
