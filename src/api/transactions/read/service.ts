import type { Env } from "../../../config.ts";
import { seesPersonalData } from "../../../domain/access/payer-masks.ts";
import { parseDocument } from "../../../domain/shared/document.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Caller } from "../../../http/context.ts";
import { PAGE_SIZE_DEFAULT } from "../../../http/fields/fields.ts";
import { forbidden } from "../../../http/problems.ts";
import { findPayerKeyOfDocument } from "../payer-key.ts";
import {
  isByPayment,
  searchTransactions,
  type SearchFilters,
  type SearchResult,
} from "./repository.ts";
import type { SearchCursor, SearchRequest } from "./schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** A search that its caller may make; `limit` undefined where none was sent. */
export type AllowedSearch = Omit<SearchFilters, "limit"> & { limit: number | undefined };

/**
 * The filters of a search, with the keyed hash of its `document`. Throws 403 for the filter `document`
 * without `pii:read`: who sees half of a document could find the rest by asking for each that fits. Throws
 * 400 for the `after` of a search in another order.
 */
export async function allowedSearch(
  env: Env,
  { company, scopes }: Caller,
  { document, after: sent, limit, ...filters }: SearchRequest,
): Promise<AllowedSearch> {
  if (document !== undefined && !seesPersonalData(scopes)) {
    throw forbidden("The filter document needs the scope pii:read.", "personal_data");
  }
  const number = document === undefined ? undefined : parseDocument(document)?.number;
  const leadKey =
    number === undefined ? {} : { leadKey: await findPayerKeyOfDocument(env, company, number) };
  const search = { ...filters, ...leadKey };
  const after: SearchCursor | null = sent ?? null;
  if (after !== null && (after.paidAt !== null) !== isByPayment(search)) throw foreignCursor();
  return { ...search, after, limit };
}

/** A page of a search; by default of 50. */
export function searchPage(
  env: Env,
  { company }: Caller,
  { limit = PAGE_SIZE_DEFAULT, ...search }: AllowedSearch,
  nowMs: number,
): Promise<SearchResult> {
  return searchTransactions(env, company.id, { ...search, limit }, nowMs);
}

/** A cursor as its client gets it. */
export function cursorText({ seq, paidAt }: SearchCursor): string {
  return paidAt === null ? String(seq) : `${paidAt}.${seq}`;
}

function foreignCursor(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: after.",
    errors: { after: [breaks("sameSearchPage")] },
  });
}
