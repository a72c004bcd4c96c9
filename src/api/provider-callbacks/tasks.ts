import { recordFinding } from "../bank-reconciliation/record-finding.ts";
import {
  dueCallbacks,
  postponeCallback,
  deferCallbacks,
  readCallbacks,
  removeCallback,
  type StoredCallback,
} from "../../db/reconciliation/callbacks.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { depsOfCompany, type Dependencies, type CompanyDependencies } from "../../http/context.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import { errorFields, log } from "../../lib/log.ts";
import { unconfirmedCallback } from "../bank-reconciliation/findings.ts";
import { refresh, type RefreshOutcome } from "./service.ts";
import { dueOfAll, type Due } from "../../db/sharding/fan-out.ts";
import { SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";

/** No query starts after this: the next minute's cron is about to start. */
const SWEEP_TIME_MS = 40_000;
/** Callbacks per run; those of one account in sequence. */
const CALLBACKS_MAX = 100;
/** Callbacks per company and run, so that a backlog does not delay other companies. */
export const CALLBACKS_PER_COMPANY = 25;
/** Ids of due callbacks read to fill a run: twice what one account can have stored. */
const CALLBACKS_SCANNED = 2_000;
const MINUTE_MS = 60_000;
/** Backoff of an unconfirmed callback, which doubles: 1 min, 2, 4 ... */
const WAIT_MIN_MS = 60_000;
/** ... up to four days if the PSP answers without confirming. */
const WAIT_MAX_MS = 4 * 24 * 3_600_000;
/** ... up to four hours if the PSP does not answer. */
const NO_RESPONSE_WAIT_MAX_MS = 4 * 3_600_000;
/** ... up to four hours for a callback that only names its object: twelve waits take a day. */
const SUBJECT_ONLY_WAIT_MAX_MS = 4 * 3_600_000;
/** A callback is evidence for 90 days: a payer may request a refund for 80 (BACEN, MED). */
export const EVIDENCE_MS = 90 * 24 * 3_600_000;
/** A contradiction counts as final after a day: before, the PSP's response may be stale. */
const CONTRADICTED_MS = 24 * 3_600_000;
/** Queries about a callback that only names its object, as the sandbox's bank sends: one day's. */
const SUBJECT_ONLY_ATTEMPTS_MAX = 12;

/** Cron task: queries PSPs about due callbacks, accounts concurrently, so that a slow PSP delays only its own. */
export async function sweepCallbacks(
  env: Env,
  deps: Dependencies,
  _step: TaskStep = SINGLE_STEP,
  due: Due = dueOfAll(env, deps),
): Promise<void> {
  const startedAt = deps.platformClock.now();
  const scanned = await dueCallbacks(due, CALLBACKS_SCANNED);
  const { now: shared, later } = shareOut(scanned, due.nowMs);
  // More may be due than were read: deferring these lets the next run read the others.
  if (scanned.length === CALLBACKS_SCANNED) await tryDefer(env, later);
  const byAccount = Map.groupBy(await readCallbacks(shared), ({ callback }) => accountOf(callback));
  await Promise.all(
    [...byAccount.values()].map(async (callbacks) => {
      const [first] = callbacks;
      // They stay due.
      if (first === undefined || (await deps.pauses.of(env, first.company.id)) !== null) return;
      for (const [index, { callback, company }] of callbacks.entries()) {
        if (deps.platformClock.now() - startedAt > SWEEP_TIME_MS) {
          const rest = callbacks
            .slice(index)
            .map(({ callback: { id, companyId } }) => ({ id, companyId, dueAt: due.nowMs }));
          return tryDefer(env, rest);
        }
        await sweepCallback(env, depsOfCompany(deps, company), callback, company);
      }
    }),
  );
}

type OfAccount = Pick<StoredCallback, "companyId" | "account">;

function accountOf({ companyId, account }: OfAccount): string {
  return JSON.stringify([companyId, account]);
}

/**
 * Each company's share of a run, round robin: the first callback of each company, then the second of each; and so its
 * accounts within its share. Those beyond it are due in the minutes in which the share has room for them.
 */
export function shareOut<Scanned extends OfAccount>(due: Scanned[], nowMs: number) {
  const byTurn = inTurns(due, accountOf).toSorted((left, right) => left.place - right.place);
  const ofCompany = inTurns(byTurn, ({ companyId }) => companyId);
  const placed = ofCompany.map((each) => {
    const dueAt = nowMs + Math.floor(each.place / CALLBACKS_PER_COMPANY) * MINUTE_MS;
    return Object.assign(each, { dueAt });
  });
  const inShare = placed
    .filter(({ place }) => place < CALLBACKS_PER_COMPANY)
    .toSorted((left, right) => left.place - right.place);
  const chosen = new Set(inShare.slice(0, CALLBACKS_MAX));
  return { now: [...chosen], later: placed.filter((each) => !chosen.has(each)) };
}

/** Each with its place among those of the same key. */
function inTurns<Each extends object, Key>(all: Each[], keyOf: (each: Each) => Key) {
  const counts = new Map<Key, number>();
  return all.map((each) => {
    const key = keyOf(each);
    const place = counts.get(key) ?? 0;
    counts.set(key, place + 1);
    return { ...each, place };
  });
}

type Deferred = Parameters<typeof deferCallbacks>[1];

async function tryDefer(env: Env, deferred: Deferred): Promise<void> {
  await deferCallbacks(env, deferred).catch((error: unknown) =>
    log("warn", "callback_defer_failed", errorFields(error)),
  );
}

async function sweepCallback(
  env: Env,
  deps: CompanyDependencies,
  callback: StoredCallback,
  company: Company,
): Promise<void> {
  const now = deps.clock.now();
  const receivedAt = callback.receivedAt ?? now;
  const outcome = await tryRefresh(env, deps, callback, company);
  const isUnreadable = callback.report?.kind === "unreadable";
  try {
    const isOld = receivedAt + EVIDENCE_MS <= now;
    const isSubjectOnly =
      callback.report === null && callback.attempts >= SUBJECT_ONLY_ATTEMPTS_MAX;
    if (outcome === "booked" || (outcome === "nothing" && isSubjectOnly)) {
      return await removeCallback(env, callback);
    }
    const isContradicted = outcome === "contradicted" && receivedAt + CONTRADICTED_MS <= now;
    if (isUnreadable || isOld || isContradicted)
      await reportToOperators(env, company, callback, outcome);
    if (isOld || isContradicted) return await removeCallback(env, callback);
    // An unreadable callback stays stored, so that an identical one is not new.
    const dueAt = isUnreadable ? receivedAt + EVIDENCE_MS : now + nextWaitMs(callback, outcome);
    await postponeCallback(env, callback, { dueAt, receivedAt });
  } catch (error) {
    logFailure(callback, error);
    const dueAt = now + nextWaitMs(callback, "unknown");
    await postponeCallback(env, callback, { dueAt, receivedAt }).catch(() => undefined);
  }
}

/** `unknown` also if the query fails on our side. */
async function tryRefresh(
  env: Env,
  deps: CompanyDependencies,
  callback: StoredCallback,
  company: Company,
): Promise<RefreshOutcome> {
  if (callback.report?.kind === "unreadable") return "nothing";
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

function nextWaitMs({ attempts, report }: StoredCallback, outcome: RefreshOutcome): number {
  const unconfirmedMax = report === null ? SUBJECT_ONLY_WAIT_MAX_MS : WAIT_MAX_MS;
  const longest = outcome === "nothing" ? unconfirmedMax : NO_RESPONSE_WAIT_MAX_MS;
  return exponentialBackoffMs(attempts, WAIT_MIN_MS, longest);
}

/** Records a finding about a callback that was never confirmed. */
async function reportToOperators(
  env: Env,
  company: Company,
  callback: StoredCallback,
  outcome: RefreshOutcome,
): Promise<void> {
  const finding = unconfirmedCallback(callback, outcome === "contradicted");
  await recordFinding(env, company.id, finding);
}
