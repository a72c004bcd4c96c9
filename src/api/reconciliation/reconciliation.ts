import {
  dueAccounts,
  deletePasses,
  deleteRecordDigests,
  createPasses,
  savePasses,
  claimPasses,
  type DueAccount,
} from "../../db/reconciliation/reconciliation.ts";
import { FanOut } from "../../db/sharding/fan-out.ts";
import { TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../domain/shared/pix-api.ts";
import {
  completePass,
  shrinkWindow,
  completeWindow,
  lagMs,
  RUN_LEASE_MS,
  LIST_NAMES,
  LISTING_DELAY_MS,
  nextWindow,
  PASS_NAMES,
  NO_ANSWER_RETRY_MS,
  type Pass,
  type TimeWindow,
} from "../../domain/reconciliation/reconciliation.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import { AccountBudget, RunBudget } from "./call-budget.ts";
import { bookPage, type ListContext } from "./records.ts";

/** Accounts read a minute, side by side: one slow PSP keeps nobody waiting. */
const ACCOUNTS_MAX = 20;
/** What was told of a record is forgotten once no pass can read the record any more. */
const RECORD_TTL_MS = 100 * 24 * 60 * 60_000;

/**
 * Reads again what the companies' PSPs list, and books what is not booked yet, so that a callback that was
 * lost loses nothing. A window is done only once all of it was read and booked.
 */
export async function reconcileAccounts(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  const fanOut = new FanOut(env);
  await createPasses(env, fanOut, startedAt, ACCOUNTS_MAX);
  const due = await dueAccounts(fanOut, startedAt, ACCOUNTS_MAX);
  const run = new RunBudget(deps.clock);
  await Promise.all(
    due.map(async (account) => {
      try {
        await reconcileAccount(env, deps, account, new AccountBudget(run, deps.clock));
      } catch (error) {
        log("error", "reconcile_failed", { ...errorFields(error), ...accountFields(account) });
      }
    }),
  );
}

async function reconcileAccount(
  env: Env,
  deps: Dependencies,
  due: DueAccount,
  budget: AccountBudget,
): Promise<void> {
  const now = deps.clock.now();
  const { company, account, leftAt } = due;
  // The minute's calls are used up: it is due still.
  if (!budget.spendAccount()) return;
  const isRetired = leftAt !== null && leftAt + FORMER_ACCOUNT_RETENTION_MS <= now;
  const provider = isRetired
    ? null
    : await deps.providers(env).ofAccount(company, account, TRANSFER_METHOD);
  // It was left long ago, or is no longer connected.
  if (provider === null) return deletePasses(env, due);
  const passes = await claimPasses(env, due, now, now + RUN_LEASE_MS);
  logBehind(due, passes, now);
  const progressed: Pass[] = [];
  try {
    for (const pass of passes.toSorted(byUrgency)) {
      const isPassLate = lagMs(pass, now) > 0;
      const context = { env, deps, company, account, provider, budget, isPassLate };
      try {
        progressed.push(await runPass(context, due, pass));
      } catch (error) {
        // Its lease is its wait. The others are none the worse for it.
        const { list, pass: name } = pass;
        log("error", "reconcile_failed", {
          ...errorFields(error),
          ...accountFields(due),
          list,
          pass: name,
        });
      }
    }
  } finally {
    await savePasses(env, due, progressed);
  }
}

/** What is new before what is old: old passes give way where there is more than a minute reads. */
function byUrgency(left: Pass, right: Pass): number {
  return (
    PASS_NAMES.indexOf(left.pass) - PASS_NAMES.indexOf(right.pass) ||
    LIST_NAMES.indexOf(left.list) - LIST_NAMES.indexOf(right.list)
  );
}

/** Goes on with a pass, window by window, as far as the budget reaches; answers how it stands then. */
async function runPass(context: ListContext, due: DueAccount, pass: Pass): Promise<Pass> {
  const { env, deps, provider, budget } = context;
  const now = deps.clock.now();
  if (!provider.lists.includes(pass.list)) return skipUnsupportedList(pass, now);
  let current = pass;
  for (;;) {
    const window = nextWindow(current, due.since, now);
    if (window === null) break;
    if (current !== pass) await savePasses(env, due, [current]);
    if (budget.isExhausted) return { ...current, nextRunAt: now };
    const outcome = await bookWindow(context, provider, current, window);
    if (outcome === "unknown") return { ...current, nextRunAt: now + NO_ANSWER_RETRY_MS };
    if (outcome === "too_many") {
      const { list, pass: name, windowMs } = current;
      log("error", "reconcile_window_overflow", {
        ...accountFields(due),
        list,
        pass: name,
        windowMs,
      });
      return shrinkWindow(current, now);
    }
    current = completeWindow(current, window);
  }
  if (pass.pass === "last_quarter") await deleteRecordDigests(env, due, now - RECORD_TTL_MS);
  return completePass(current, now);
}

/** A list that the PSP has not has nothing new; where it has it one day, it is read from then on. */
function skipUnsupportedList(pass: Pass, nowMs: number): Pass {
  const ended = completePass(pass, nowMs);
  return pass.pass === "newest" ? { ...ended, readUntil: nowMs - LISTING_DELAY_MS } : ended;
}

/**
 * `unknown` where the PSP did not say what there is, or one of it could not be booked; `too_many` where it
 * was more than this run reads.
 */
async function bookWindow(
  context: ListContext,
  provider: Provider,
  { list }: Pass,
  window: TimeWindow,
): Promise<"complete" | "unknown" | "too_many"> {
  const { company, deps, budget } = context;
  let isBooked = true;
  for (let page = 0; budget.spendPage(); page++) {
    const queriedAt = deps.clock.now();
    const report = await callProvider(provider.list(list, window, page), {
      provider: provider.name,
      companyId: company.id,
    });
    if (report.kind === "unknown") return "unknown";
    const outcome = await bookPage(context, list, { ...report, queriedAt });
    if (outcome === "too_many") return outcome;
    if (outcome === "failed") isBooked = false;
    if (!report.hasMore) return isBooked ? "complete" : "unknown";
  }
  return "too_many";
}

/** A pass that does not keep its time is said, each time that it goes on. */
function logBehind(due: DueAccount, passes: Pass[], nowMs: number): void {
  const behind = passes
    .map((pass) => ({ list: pass.list, pass: pass.pass, behindMs: lagMs(pass, nowMs) }))
    .filter((pass) => pass.behindMs > 0);
  if (behind.length === 0) return;
  log("error", "reconcile_delayed", { ...accountFields(due), passes: JSON.stringify(behind) });
}

function accountFields({ company, account }: DueAccount) {
  return { companyId: company.id, account };
}
