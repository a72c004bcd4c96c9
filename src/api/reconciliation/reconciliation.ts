import {
  dueAccounts,
  endPasses,
  forgetRecords,
  makePasses,
  savePasses,
  takePasses,
  type DueAccount,
} from "../../db/reconciliation/reconciliation.ts";
import { Round } from "../../db/sharding/round.ts";
import { FORMER_ACCOUNT_MS } from "../../domain/shared/pix-api.ts";
import {
  afterEnd,
  afterTooMany,
  afterWindow,
  behindMs,
  LEASE_MS,
  LIST_NAMES,
  LISTING_DELAY_MS,
  nextWindow,
  PASS_NAMES,
  SILENT_RETRY_MS,
  type Pass,
  type Window,
} from "../../domain/reconciliation/reconciliation.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { answerOf, type Provider } from "../../providers/provider.ts";
import { Allowance, RunAllowance } from "./allowance.ts";
import { bookPage, type ListContext } from "./records.ts";

/** Accounts read a minute, side by side: one slow PSP keeps nobody waiting. */
const ACCOUNTS_MAX = 20;
/** What was told of a record is forgotten once no pass can read the record any more. */
const REMEMBERED_MS = 100 * 24 * 60 * 60_000;

/**
 * Reads again what the companies' PSPs list, and books what is not booked yet, so that a callback that was
 * lost loses nothing. A window is done only once all of it was read and booked.
 */
export async function reconcileAccounts(env: Env, deps: Dependencies): Promise<void> {
  const startedAt = deps.clock.now();
  const round = new Round(env);
  await makePasses(env, round, startedAt, ACCOUNTS_MAX);
  const due = await dueAccounts(round, startedAt, ACCOUNTS_MAX);
  const run = new RunAllowance(deps.clock);
  await Promise.all(
    due.map(async (account) => {
      try {
        await reconcileAccount(env, deps, account, new Allowance(run, deps.clock));
      } catch (error) {
        log("error", "reconcile_failed", { ...errorFields(error), ...named(account) });
      }
    }),
  );
}

async function reconcileAccount(
  env: Env,
  deps: Dependencies,
  due: DueAccount,
  allowance: Allowance,
): Promise<void> {
  const now = deps.clock.now();
  const { company, account, leftAt } = due;
  // The minute's calls are used up: it is due still.
  if (!allowance.takeAccount()) return;
  const isOver = leftAt !== null && leftAt + FORMER_ACCOUNT_MS <= now;
  const provider = isOver ? null : await deps.providers(env).ofAccount(company, account, "PIX");
  // It was left long ago, or is no longer connected.
  if (provider === null) return endPasses(env, due);
  const passes = await takePasses(env, due, now, now + LEASE_MS);
  sayBehind(due, passes, now);
  const left: Pass[] = [];
  try {
    for (const pass of passes.toSorted(byUrgency)) {
      const isLate = behindMs(pass, now) > 0;
      const context = { env, deps, company, account, provider, allowance, isLate };
      try {
        left.push(await runPass(context, due, pass));
      } catch (error) {
        // Its lease is its wait. The others are none the worse for it.
        const { list, pass: name } = pass;
        log("error", "reconcile_failed", {
          ...errorFields(error),
          ...named(due),
          list,
          pass: name,
        });
      }
    }
  } finally {
    await savePasses(env, due, left);
  }
}

/** What is new before what is old: old passes give way where there is more than a minute reads. */
function byUrgency(left: Pass, right: Pass): number {
  return (
    PASS_NAMES.indexOf(left.pass) - PASS_NAMES.indexOf(right.pass) ||
    LIST_NAMES.indexOf(left.list) - LIST_NAMES.indexOf(right.list)
  );
}

/** Goes on with a pass, window by window, as far as the allowance reaches; answers how it stands then. */
async function runPass(context: ListContext, due: DueAccount, pass: Pass): Promise<Pass> {
  const { env, deps, provider, allowance } = context;
  const now = deps.clock.now();
  if (!provider.lists.includes(pass.list)) return withoutList(pass, now);
  let current = pass;
  for (;;) {
    const window = nextWindow(current, due.since, now);
    if (window === null) break;
    if (current !== pass) await savePasses(env, due, [current]);
    if (allowance.isOver) return { ...current, nextRunAt: now };
    const outcome = await bookWindow(context, provider, current, window);
    if (outcome === "unknown") return { ...current, nextRunAt: now + SILENT_RETRY_MS };
    if (outcome === "too_many") {
      const { list, pass: name, windowMs } = current;
      log("error", "list_too_long", { ...named(due), list, pass: name, windowMs });
      return afterTooMany(current, now);
    }
    current = afterWindow(current, window);
  }
  if (pass.pass === "last_quarter") await forgetRecords(env, due, now - REMEMBERED_MS);
  return afterEnd(current, now);
}

/** A list that the PSP has not has nothing new; where it has it one day, it is read from then on. */
function withoutList(pass: Pass, nowMs: number): Pass {
  const ended = afterEnd(pass, nowMs);
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
  window: Window,
): Promise<"whole" | "unknown" | "too_many"> {
  const { company, deps, allowance } = context;
  let isBooked = true;
  for (let page = 0; allowance.takePage(); page++) {
    const askedAt = deps.clock.now();
    const report = await answerOf(provider.list(list, window, page), {
      provider: provider.name,
      companyId: company.id,
    });
    if (report.kind === "unknown") return "unknown";
    const outcome = await bookPage(context, list, { ...report, askedAt });
    if (outcome === "too_many") return outcome;
    if (outcome === "failed") isBooked = false;
    if (!report.hasMore) return isBooked ? "whole" : "unknown";
  }
  return "too_many";
}

/** A pass that does not keep its time is said, each time that it goes on. */
function sayBehind(due: DueAccount, passes: Pass[], nowMs: number): void {
  const behind = passes
    .map((pass) => ({ list: pass.list, pass: pass.pass, behindMs: behindMs(pass, nowMs) }))
    .filter((pass) => pass.behindMs > 0);
  if (behind.length === 0) return;
  log("error", "reconcile_behind", { ...named(due), passes: JSON.stringify(behind) });
}

function named({ company, account }: DueAccount) {
  return { companyId: company.id, account };
}
