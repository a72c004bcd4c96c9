import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { subscriptionSubject } from "../../domain/shared/event-subject.ts";
import { eraseArchived, type ArchiveBudget } from "./erase-archived.ts";
import { erasedSubscriptions, subscriptionsOfPayer } from "./subscription-repository.ts";

/** Subscriptions of one call of the object. */
const BATCH = 50;
/** Subscriptions of a payer that one request erases. */
const ERASED_MAX = 500;
/** Erased subscriptions of one call after a restore: a company has a million subscriptions at most. */
const RESTORED_BATCH = 25_000;

/**
 * Erases a payer in his subscriptions: at once where they have ended, also at his bank, else as they do. Safe to repeat.
 * Answers how many have nothing of him now, and how many last or are left. Rejects with `ArchiveUnavailable`.
 */
export async function eraseSubscriptions(
  env: Env,
  companyId: number,
  leadKeys: string[],
  budget: ArchiveBudget,
  nowMs: number,
): Promise<{ erased: number; open: number }> {
  const found = await subscriptionsOfPayer(env, companyId, leadKeys, 0, ERASED_MAX + 1);
  let erased = 0;
  let open = Math.max(0, found.length - ERASED_MAX);
  for (let at = 0; at < Math.min(found.length, ERASED_MAX); at += BATCH) {
    const batch = found.slice(at, Math.min(at + BATCH, ERASED_MAX));
    // First: once the object has erased them, nobody finds them by their payer.
    const otherSubjects = batch.map(({ id }) => subscriptionSubject(id));
    await eraseArchived(env, companyId, { charges: [], otherSubjects }, budget, nowMs);
    const numbers = batch.map(({ number }) => number);
    const done = await callCompany(env, companyId, (account) =>
      account.erasePayersOfSubscriptions({ companyId, numbers }),
    );
    erased += done.erased;
    open += done.open;
  }
  return { erased, open };
}

/** Erases in a company's object, which may have been restored, the payers of subscriptions whom D1 has no more. Safe to repeat. */
export async function eraseRestored(env: Env, companyId: number): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const erased = await erasedSubscriptions(env, companyId, after, RESTORED_BATCH);
    const known = erased.map(({ id, isAsked }) => ({ id, isAsked }));
    if (known.length > 0)
      await callCompany(env, companyId, (account) =>
        account.eraseRestoredPayers({ companyId, subscriptions: known }),
      );
    after = erased.length < RESTORED_BATCH ? undefined : erased.at(-1)?.number;
  }
}
