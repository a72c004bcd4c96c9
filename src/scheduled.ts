import { anchorLedgers } from "./api/operator/audit/anchors.ts";
import { checkCompanies } from "./api/operator/audit/check-schedule.ts";
import { tickCompanies } from "./api/operator/companies/tasks.ts";
import { measureDatabases } from "./api/operator/storage/tasks.ts";
import { erasePayers } from "./api/payers/tasks.ts";
import { creditUnexpected } from "./api/payments/tasks.ts";
import { sweepCallbacks } from "./api/provider-callbacks/tasks.ts";
import { reconcileAccounts } from "./api/reconciliation/tasks.ts";
import { sweepTransactions } from "./api/transactions/sweep.ts";
import { sweepDeliveries } from "./api/webhooks/tasks.ts";
import type { Env, TaskMessage } from "./config.ts";
import { systemDependencies } from "./dependencies.ts";
import type { TaskStep } from "./domain/shared/cron-step.ts";
import type { Dependencies } from "./http/context.ts";
import { runMessage, runMinute, type Tasks } from "./task-runner.ts";

/** What the cron does each minute. */
const TASKS: Tasks = {
  sweep_deliveries: sweepDeliveries,
  sweep_transactions: sweepTransactions,
  sweep_callbacks: sweepCallbacks,
  reconcile_payments: reconcileAccounts,
  credit_payments: creditUnexpected,
  tick_companies: tickCompanies,
  check_companies: checkCompanies,
  finish_moves: finishMoves,
  gauge_databases: measureDatabases,
  anchor_ledgers: anchorDay,
  erase_payers: erasePayers,
  watch_service: watchService,
};

/** Anchors page after page, so that a day's anchors of all companies take minutes. */
async function anchorDay(env: Env, deps: Dependencies, step: TaskStep): Promise<void> {
  if ((await anchorLedgers(env, deps)) === "more") await step.continue(null);
}

/** Loads with its first run: requests do not wait for it. */
async function finishMoves(env: Env, deps: Dependencies): Promise<void> {
  const { resumeMigrations } = await import("./db/sharding/migration/migrate.ts");
  await resumeMigrations(env, deps);
}

/** Loads with its first run, as above. */
async function watchService(env: Env, deps: Dependencies): Promise<void> {
  const tasks = await import("./api/operator/alarms/tasks.ts");
  await tasks.watchService(env, deps);
}

/** The Worker's `scheduled` handler. Does nothing in code that is older than a database. */
export async function handleScheduled(
  env: Env,
  deps: Dependencies = systemDependencies,
): Promise<void> {
  if (!(await deps.schemaVersions.isNewer(env))) await runMinute(TASKS, env, deps);
}

/** Runs one step of a task. Rejects if the task is unknown. */
export function runTask(env: Env, deps: Dependencies, message: TaskMessage): Promise<void> {
  return runMessage(TASKS, env, deps, message);
}
