import { checkCompany } from "./api/operator/check.ts";
import { registerCharge, resumeCard } from "./api/transactions/charge.ts";
import { dueTransactions, postponeSweep, takeOver } from "./api/transactions/repository.ts";
import { syncCharge } from "./api/transactions/sync.ts";
import { CREATE_LEASE_MS } from "./api/transactions/draft.ts";
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
import type { TransactionRow } from "./db/transaction-mapper.ts";
import { systemDependencies } from "./dependencies.ts";
import type { Company } from "./domain/company.ts";
import { deliveryId } from "./domain/delivery.ts";
import { webhookHost } from "./domain/webhook-target.ts";
import { configOf, type Env } from "./env.ts";
import type { Dependencies } from "./http/context.ts";
import { newTraceId } from "./http/tracing.ts";
import { exponentialBackoffMs } from "./lib/backoff.ts";
import { errorFields, log } from "./lib/log.ts";
import { providerOfCharge } from "./providers/registry.ts";
import {
  overdueDeliveries,
  setSweptUpTo,
  sweptUpTo,
  type OverdueDelivery,
} from "./webhooks/overdue.ts";

/** Hints for overdue deliveries a minute: five of a queue's largest batches. */
const DELIVERIES_MAX = 500;
/** Of these for one host of one company, so that its backlog leaves the others their share. */
const DELIVERIES_PER_HOST = 50;
/** Overdue deliveries read in one go, and how often: a backlog longer than this is read in part. */
const DELIVERIES_PAGE = 500;
const DELIVERIES_PAGES_MAX = 10;
/** Charges looked after at once: each is a call to a provider. */
const SWEEP_BATCH = 20;
/** 4,000 charges a minute at most, and no new batch once the next minute's cron is near. */
const SWEEP_BATCHES_MAX = 200;
const SWEEP_TIME_MS = 40_000;
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
/** When a charge that nothing could be learnt of is looked at again. */
const SWEEP_RETRY_MS = 5 * 60_000;
/** The same of an authorization past its time: nobody may ever capture it, nor its acquirer drop it. */
const HELD_RETRY_MS = 24 * 60 * 60_000;

type Task = (env: Env, deps: Dependencies) => Promise<void>;

/** What the minute's cron does, each by itself: one failing task leaves the others to theirs. */
const TASKS: Record<string, Task> = {
  sweep_deliveries: sweepDeliveries,
  sweep_transactions: sweepTransactions,
  sweep_callbacks: sweepCallbacks,
  reconcile_payments: reconcilePayments,
  tick_companies: tickCompanies,
  check_companies: checkCompanies,
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
  const dueBefore = deps.clock.now() - DELIVERY_GRACE_MS;
  const begin = await sweptUpTo(env);
  const shared: string[] = [];
  const beyondShare: string[] = [];
  const hintsOf = new Map<string, number>();
  let last: OverdueDelivery | number = begin;
  let isWhole = false;
  for (let page = 0; page < DELIVERIES_PAGES_MAX && !isWhole; page++) {
    const due: OverdueDelivery[] = await overdueDeliveries(env, dueBefore, last, DELIVERIES_PAGE);
    for (const delivery of due) {
      const host = `${delivery.companyId} ${webhookHost(delivery.url)}`;
      const count = (hintsOf.get(host) ?? 0) + 1;
      hintsOf.set(host, count);
      (count > DELIVERIES_PER_HOST ? beyondShare : shared).push(deliveryId(delivery));
    }
    last = due.at(-1) ?? last;
    isWhole = due.length < DELIVERIES_PAGE;
    if (shared.length >= DELIVERIES_MAX) break;
  }
  await queueHints(env).deliveries([...shared, ...beyondShare].slice(0, DELIVERIES_MAX));
  const end = isWhole || typeof last === "number" ? 0 : (last.dueAt ?? 0);
  if (end !== begin) await setSweptUpTo(env, end);
}

/**
 * Creates that nobody finished, and charges past their expiry, batch by batch until none is due or
 * the time is up. A row that was looked at is settled or due later, so no batch sees it again.
 */
export async function sweepTransactions(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch++) {
    const due = await dueTransactions(env, startedAt, SWEEP_BATCH);
    await Promise.all(
      due.map(async ({ transaction, company }) => {
        try {
          await sweepTransaction(env, deps, transaction, company);
        } catch (error) {
          log("warn", "sweep_failed", { ...errorFields(error), transactionId: transaction.id });
          await postponeSweep(env, transaction, deps.clock.now() + SWEEP_RETRY_MS);
        }
      }),
    );
    const outOfTime = deps.clock.now() - startedAt > SWEEP_TIME_MS;
    if (due.length < SWEEP_BATCH || outOfTime) return;
  }
}

async function sweepTransaction(
  env: Env,
  deps: Dependencies,
  row: TransactionRow,
  company: Company,
): Promise<void> {
  const now = deps.clock.now();
  const provider = providerOfCharge(deps.providers(env), company, row);
  if (provider === null) throw new Error("the company has not this charge's provider any more");
  if (row.answeredAt === null) {
    const taken = row.leaseUntil > now ? null : await takeOver(env, row, now + CREATE_LEASE_MS);
    if (taken === null) {
      await postponeSweep(env, row, now + CREATE_LEASE_MS);
      return;
    }
    const context = { env, deps, company, traceId: newTraceId(deps.random) };
    const resumed =
      row.paymentMethod === "CREDIT_CARD"
        ? await resumeCard(context, provider, taken, null)
        : await registerCharge(context, provider, taken);
    if (resumed.answeredAt === null) await postponeSweep(env, row, now + SWEEP_RETRY_MS);
    return;
  }
  const brought = await syncCharge(env, provider, row, now);
  const next =
    brought === "authorized"
      ? Math.max(now + HELD_RETRY_MS, row.expiresAt ?? 0)
      : now + SWEEP_RETRY_MS;
  // Nothing to postpone once the drain has told D1 that the charge is settled or ended; where it
  // could not yet, or nothing was learnt, the row makes room for the others.
  await postponeSweep(env, row, next);
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
        if (now - startedAt > SWEEP_TIME_MS) {
          const left = told.slice(index).map((each) => each.callback);
          return putBackCallbacks(env, left, now);
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
    const later = exponentialBackoffMs(callback.attempts, SWEEP_RETRY_MS, CALLBACK_RETRY_MAX_MS);
    if (outcome === "booked" || over) await removeCallback(env, callback);
    else await postponeCallback(env, callback, now + later);
  } catch (error) {
    log("warn", "callback_failed", { ...errorFields(error), companyId: callback.companyId });
    await postponeCallback(env, callback, now + SWEEP_RETRY_MS).catch(() => undefined);
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
