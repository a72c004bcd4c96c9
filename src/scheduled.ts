import { anchorLedgers } from "./api/operator/audit/anchors.ts";
import { checkCompany } from "./api/operator/audit/tasks.ts";
import { resumeMigrations } from "./db/sharding/migration/migrate.ts";
import { measureDatabases } from "./api/operator/storage/tasks.ts";
import { sweepTransactions } from "./api/transactions/sweep.ts";
import { queueNotifier } from "./company/outbox/queue-notifier.ts";
import { callCompany } from "./company-client/stub.ts";
import { reconcileAccounts } from "./api/reconciliation/tasks.ts";
import { sweepCallbacks } from "./api/provider-callbacks/tasks.ts";
import { nextCompanies } from "./db/companies/companies.ts";
import { systemDependencies } from "./dependencies.ts";
import { deliveryId } from "./domain/events/delivery.ts";
import { SINGLE_STEP, type TaskStep } from "./domain/shared/task.ts";
import { webhookHost } from "./domain/events/webhook-target.ts";
import { configOf, type Env, type TaskMessage } from "./config.ts";
import type { Dependencies } from "./http/context.ts";
import { errorFields, log } from "./lib/log.ts";
import { OverdueScan } from "./webhooks/delivery/overdue-scan.ts";

/** Hints for overdue deliveries a minute: five of a queue's largest batches. */
const DELIVERIES_MAX = 500;
/** Of these for one host of one company, so that its backlog leaves the others their share. */
const DELIVERIES_PER_HOST = 50;
/** Overdue deliveries read in one go, and how often: a backlog longer than this is read in part. */
const DELIVERIES_PAGE = 500;
const DELIVERIES_PAGES_MAX = 10;
/** Companies knocked at a minute; the walk begins again after the last. */
const COMPANIES_MAX = 25;
/** Companies whose ledger and copy are checked a minute, one after the other. */
const CHECKS_MAX = 5;
/** What became due this recently still has its hint under way. */
const DELIVERY_GRACE_MS = 5_000;

/** A task, or the step of one that is named; most have one step only. */
type Task = (env: Env, deps: Dependencies, step: TaskStep) => Promise<unknown>;

/**
 * What the minute's cron does, each in an invocation of its own, which makes less than the 1,000 calls to
 * D1 and to objects that the platform lets one make.
 */
const TASKS: Record<string, Task> = {
  sweep_deliveries: sweepDeliveries,
  sweep_transactions: sweepTransactions,
  sweep_callbacks: sweepCallbacks,
  reconcile_payments: reconcileAccounts,
  tick_companies: tickCompanies,
  check_companies: checkCompanies,
  finish_moves: resumeMigrations,
  gauge_databases: measureDatabases,
  anchor_ledgers: anchorLedgers,
};

/** Steps of one task a minute: 40 of the sweep are 4,000 charges. */
const STEPS_MAX = 40;
/** No step is asked for once the next minute's are near. */
const STEPS_TIME_MS = 50_000;
/** What a queue that was behind brings so late has been done by the minutes since. */
const EXPIRED_MS = 3 * 60_000;

/** Which of the tasks a minute's cron does itself. */
const MINUTE_MS = 60_000;

/**
 * Gives each task to the queue but one, which it does itself, by turns: so each is done every nine
 * minutes even where the queue takes messages and brings none. Where it takes none, all are done here,
 * the first step of each.
 */
export async function handleScheduled(
  env: Env,
  deps: Dependencies = systemDependencies,
): Promise<void> {
  configOf(env);
  const at = deps.clock.now();
  const messages = Object.keys(TASKS).map((task) => ({ task, at, step: 1, state: null }));
  const ownIndex = Math.floor(at / MINUTE_MS) % messages.length;
  const others = messages.filter((_, index) => index !== ownIndex);
  try {
    await env.TASKS.sendBatch(others.map((body) => ({ body })));
  } catch (error) {
    log("error", "task_enqueue_failed", errorFields(error));
    await Promise.all(messages.map((hint) => runStep(env, deps, hint, SINGLE_STEP)));
    return;
  }
  for (const own of messages.slice(ownIndex, ownIndex + 1)) await runTask(env, deps, own);
}

/**
 * One step of a task, as the queue brings it or the cron does it. A task that fails is logged and left to the next minute,
 * which is its retry. Throws where the message means nothing.
 */
export async function runTask(env: Env, deps: Dependencies, message: TaskMessage): Promise<void> {
  const { task, at, step, state } = message;
  if (TASKS[task] === undefined) throw new Error("unknown task");
  if (deps.clock.now() - at > EXPIRED_MS) {
    log("warn", "cron_task_skipped", { task, step });
    return;
  }
  const enqueueNextStep = async (next: unknown) => {
    const isOver = step >= STEPS_MAX || deps.clock.now() - at > STEPS_TIME_MS;
    if (!isOver) await env.TASKS.send({ task, at, step: step + 1, state: next });
  };
  await runStep(env, deps, message, { state, continue: enqueueNextStep });
}

/** One failing task leaves the others to theirs. */
async function runStep(
  env: Env,
  deps: Dependencies,
  { task }: TaskMessage,
  step: TaskStep,
): Promise<void> {
  try {
    await TASKS[task]?.(env, deps, step);
  } catch (error) {
    log("error", "cron_task_failed", { ...errorFields(error), task });
  }
}

/**
 * Deliveries whose hint was lost in a queue or a crash. A backlog that is longer than one sweep reads
 * is gone through from minute to minute, so that it hides nobody else's.
 */
async function sweepDeliveries(env: Env, deps: Dependencies): Promise<void> {
  const walk = await OverdueScan.begin(env, deps.clock.now() - DELIVERY_GRACE_MS);
  const shared: string[] = [];
  const beyondShare: string[] = [];
  const countByHost = new Map<string, number>();
  for (let page = 0; page < DELIVERIES_PAGES_MAX && !walk.isComplete; page++) {
    const due = await walk.next(DELIVERIES_PAGE);
    for (const delivery of due) {
      const host = `${delivery.companyId} ${webhookHost(delivery.url)}`;
      const count = (countByHost.get(host) ?? 0) + 1;
      countByHost.set(host, count);
      (count > DELIVERIES_PER_HOST ? beyondShare : shared).push(deliveryId(delivery));
    }
    if (shared.length >= DELIVERIES_MAX) break;
  }
  await queueNotifier(env).notifyDeliveries([...shared, ...beyondShare].slice(0, DELIVERIES_MAX));
  await walk.saveCursors();
}

/** Wakes objects whose alarm the platform gave up on. */
async function tickCompanies(env: Env): Promise<void> {
  const companies = await nextCompanies(env, "tick", COMPANIES_MAX);
  await Promise.all(
    companies.map(async (companyId) => {
      try {
        await callCompany(env, companyId, (account) => account.runNow());
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
