import { callCompany } from "../../company-client/stub.ts";
import {
  dueCallbacks,
  postponeCallback,
  deferCallbacks,
  removeCallback,
  type StoredCallback,
} from "../../db/reconciliation/callbacks.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import { errorFields, log } from "../../lib/log.ts";
import { unconfirmedCallback } from "../reconciliation/findings.ts";
import { refresh, type RefreshOutcome } from "./service.ts";

/** No new callback is read back once the next minute's cron is near. */
const SWEEP_TIME_MS = 40_000;
/** Callbacks read back a minute, those of a company one after the other. */
const CALLBACKS_MAX = 100;
/** Of these of one company: more of them wait, so that its backlog leaves the others their share. */
const CALLBACKS_PER_COMPANY = 25;
/** Due ones looked at, to find these: what is beyond a company's share goes behind the others. */
const CALLBACKS_SCANNED = 500;
/** The first wait of what was not seen at its PSP, which doubles: 1 min, 2, 4 ... */
const WAIT_MIN_MS = 60_000;
/** ... up to four days, where the PSP answers and does not say it. */
const WAIT_MAX_MS = 4 * 24 * 3_600_000;
/** The same where the PSP does not answer: its silence says nothing of what it told. */
const NO_RESPONSE_WAIT_MAX_MS = 4 * 3_600_000;
/** The same of what only names its object: twelve of its waits are a day. */
const SUBJECT_ONLY_WAIT_MAX_MS = 4 * 3_600_000;
/** How long a callback is evidence: the bank of a payer may ask back 80 days later (BACEN, MED). */
export const EVIDENCE_MS = 90 * 24 * 3_600_000;
/**
 * How long a PSP's answer may say the opposite of its callback before that counts as its last word: it may
 * lag behind, and say what was so before.
 */
const CONTRADICTED_MS = 24 * 3_600_000;
/** What only names its object (the sandbox's bank, before it did anything) is asked about for a day. */
const SUBJECT_ONLY_ATTEMPTS_MAX = 12;

/**
 * What providers said has happened and nobody has seen yet. Companies side by side: one slow PSP keeps
 * nobody waiting, this minute or the next.
 */
export async function sweepCallbacks(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  const due = await dueCallbacks(env, startedAt, CALLBACKS_SCANNED);
  const { shared, beyond: overShare } = splitByShare(due);
  // Where there may be more due than were read, these must not hide them the next time either.
  if (due.length === CALLBACKS_SCANNED) await tryDefer(env, overShare, startedAt);
  const byCompany = Map.groupBy(shared, ({ company }) => company.id);
  await Promise.all(
    [...byCompany.values()].map(async (callbacks) => {
      for (const [index, { callback, company }] of callbacks.entries()) {
        const now = deps.clock.now();
        if (now - startedAt > SWEEP_TIME_MS) return tryDefer(env, callbacks.slice(index), now);
        await sweepCallback(env, deps, callback, company);
      }
    }),
  );
}

type Due = Awaited<ReturnType<typeof dueCallbacks>>[number];

/** Up to its share of each company, the longest due first, and those that are left over. */
function splitByShare(due: Due[]): { shared: Due[]; beyond: Due[] } {
  const countOf = new Map<number, number>();
  const shared: Due[] = [];
  const overShare: Due[] = [];
  for (const each of due) {
    const count = countOf.get(each.company.id) ?? 0;
    const isShared = count < CALLBACKS_PER_COMPANY && shared.length < CALLBACKS_MAX;
    if (isShared) countOf.set(each.company.id, count + 1);
    (isShared ? shared : overShare).push(each);
  }
  return { shared, beyond: overShare };
}

async function tryDefer(env: Env, deferred: Due[], dueAt: number): Promise<void> {
  const callbacks = deferred.map(({ callback }) => callback);
  await deferCallbacks(env, callbacks, dueAt).catch((error: unknown) =>
    log("warn", "callback_defer_failed", errorFields(error)),
  );
}

async function sweepCallback(
  env: Env,
  deps: Dependencies,
  callback: StoredCallback,
  company: Company,
): Promise<void> {
  const now = deps.clock.now();
  const toldAt = callback.toldAt ?? now;
  const outcome = await tryRefresh(env, deps, callback, company);
  const isUnreadable = callback.told?.kind === "unreadable";
  try {
    const isOld = toldAt + EVIDENCE_MS <= now;
    const isSubjectOnly = callback.told === null && callback.attempts >= SUBJECT_ONLY_ATTEMPTS_MAX;
    if (outcome === "booked" || (outcome === "nothing" && isSubjectOnly)) {
      return await removeCallback(env, callback);
    }
    const isContradicted = outcome === "contradicted" && toldAt + CONTRADICTED_MS <= now;
    if (isUnreadable || isOld || isContradicted)
      await reportToOperators(env, company, callback, outcome);
    if (isOld || isContradicted) return await removeCallback(env, callback);
    // One that cannot be read stays, so that the same words again are no new ones.
    const dueAt = isUnreadable ? toldAt + EVIDENCE_MS : now + nextWaitMs(callback, outcome);
    await postponeCallback(env, callback, { dueAt, toldAt });
  } catch (error) {
    logFailure(callback, error);
    const dueAt = now + nextWaitMs(callback, "unknown");
    await postponeCallback(env, callback, { dueAt, toldAt }).catch(() => undefined);
  }
}

/** `unknown` as well where it fails here: that is silence too, and ends as silence does. */
async function tryRefresh(
  env: Env,
  deps: Dependencies,
  callback: StoredCallback,
  company: Company,
): Promise<RefreshOutcome> {
  if (callback.told?.kind === "unreadable") return "nothing";
  try {
    return await refresh(env, deps, company, callback.objectId, callback);
  } catch (error) {
    logFailure(callback, error);
    return "unknown";
  }
}

function logFailure({ companyId }: StoredCallback, error: unknown): void {
  log("warn", "callback_failed", { ...errorFields(error), companyId });
}

function nextWaitMs({ attempts, told }: StoredCallback, outcome: RefreshOutcome): number {
  const unconfirmedMax = told === null ? SUBJECT_ONLY_WAIT_MAX_MS : WAIT_MAX_MS;
  const longest = outcome === "nothing" ? unconfirmedMax : NO_RESPONSE_WAIT_MAX_MS;
  return exponentialBackoffMs(attempts, WAIT_MIN_MS, longest);
}

/** Shows operators what was told and never seen. */
async function reportToOperators(
  env: Env,
  company: Company,
  callback: StoredCallback,
  outcome: RefreshOutcome,
): Promise<void> {
  const finding = unconfirmedCallback(callback, outcome === "contradicted");
  await callCompany(env, company.id, (account) => account.recordFinding(company.id, finding));
}
