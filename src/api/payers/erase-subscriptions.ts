import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { isCallUnknown } from "../../db/storage-errors.ts";
import { subscriptionSubject } from "../../domain/shared/event-subject.ts";
import type { Subscription } from "../../domain/subscriptions/records.ts";
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
  const found = await unaskedFirst(env, companyId, leadKeys);
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

/** All of a payer's subscriptions. Those that wait for their end come last: any number of them holds up no other. */
async function unaskedFirst(
  env: Env,
  companyId: number,
  leadKeys: string[],
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = await subscriptionsOfPayer(env, companyId, leadKeys, after, ERASED_MAX);
    found.push(...page);
    after = page.length < ERASED_MAX ? undefined : page.at(-1)?.number;
  }
  return [...found.filter((each) => !isAsked(each)), ...found.filter(isAsked)];
}

function isAsked({ customer }: Subscription): boolean {
  return customer.erasesCharges === true;
}

/**
 * Erases in a company's object, which may have been restored, the payers of subscriptions whom D1 has no more. An object of the
 * release before does not know how: what it has not done is thrown after the rest is done. Safe to repeat.
 */
export async function eraseRestored(
  env: Env,
  companyId: number,
  batch = RESTORED_BATCH,
): Promise<void> {
  let undone: Error | null = null;
  for (let after: number | undefined = 0; after !== undefined;) {
    const erased = await erasedSubscriptions(env, companyId, after, batch);
    const known = erased.map(({ id, isAsked: asked }) => ({ id, isAsked: asked }));
    try {
      if (known.length > 0)
        await callCompany(env, companyId, (account) =>
          account.eraseRestoredPayers({ companyId, subscriptions: known }),
        );
    } catch (error) {
      if (!(error instanceof Error && isCallUnknown(error))) throw error;
      undone = error;
    }
    after = erased.length < batch ? undefined : erased.at(-1)?.number;
  }
  if (undone !== null) throw undone;
}
