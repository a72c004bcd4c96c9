import {
  findDueAccount,
  listDueAccounts,
  deletePasses,
  deleteRecordDigests,
  createPasses,
  savePasses,
  claimPasses,
  type DueAccount,
  type DueAccountRef,
} from "../../db/reconciliation/reconciliation.ts";
import { FanOut } from "../../db/sharding/fan-out.ts";
import { TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../domain/psp/psp-settings.ts";
import {
  completePass,
  shrinkWindow,
  completeWindow,
  largestWindowMs,
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
import { pagesOf, SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";
import type { Env } from "../../config.ts";
import { depsOfCompany, type Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import { AccountBudget, RunBudget } from "./call-budget.ts";
import { bookPage, type ListContext } from "./book-list-page.ts";
import { readMandateLists } from "./mandate-pass.ts";
import { compareSettlements } from "./settlement-pass.ts";

/**
 * Accounts of one message, read side by side so that a slow PSP does not delay the others: an invocation has six
 * connections at once.
 */
const ACCOUNTS_PER_MESSAGE = 5;
/** New accounts whose passes one minute creates. */
const NEW_ACCOUNTS_MAX = 20;
/** A record's digest is deleted once no pass reads that far back. */
const RECORD_TTL_MS = 100 * 24 * 60 * 60_000;

/**
 * Cron task: reads the lists of the companies' PSPs and books what is missing, so that no lost callback loses
 * money. A window is complete only once all of it is booked. The first step finds the due accounts and sends a
 * message for each few of them; an account whose message was lost stays due, and one that another run has
 * claimed is left to it.
 */
export async function reconcileAccounts(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
): Promise<void> {
  if (step.state !== null) return reconcilePage(env, deps, step.state as DueAccountRef[]);
  const startedAt = deps.platformClock.now();
  const fanOut = new FanOut(env);
  await createPasses(env, fanOut, startedAt, NEW_ACCOUNTS_MAX);
  const due = await listDueAccounts(fanOut, startedAt);
  const [first = [], ...others] = pagesOf(due, ACCOUNTS_PER_MESSAGE);
  await step.share(others);
  await reconcilePage(env, deps, first);
}

async function reconcilePage(
  env: Env,
  deps: Dependencies,
  accounts: DueAccountRef[],
): Promise<void> {
  const run = new RunBudget(deps.platformClock);
  await Promise.all(
    accounts.map(async (ref) => {
      try {
        const due = await findDueAccount(env, ref, deps.platformClock.now());
        if (due !== null) {
          await reconcileAccount(env, deps, due, new AccountBudget(run, deps.platformClock));
        }
      } catch (error) {
        log("error", "reconcile_failed", { ...errorFields(error), ...ref });
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
  const now = deps.platformClock.now();
  const { company, account, leftAt } = due;
  // The account stays due.
  if ((await deps.pauses.of(env, company.id)) !== null) return;
  if (!budget.spendAccount()) return;
  const isExpired = leftAt !== null && leftAt + FORMER_ACCOUNT_RETENTION_MS <= now;
  const provider = isExpired
    ? null
    : await deps.providers(env).ofAccount(company, account, TRANSFER_METHOD);
  // The company left the account long ago, or the account is no longer connected.
  if (provider === null) return deletePasses(env, due);
  const passes = await claimPasses(env, due, now, now + RUN_LEASE_MS);
  logBehind(due, passes, now);
  const ofAccount = {
    env,
    deps: depsOfCompany(deps, company),
    company,
    account,
    provider,
    budget,
  };
  const progressed: Pass[] = [];
  try {
    for (const pass of passes.toSorted(byUrgency)) {
      const context = { ...ofAccount, isPassLate: lagMs(pass, now) > 0 };
      try {
        progressed.push(await runPass(context, due, pass));
      } catch (error) {
        // The pass is due again when its lease ends; the others continue.
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
  for (const [list, read] of OTHER_LISTS) {
    try {
      await read(ofAccount, due.since, now + RUN_LEASE_MS);
    } catch (error) {
      // Due again when its lease ends.
      log("error", "reconcile_failed", { ...errorFields(error), ...accountFields(due), list });
    }
  }
}

/** What is read of an account after its passes, each at times of its own. */
const OTHER_LISTS = [
  ["mandates", readMandateLists],
  ["settlements", compareSettlements],
] as const;

/** Newest records first: passes over older ones wait if a run cannot read everything. */
function byUrgency(left: Pass, right: Pass): number {
  return (
    PASS_NAMES.indexOf(left.pass) - PASS_NAMES.indexOf(right.pass) ||
    LIST_NAMES.indexOf(left.list) - LIST_NAMES.indexOf(right.list)
  );
}

/** Continues a pass, window by window, while the budget lasts; returns its new state. */
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
    current = completeWindow(current, window, largestWindowMs(current));
  }
  if (pass.pass === "last_quarter") await deleteRecordDigests(env, due, now - RECORD_TTL_MS);
  return completePass(current, now);
}

/** Completes the pass of a list that the PSP does not offer; reading starts once it does. */
function skipUnsupportedList(pass: Pass, nowMs: number): Pass {
  const ended = completePass(pass, nowMs);
  return pass.pass === "newest" ? { ...ended, readUntil: nowMs - LISTING_DELAY_MS } : ended;
}

/** `unknown` if the PSP did not answer or a record was not booked; `too_many` if the budget was exhausted. */
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

/** Logs late passes on every run. */
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
