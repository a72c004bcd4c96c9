import type { Env } from "../../config.ts";
import {
  matchLines,
  type ComparedTransaction,
  type LineResult,
} from "../../domain/reconcile/merchant-lines.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { findCompared } from "./repository.ts";
import type { ReconcileRequest } from "./schemas.ts";

export interface ReconcileAnswer {
  items: LineResult[];
  /** Transactions of the period that no line matched, oldest first. */
  onlyHere: ComparedTransaction[];
  /** The `seq` after which the next page of `onlyHere` begins; null at the end. */
  after: number | null;
}

/** Compares a merchant's lines with its transactions, as they are shown at `nowMs`. */
export async function reconcileLines(
  env: Env,
  companyId: number,
  { items: lines, from, to, after, limit }: ReconcileRequest,
  nowMs: number,
): Promise<ReconcileAnswer> {
  const hasPeriod = from !== undefined || to !== undefined;
  const { found, inPeriod } = await findCompared(env, companyId, {
    ids: lines.flatMap(({ id }) => id?.toLowerCase() ?? []),
    endToEndIds: lines.flatMap(({ id, endToEndId }) =>
      id === undefined ? (endToEndId ?? []) : [],
    ),
    externalRefs: lines.flatMap(({ id, endToEndId, externalRef }) =>
      id === undefined && endToEndId === undefined ? (externalRef ?? []) : [],
    ),
    // Each line matches at most one row, so that these rows hold a full page and one more.
    period: hasPeriod
      ? { from: from ?? null, to: to ?? null, after, limit: lines.length + limit + 1 }
      : null,
  });
  const items = matchLines(
    lines,
    found.map((each) => withExpiryApplied(each, nowMs)),
  );
  const matched = new Set(items.map(({ id }) => id));
  const unmatched = inPeriod.filter(({ id }) => !matched.has(id));
  const page = unmatched.slice(0, limit);
  return {
    items,
    onlyHere: page.map((each) => withExpiryApplied(each, nowMs)),
    after: unmatched.length > limit ? (page.at(-1)?.seq ?? null) : null,
  };
}
