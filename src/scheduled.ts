import { registerCharge } from "./api/transactions/create.ts";
import { dueTransactions, postponeSweep, takeOver } from "./api/transactions/repository.ts";
import { syncCharge } from "./api/transactions/sync.ts";
import { CREATE_LEASE_MS } from "./api/transactions/draft.ts";
import { queueHints } from "./company/hints.ts";
import { callCompany } from "./company/stub.ts";
import { nextCompanies } from "./db/companies.ts";
import { toCompany } from "./db/credentials.ts";
import { systemClock, systemRandom } from "./domain/clock.ts";
import { deliveryId } from "./domain/delivery.ts";
import { configOf, type Env } from "./env.ts";
import type { Dependencies } from "./http/context.ts";
import { newTraceId } from "./http/tracing.ts";
import { errorFields, log } from "./lib/log.ts";
import { providerRegistry } from "./providers/registry.ts";
import { overdueDeliveries } from "./webhooks/repository.ts";

/** Hints for overdue deliveries a minute: five of a queue's largest batches. */
const DELIVERIES_MAX = 500;
/** Charges looked after a minute: each is a call to a provider. */
const TRANSACTIONS_MAX = 50;
/** Companies knocked at a minute; the walk begins again after the last. */
const COMPANIES_MAX = 25;
/** What became due this recently still has its hint under way. */
const DELIVERY_GRACE_MS = 5_000;
/** When a charge that nothing could be learnt of is looked at again. */
const SWEEP_RETRY_MS = 5 * 60_000;

export type Task = (env: Env, deps: Dependencies) => Promise<void>;

/** What the minute's cron does, each by itself: one failing task leaves the others to theirs. */
export const TASKS: Record<string, Task> = {
  sweep_deliveries: sweepDeliveries,
  sweep_transactions: sweepTransactions,
  tick_companies: tickCompanies,
};

export async function handleScheduled(
  env: Env,
  deps: Dependencies = {
    clock: systemClock,
    random: systemRandom,
    providers: (environment) => providerRegistry(environment),
  },
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

/** Deliveries whose hint was lost in a queue or a crash. */
async function sweepDeliveries(env: Env, deps: Dependencies): Promise<void> {
  const due = await overdueDeliveries(env, deps.clock.now() - DELIVERY_GRACE_MS, DELIVERIES_MAX);
  await queueHints(env).deliveries(due.map(deliveryId));
}

/** Creates that nobody finished, and charges past their expiry. */
async function sweepTransactions(env: Env, deps: Dependencies): Promise<void> {
  const due = await dueTransactions(env, deps.clock.now(), TRANSACTIONS_MAX);
  for (const { transaction, company } of due) {
    try {
      await sweepTransaction(env, deps, transaction, company);
    } catch (error) {
      log("warn", "sweep_failed", { ...errorFields(error), transactionId: transaction.id });
      await postponeSweep(env, transaction, deps.clock.now() + SWEEP_RETRY_MS);
    }
  }
}

async function sweepTransaction(
  env: Env,
  deps: Dependencies,
  row: Awaited<ReturnType<typeof dueTransactions>>[number]["transaction"],
  companyRow: Awaited<ReturnType<typeof dueTransactions>>[number]["company"],
): Promise<void> {
  const company = toCompany(companyRow);
  const now = deps.clock.now();
  const provider = deps.providers(env).forCharge(company, row.paymentMethod);
  if (provider === null) throw new Error("the company has no provider for this method any more");
  if (row.answeredAt === null) {
    if (row.leaseUntil > now) return;
    const taken = await takeOver(env, row, now + CREATE_LEASE_MS);
    if (taken === null) return;
    await registerCharge({ env, deps, company, traceId: newTraceId(deps.random) }, provider, taken);
    return;
  }
  const outcome = await syncCharge(env, provider, row, now);
  if (outcome === "unknown" || outcome === "open") {
    await postponeSweep(env, row, now + SWEEP_RETRY_MS);
  }
}

/** Wakes objects whose alarm the platform gave up on. */
async function tickCompanies(env: Env): Promise<void> {
  const companies = await nextCompanies(env, COMPANIES_MAX);
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
