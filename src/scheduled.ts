import { watchService } from "./api/operator/alarms/tasks.ts";
import { anchorLedgers } from "./api/operator/audit/anchors.ts";
import { checkCompanies } from "./api/operator/audit/check-schedule.ts";
import { tryCertificates } from "./api/operator/certificates/tasks.ts";
import { runCompanies } from "./api/operator/companies/tasks.ts";
import { archiveRows } from "./api/operator/row-archive/tasks.ts";
import { measureDatabases } from "./api/operator/storage/tasks.ts";
import { deleteCardsAtHouses } from "./api/cards/tasks.ts";
import { sendEmails } from "./api/emails/tasks.ts";
import { erasePayers } from "./api/payers/tasks.ts";
import { askAboutResponses } from "./api/disputes/response/tasks.ts";
import { creditUnexpected } from "./api/payments/tasks.ts";
import { sweepCallbacks } from "./api/provider-callbacks/tasks.ts";
import { reconcileAccounts } from "./api/bank-reconciliation/tasks.ts";
import { endShadowCharges } from "./api/transactions/attempts/shadows.ts";
import { sweepTransactions } from "./api/transactions/sweep/tasks.ts";
import { sweepDeliveries } from "./api/webhooks/tasks.ts";
import type { Env, TaskMessage } from "./config.ts";
import { RENAMED_TASKS } from "./db/watch/heartbeats.ts";
import { runClocks } from "./api/sandbox/clock/tasks.ts";
import { resumeMoves } from "./db/sharding/move/move-company.ts";
import { systemDependencies } from "./dependencies.ts";
import type { TaskStep } from "./domain/shared/cron-step.ts";
import type { Dependencies } from "./http/context.ts";
import { runMessage, runMinute, type Task, type Tasks } from "./task-runner.ts";

/** What the cron does each minute. */
const TASKS: Tasks = {
  sweep_deliveries: restingWhilePaused(sweepDeliveries),
  sweep_transactions: restingWhilePaused(sweepTransactions),
  end_shadow_charges: restingWhilePaused(endShadowCharges),
  sweep_callbacks: restingWhilePaused(sweepCallbacks),
  reconcile_payments: restingWhilePaused(reconcileAccounts),
  try_certificates: restingWhilePaused(tryCertificates),
  credit_payments: restingWhilePaused(creditUnexpected),
  ask_about_responses: restingWhilePaused(askAboutResponses),
  send_emails: sendEmails,
  run_companies: runCompanies,
  check_companies: restingWhilePaused(checkCompanies),
  finish_moves: resumeMoves,
  measure_databases: measureDatabases,
  anchor_ledgers: anchorDay,
  erase_payers: erasePayers,
  delete_cards: restingWhilePaused(deleteCardsAtHouses),
  archive_rows: restingWhilePaused(archiveRows),
  run_clocks: restingWhilePaused(runClocks),
  watch_service: watchService,
};
/** Runs in the cron's own invocation: it tells that the queue delivers nothing. */
const WATCH = "watch_service";
/** May run almost all statements of an invocation (docs/scale.md), so that it has one of its own. */
const CHECKS = "check_companies";

/**
 * A task that does nothing while the service is paused: what is due waits for the first minute afterwards. D1 may be
 * older than the objects meanwhile, and a payment that it does not expect yet would be taken for a stranger's.
 */
function restingWhilePaused(task: Task): Task {
  return async (env, deps, step) => {
    const { service } = await deps.pauses.list(env);
    if (service === null) await task(env, deps, step);
  };
}

/** Anchors page after page, so that a day's anchors of all companies take minutes. */
async function anchorDay(env: Env, deps: Dependencies, step: TaskStep): Promise<void> {
  if ((await anchorLedgers(env, deps)) === "more") await step.continue(null);
}

/** The Worker's `scheduled` handler. Does nothing in code that is older than a database. */
export async function handleScheduled(
  env: Env,
  deps: Dependencies = systemDependencies,
): Promise<void> {
  if (await deps.schemaVersions.isNewer(env)) return;
  await runMinute(TASKS, env, deps, { watch: WATCH, neverBeside: CHECKS });
}

/** Runs one step of a task, also by the name that it had before. Rejects if the task is unknown. */
export function runTask(env: Env, deps: Dependencies, message: TaskMessage): Promise<void> {
  const task = RENAMED_TASKS.get(message.task) ?? message.task;
  return runMessage(TASKS, env, deps, { ...message, task });
}
