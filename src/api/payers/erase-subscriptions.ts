import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { subscriptionSubject } from "../../domain/shared/event-subject.ts";
import { eraseArchived, type ArchiveBudget } from "./erase-archived.ts";
import { subscriptionsOfPayer } from "./subscription-repository.ts";

/** Subscriptions of one call of the object. */
const BATCH = 50;
/** Subscriptions of a payer that one request erases. */
const ERASED_MAX = 500;

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
