import { findKnownRecords, saveRecordDigests } from "../../../db/reconciliation/reconciliation.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import type { AccountBudget } from "../../bank-reconciliation/call-budget.ts";
import type { MandateAccount, ReadBack } from "../read-back.ts";

/** What was told once is told again after this: an object that was restored has lost it. */
const TOLD_AGAIN_MS = 7 * 24 * 3_600_000;

/** An account whose lists are read, and the calls that are left for it. */
export interface ListedAccount extends MandateAccount {
  budget: AccountBudget;
}

/** What a list tells that is not known here. */
export interface News {
  /** Calls that it takes. */
  calls: number;
  take: () => Promise<ReadBack>;
  /** Under which name it was told, and what it said; null for what is no news any more once it is taken. */
  told: { record: string; what: unknown } | null;
}

/**
 * Takes news, each once: what stays news is not told again while it says the same. Returns whether the budget was enough for
 * all of them; what it was not enough for is news again.
 */
export async function takeNews(
  { env, company, provider, deps, budget }: ListedAccount,
  news: News[],
): Promise<boolean> {
  if (news.length === 0) return true;
  if (!budget.spendLookup()) return false;
  const owner = { company, account: provider.account };
  const nowMs = deps.clock.now();
  const named = await Promise.all(
    news.map(async ({ told, ...rest }) => {
      if (told === null) return { ...rest, known: null };
      const { record, what } = told;
      return { ...rest, known: { record, digest: await sha256Hex(canonicalJson(what)) } };
    }),
  );
  const records = named.flatMap(({ known }) => known?.record ?? []);
  const page = { transactionIds: [], withdrawIds: [], records };
  const { recorded } = await findKnownRecords(env, owner, page);
  const told: { record: string; digest: string }[] = [];
  let isAll = true;
  for (const { calls, take, known } of named) {
    const before = known === null ? undefined : recorded.get(known.record);
    const isFresh = before !== undefined && before.recordedAt + TOLD_AGAIN_MS > nowMs;
    if (isFresh && before.digest === known?.digest) continue;
    isAll = budget.spendCalls(calls);
    if (!isAll) break;
    const taken = await take();
    if (known !== null && taken === "booked") told.push(known);
  }
  await saveRecordDigests(env, owner, told, nowMs);
  return isAll;
}
