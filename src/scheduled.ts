import { checkCompany } from "./api/operator/check.ts";
import { finishMoves } from "./api/operator/move.ts";
import { sweepTransactions } from "./api/transactions/sweep.ts";
import { queueHints } from "./company/hints.ts";
import { callCompany } from "./company/stub.ts";
import { reconcilePayments } from "./api/provider-callbacks/recent-payments.ts";
import { readBack } from "./api/provider-callbacks/service.ts";
import {
  dueCallbacks,
  postponeCallback,
  putBackCallbacks,
  removeCallback,
  type StoredCallback,
} from "./db/callbacks.ts";
import { nextCompanies } from "./db/companies.ts";
import { systemDependencies } from "./dependencies.ts";
import type { Company } from "./domain/company.ts";
import { deliveryId } from "./domain/delivery.ts";
import { webhookHost } from "./domain/webhook-target.ts";
import { configOf, type Env } from "./env.ts";
import type { Dependencies } from "./http/context.ts";
import { exponentialBackoffMs } from "./lib/backoff.ts";
import { errorFields, log } from "./lib/log.ts";
import { OverdueWalk } from "./webhooks/overdue.ts";

/** Hints for overdue deliveries a minute: five of a queue's largest batches. */
const DELIVERIES_MAX = 500;
/** Of these for one host of one company, so that its backlog leaves the others their share. */
const DELIVERIES_PER_HOST = 50;
/** Overdue deliveries read in one go, and how often: a backlog longer than this is read in part. */
const DELIVERIES_PAGE = 500;
const DELIVERIES_PAGES_MAX = 10;
/** No new callback is read back once the next minute's cron is near. */
const CALLBACKS_TIME_MS = 40_000;
/** Callbacks read back a minute, those of a company one after the other. */
const CALLBACKS_MAX = 100;
/** How often a provider that knows of nothing is asked again, over about a day. */
const CALLBACK_ATTEMPTS_MAX = 12;
const CALLBACK_RETRY_MAX_MS = 4 * 3_600_000;
/** Companies knocked at a minute; the walk begins again after the last. */
const COMPANIES_MAX = 25;
/** Companies whose ledger and copy are checked a minute, one after the other. */
const CHECKS_MAX = 5;
/** What became due this recently still has its hint under way. */
const DELIVERY_GRACE_MS = 5_000;
/** When a callback that nothing could be learnt of is read back again, at first. */
const CALLBACK_RETRY_MS = 5 * 60_000;

type Task = (env: Env, deps: Dependencies) => Promise<void>;

/** What the minute's cron does, each by itself: one failing task leaves the others to theirs. */
const TASKS: Record<string, Task> = {
  sweep_deliveries: sweepDeliveries,
  sweep_transactions: sweepTransactions,
  sweep_callbacks: sweepCallbacks,
  reconcile_payments: reconcilePayments,
  tick_companies: tickCompanies,
  check_companies: checkCompanies,
  finish_moves: finishMoves,
};

export async function handleScheduled(
  env: Env,
  deps: Dependencies = systemDependencies,
): Promise<void> {
  configOf(env);
  await Promise.all(
    Object.entries(TASKS).map(async ([name, task]) => {
      try {
        await task(env, deps);
      } catch (error) {
        log("error", "cron_task_failed", { ...errorFields(error), task: name });
      }
    }),
  );
}

/**
 * Deliveries whose hint was lost in a queue or a crash. A backlog that is longer than one sweep reads
 * is gone through from minute to minute, so that it hides nobody else's.
 */
async function sweepDeliveries(env: Env, deps: Dependencies): Promise<void> {
  const walk = await OverdueWalk.begin(env, deps.clock.now() - DELIVERY_GRACE_MS);
  const shared: string[] = [];
  const beyondShare: string[] = [];
  const hintsOf = new Map<string, number>();
  for (let page = 0; page < DELIVERIES_PAGES_MAX && !walk.isWhole; page++) {
    const due = await walk.next(DELIVERIES_PAGE);
    for (const delivery of due) {
      const host = `${delivery.companyId} ${webhookHost(delivery.url)}`;
      const count = (hintsOf.get(host) ?? 0) + 1;
      hintsOf.set(host, count);
      (count > DELIVERIES_PER_HOST ? beyondShare : shared).push(deliveryId(delivery));
    }
    if (shared.length >= DELIVERIES_MAX) break;
  }
  await queueHints(env).deliveries([...shared, ...beyondShare].slice(0, DELIVERIES_MAX));
  await walk.end();
}

/**
 * What providers said has happened and nobody lived to read back. Companies side by side: one slow
 * PSP keeps nobody waiting, this minute or the next.
 */
async function sweepCallbacks(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  const due = await dueCallbacks(env, startedAt, CALLBACKS_MAX);
  const byCompany = Map.groupBy(due, ({ company }) => company.id);
  await Promise.all(
    [...byCompany.values()].map(async (told) => {
      for (const [index, { callback, company }] of told.entries()) {
        const now = deps.clock.now();
        if (now - startedAt > CALLBACKS_TIME_MS) {
          const left = told.slice(index).map((each) => each.callback);
          return putBackCallbacks(env, left, now).catch(() => undefined);
        }
        await sweepCallback(env, deps, callback, company);
      }
    }),
  );
}

async function sweepCallback(
  env: Env,
  deps: Dependencies,
  callback: StoredCallback,
  company: Company,
): Promise<void> {
  const now = deps.clock.now();
  try {
    const outcome = await readBack(env, deps, company, callback.objectId);
    const over = outcome === "nothing" && callback.attempts >= CALLBACK_ATTEMPTS_MAX;
    const later = exponentialBackoffMs(callback.attempts, CALLBACK_RETRY_MS, CALLBACK_RETRY_MAX_MS);
    if (outcome === "booked" || over) await removeCallback(env, callback);
    else await postponeCallback(env, callback, now + later);
  } catch (error) {
    log("warn", "callback_failed", { ...errorFields(error), companyId: callback.companyId });
    await postponeCallback(env, callback, now + CALLBACK_RETRY_MS).catch(() => undefined);
  }
}

/** Wakes objects whose alarm the platform gave up on. */
async function tickCompanies(env: Env): Promise<void> {
  const companies = await nextCompanies(env, "tick", COMPANIES_MAX);
  await Promise.all(
    companies.map(async (companyId) => {
      try {
        await callCompany(env, companyId, (account) => account.tick());
      } catch (error) {
        log("error", "tick_failed", { ...errorFields(error), companyId });
      }
    }),
  );
}

/** Proves a few companies' books; whatever does not hold is loud in the log and stays recorded. */
async function checkCompanies(env: Env, deps: Dependencies): Promise<void> {
  for (const companyId of await nextCompanies(env, "check", CHECKS_MAX)) {
    try {
      await checkCompany(env, companyId, deps.clock.now());
    } catch (error) {
      log("error", "check_failed", { ...errorFields(error), companyId });
    }
  }
}
