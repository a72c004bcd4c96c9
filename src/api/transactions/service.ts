import { visibleTransaction } from "../../domain/access/payer-masks.ts";
import type { ListedTransaction } from "../../domain/charges/transaction.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Problem } from "../../domain/shared/problem.ts";
import { companyIdOfTransactionId } from "../../domain/shared/ids.ts";
import type { Env } from "../../config.ts";
import { requireOwnCompany } from "../../http/auth/auth.ts";
import { archiveUnreadable, notFound } from "../../http/problems.ts";
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
  const companyId = requireTransactionId(company, transactionId);
  const row = await findTransaction(env, companyId, transactionId.toLowerCase());
  if (row === null) throw unknownTransaction();
  return row;
}

/**
 * As `requireTransaction`, for what needs all of its texts, as an event that is signed and kept. Throws 503 with
 * `Retry-After` where the archive has them and cannot be read.
 */
export async function requireWholeTransaction(
  env: Env,
  company: Company,
  transactionId: string,
): Promise<TransactionRow> {
  const row = await requireTransaction(env, company, transactionId);
  requireTexts(row);
  return row;
}

/** Throws 503 with `Retry-After` where the archive has a row's texts and cannot be read. */
export function requireTexts({ textsMissing }: Pick<TransactionRow, "textsMissing">): void {
  if (textsMissing === "unreachable") throw archiveUnreadable();
}

/** The company in a transaction's id, which is the caller's own. Throws 404 and 403, as `requireTransaction`. */
export function requireTransactionId(company: Company, transactionId: string): number {
  const companyId = companyIdOfTransactionId(transactionId);
  if (companyId === null) throw unknownTransaction();
  requireOwnCompany(company, companyId);
  return companyId;
}

/** A transaction as it is now and as its caller may see it. */
export function currentRecord<Shown extends ListedTransaction & { ip?: string | null }>(
  c: AppContext,
  record: Shown,
): Shown {
  const current = withExpiryApplied(record, companyDeps(c).clock.now());
  return visibleTransaction(c.get("caller").scopes, current);
}

/** The same for an id of another form as for an unknown one. */
function unknownTransaction(): Problem {
  return notFound(
    "transaction",
    "Its id is the UUID that the create answered as data.id; by your own reference: GET /api/v1/transactions?externalRef=.",
  );
}
