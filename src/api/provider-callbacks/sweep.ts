import { callCompany } from "../../company-client/stub.ts";
import {
  dueCallbacks,
  postponeCallback,
  putBackCallbacks,
  removeCallback,
  type StoredCallback,
} from "../../db/reconciliation/callbacks.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import { errorFields, log } from "../../lib/log.ts";
import { unseenCallback } from "../reconciliation/findings.ts";
import { readBack, type ReadBack } from "./service.ts";

/** No new callback is read back once the next minute's cron is near. */
const SWEEP_TIME_MS = 40_000;
/** Callbacks read back a minute, those of a company one after the other. */
const CALLBACKS_MAX = 100;
/** Of these of one company: more of them wait, so that its backlog leaves the others their share. */
const CALLBACKS_PER_COMPANY = 25;
/** Due ones looked at, to find these: what is beyond a company's share goes behind the others. */
const CALLBACKS_READ = 500;
/** The first wait of what was not seen at its PSP, which doubles: 1 min, 2, 4 ... */
const WAIT_MIN_MS = 60_000;
/** ... up to four days, where the PSP answers and does not say it. */
const WAIT_MAX_MS = 4 * 24 * 3_600_000;
/** The same where the PSP does not answer: its silence says nothing of what it told. */
const SILENCE_MAX_MS = 4 * 3_600_000;
/** The same of what only names its object: twelve of its waits are a day. */
const HINT_WAIT_MAX_MS = 4 * 3_600_000;
/** How long a callback is evidence: the bank of a payer may ask back 80 days later (BACEN, MED). */
export const EVIDENCE_MS = 90 * 24 * 3_600_000;
/**
 * How long a PSP's answer may say the opposite of its callback before that counts as its last word: it may
 * lag behind, and say what was so before.
 */
const CONTRADICTED_MS = 24 * 3_600_000;
/** What only names its object (the sandbox's bank, before it did anything) is asked about for a day. */
const HINT_ATTEMPTS_MAX = 12;

/**
 * What providers said has happened and nobody has seen yet. Companies side by side: one slow PSP keeps
 * nobody waiting, this minute or the next.
 */
export async function sweepCallbacks(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  const due = await dueCallbacks(env, startedAt, CALLBACKS_READ);
  const { shared, beyond } = shareOut(due);
  // Where there may be more due than were read, these must not hide them the next time either.
  if (due.length === CALLBACKS_READ) await putBack(env, beyond, startedAt);
  const byCompany = Map.groupBy(shared, ({ company }) => company.id);
  await Promise.all(
    [...byCompany.values()].map(async (told) => {
      for (const [index, { callback, company }] of told.entries()) {
        const now = deps.clock.now();
        if (now - startedAt > SWEEP_TIME_MS) return putBack(env, told.slice(index), now);
        await sweepCallback(env, deps, callback, company);
      }
    }),
  );
}

type Due = Awaited<ReturnType<typeof dueCallbacks>>[number];

/** Up to its share of each company, the longest due first, and those that are left over. */
function shareOut(due: Due[]): { shared: Due[]; beyond: Due[] } {
  const countOf = new Map<number, number>();
  const shared: Due[] = [];
  const beyond: Due[] = [];
  for (const each of due) {
    const count = countOf.get(each.company.id) ?? 0;
    const isShared = count < CALLBACKS_PER_COMPANY && shared.length < CALLBACKS_MAX;
    if (isShared) countOf.set(each.company.id, count + 1);
    (isShared ? shared : beyond).push(each);
  }
  return { shared, beyond };
}

async function putBack(env: Env, left: Due[], dueAt: number): Promise<void> {
  const callbacks = left.map(({ callback }) => callback);
  await putBackCallbacks(env, callbacks, dueAt).catch((error: unknown) =>
    log("warn", "callbacks_not_put_back", errorFields(error)),
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
  const outcome = await readBackOf(env, deps, callback, company);
  const isUnreadable = callback.told?.kind === "unreadable";
  try {
    const isOld = toldAt + EVIDENCE_MS <= now;
    const isEmptyHint = callback.told === null && callback.attempts >= HINT_ATTEMPTS_MAX;
    if (outcome === "booked" || (outcome === "nothing" && isEmptyHint)) {
      return await removeCallback(env, callback);
    }
    const isOtherwise = outcome === "contradicted" && toldAt + CONTRADICTED_MS <= now;
    if (isUnreadable || isOld || isOtherwise) await show(env, company, callback, outcome);
    if (isOld || isOtherwise) return await removeCallback(env, callback);
    // One that cannot be read stays, so that the same words again are no new ones.
    const dueAt = isUnreadable ? toldAt + EVIDENCE_MS : now + waitAfter(callback, outcome);
    await postponeCallback(env, callback, { dueAt, toldAt });
  } catch (error) {
    failed(callback, error);
    const dueAt = now + waitAfter(callback, "unknown");
    await postponeCallback(env, callback, { dueAt, toldAt }).catch(() => undefined);
  }
}

/** `unknown` as well where it fails here: that is silence too, and ends as silence does. */
async function readBackOf(
  env: Env,
  deps: Dependencies,
  callback: StoredCallback,
  company: Company,
): Promise<ReadBack> {
  if (callback.told?.kind === "unreadable") return "nothing";
  try {
    return await readBack(env, deps, company, callback.objectId, callback);
  } catch (error) {
    failed(callback, error);
    return "unknown";
  }
}

function failed({ companyId }: StoredCallback, error: unknown): void {
  log("warn", "callback_failed", { ...errorFields(error), companyId });
}

function waitAfter({ attempts, told }: StoredCallback, outcome: ReadBack): number {
  const unseen = told === null ? HINT_WAIT_MAX_MS : WAIT_MAX_MS;
  const longest = outcome === "nothing" ? unseen : SILENCE_MAX_MS;
  return exponentialBackoffMs(attempts, WAIT_MIN_MS, longest);
}

/** Shows operators what was told and never seen. */
async function show(
  env: Env,
  company: Company,
  callback: StoredCallback,
  outcome: ReadBack,
): Promise<void> {
  const finding = unseenCallback(callback, outcome === "contradicted");
  await callCompany(env, company.id, (account) => account.recordFinding(company.id, finding));
}
