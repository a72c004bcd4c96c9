import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { withTexts } from "../../../db/archive/archived-texts.ts";
import { dueOfAll, type Due, type FanOut } from "../../../db/sharding/fan-out.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import type { Env } from "../../../config.ts";
import {
  depsOfCompany,
  type Dependencies,
  type CompanyDependencies,
} from "../../../http/context.ts";
import { newTraceId } from "../../../http/tracing.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { providerOfCharge } from "../../../providers/registry.ts";
import { methodOf } from "../../../methods/registry.ts";
import {
  endWithoutAccount,
  mayAccountReturn,
  registerCharge,
  resumePull,
} from "../register-charge.ts";
import { CREATE_LEASE_MS } from "../claim/draft.ts";
import { stealLease } from "../repository.ts";
import {
  claimDue,
  countDue,
  deferToExpiry,
  postponeSweep,
  type SweepProgress,
} from "./repository.ts";
import { endLost, PULL_LOST_AFTER_MS, syncCharge } from "../sync.ts";

/** Charges swept at once: each is a call to a provider. */
const BATCH_SIZE = 20;
/**
 * Calls to D1 and to objects that the charges of one invocation take, of the 1,000 that the platform allows it; the next
 * one continues.
 */
const SWEEP_CALLS_MAX = 960;
/**
 * Of these, those of one charge at most: of one that is asked about, and of a create at banks, which remember its steps, and
 * of which one may follow another.
 */
const CHARGE_CALLS = 8;
const CREATE_CALLS = 24;
/** Charges in one invocation, if none is a create. */
export const CHARGES_MAX = 100;
/**
 * Due charges for each further invocation that sweeps at the same time: five steps of 100, in 10 s each.
 * 20,000 charges, the most that are counted, are 40 invocations: 18,000 of a minute are done in a minute.
 */
const DUE_PER_LANE = 500;
const DUE_COUNTED_MAX = 20_000;
/** No new batch once the next minute's cron is near. */
const SWEEP_TIME_MS = 40_000;
/** Slow companies handed to the next step; with more of them the next step starts over. */
const SLOW_COMPANIES_MAX = 1_000;
/** Charges of one company at once, so that a slow provider does not hold all of a run's connections. */
const CONCURRENCY_PER_COMPANY = 5;
/** The other companies of a batch wait no longer than this for the slowest. */
const BATCH_TIMEOUT_MS = 2_000;
/** Statements that defer charges to their expiry: 30,000 charges a minute, in each database. */
const DEFERRAL_ROUNDS_MAX = 30;
/** A charge without a clear answer is swept again after this. */
const SWEEP_RETRY_MS = 5 * 60_000;
/** An expired authorization is checked daily: it may stay with its acquirer for ever. */
const AUTHORIZED_RETRY_MS = 24 * 60 * 60_000;

/** A boleto past its day that its house may have under a later one: its house limits what it is asked in a day. */
const PAYABLE_RETRY_MS = 60 * 60_000;

type DueCharge = Awaited<ReturnType<typeof claimDue>>["rows"][number];

/**
 * Sweeps unfinished creates and charges past their expiry, batch by batch until none is due or the time
 * is up. Each batch is claimed, so that many invocations sweep side by side: the minute's first step starts as
 * many as the due charges need. A swept row is settled or due later, so no batch reads it again; a database
 * that cannot be written is excluded. A company with a slow provider waits for the next run, so that its
 * backlog does not delay other companies. Where more are due, another invocation continues within the minute.
 */
export async function sweepTransactions(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
  { fanOut, nowMs }: Due = dueOfAll(env, deps),
  batchTimeoutMs = BATCH_TIMEOUT_MS,
): Promise<void> {
  const startedAt = deps.platformClock.now();
  if (step.state === null) await deferAnswered(fanOut, nowMs);
  const progress = toProgress(step.state as SweepState | null);
  const sweepOne = async ({ transaction, company }: DueCharge) => {
    try {
      if ((await deps.pauses.of(env, company.id)) !== null) return;
      // One that has left D1 is open again only after a mend of its status.
      await sweepTransaction(
        env,
        depsOfCompany(deps, company),
        await withTexts(env, transaction),
        company,
      );
    } catch (error) {
      // The claim has put it off.
      log("warn", "sweep_failed", { ...errorFields(error), transactionId: transaction.id });
    }
  };
  const batches = [];
  let isFull = true;
  let calls = 0;
  for (let left = CHARGES_MAX; left > 0;) {
    // Each may be a create.
    const affordable = Math.floor((SWEEP_CALLS_MAX - calls) / CREATE_CALLS);
    const size = Math.min(BATCH_SIZE, left, affordable);
    if (size === 0) break;
    const claimedUntil = nowMs + SWEEP_RETRY_MS;
    const { found, rows } = await claimDue(fanOut, nowMs, claimedUntil, size, progress);
    if (step.state === null && batches.length === 0 && found === size) {
      progress.lane.count = lanesFor(await countDue(fanOut, nowMs, DUE_COUNTED_MAX));
      await step.share(otherLanes(progress.lane.count));
    }
    calls += rows.reduce((sum, row) => sum + callsOf(row), 0);
    const { all, inTime } = sweepBatch(rows, sweepOne, progress.companies, batchTimeoutMs);
    batches.push(all);
    await inTime;
    const outOfTime = deps.platformClock.now() - startedAt > SWEEP_TIME_MS;
    isFull = found === size && !outOfTime;
    if (!isFull) break;
    left -= size;
  }
  // The next step starts before the slow companies are done.
  if (isFull) await step.continue(toState(progress));
  await Promise.all(batches);
}

function callsOf({ transaction: { answeredAt, provider } }: DueCharge): number {
  return answeredAt === null && provider !== "Sandbox" ? CREATE_CALLS : CHARGE_CALLS;
}

/** The invocations that sweep a number of due charges in a minute, of which the minute's first step is one. */
function lanesFor(due: number): number {
  return Math.max(1, Math.ceil(Math.min(due, DUE_COUNTED_MAX) / DUE_PER_LANE));
}

function otherLanes(count: number): SweepState[] {
  return Array.from({ length: count - 1 }, (_, other) => ({
    companies: [],
    reached: [],
    lane: { index: other + 1, count },
  }));
}

/** The progress that one step of the sweep hands to the next. */
interface SweepState {
  companies: number[];
  reached: [database: string, nextSweepAt: number][];
  lane: SweepProgress["lane"];
}

function toProgress(before: SweepState | null): SweepProgress {
  return {
    companies: new Set(before?.companies),
    reached: new Map(before?.reached),
    lane: before?.lane ?? { index: 0, count: 1 },
  };
}

function toState({ companies, reached, lane }: SweepProgress): SweepState {
  return companies.size > SLOW_COMPANIES_MAX
    ? { companies: [], reached: [], lane }
    : { companies: [...companies], reached: [...reached], lane };
}

/**
 * Sweeps companies side by side. `inTime` resolves when all are done or at the timeout; unfinished
 * companies are skipped from then on. `all` resolves when the unfinished ones are done too.
 */
function sweepBatch(
  due: DueCharge[],
  sweepOne: (row: DueCharge) => Promise<void>,
  slowCompanies: Set<number>,
  timeoutMs: number,
) {
  const unfinished = new Set(due.map(({ company }) => company.id));
  const all = Promise.all(
    [...Map.groupBy(due, ({ company }) => company.id)].map(async ([companyId, rows]) => {
      await sweepCompany(rows, sweepOne, () => slowCompanies.has(companyId));
      unfinished.delete(companyId);
    }),
  );
  const wait = async () => {
    const abort = new AbortController();
    const timeout = scheduler.wait(timeoutMs, { signal: abort.signal }).catch(() => undefined);
    await Promise.race([all, timeout]).finally(() => abort.abort());
    for (const companyId of unfinished) slowCompanies.add(companyId);
  };
  return { all, inTime: wait() };
}

async function sweepCompany(
  rows: DueCharge[],
  sweepOne: (row: DueCharge) => Promise<void>,
  isSlow: () => boolean,
): Promise<void> {
  for (let start = 0; start < rows.length && !isSlow(); start += CONCURRENCY_PER_COMPANY) {
    await Promise.all(rows.slice(start, start + CONCURRENCY_PER_COMPANY).map(sweepOne));
  }
}

/** Settles a claimed row, if its provider says how it ended. Any other is due again when its claim ends. */
async function sweepTransaction(
  env: Env,
  deps: CompanyDependencies,
  row: TransactionRow,
  company: Company,
): Promise<void> {
  const now = deps.clock.now();
  const provider = await providerOfCharge(deps.providers(env), company, row);
  if (row.answeredAt === null) {
    const leased = row.leaseUntil > now ? null : await stealLease(env, row, now + CREATE_LEASE_MS);
    if (leased === null) {
      await postponeSweep(env, row, now + CREATE_LEASE_MS);
      return;
    }
    const context = { env, deps, company, traceId: newTraceId(deps.random) };
    const method = methodOf(row.paymentMethod);
    if (provider === null) {
      await endWithoutAccount(context, leased);
      return;
    }
    const resumed =
      method.initiation === "pull"
        ? await resumePull(context, provider, leased, null)
        : await registerCharge(context, provider, leased, method);
    // A decided pull has set its next sweep itself.
    const expiresAt = method.initiation === "pull" ? null : resumed.expiresAt;
    if (resumed.answeredAt !== null && expiresAt !== null) await postponeSweep(env, row, expiresAt);
    return;
  }
  if (provider === null) {
    const isLost = row.status === "creating" && !(await mayAccountReturn(env, row, now));
    if (!isLost) throw new Error("the account that has this charge is no longer connected");
    await endLost(env, row);
    return;
  }
  const outcome = await syncCharge({ env, deps, company }, provider, row);
  const isUndecided = outcome === "open" || outcome === "not_found" || outcome === "unknown";
  if (isUndecided && row.status === "creating")
    await postponeSweep(env, row, now + undecidedWait(now - row.answeredAt));
  if (outcome === "open" && row.boleto !== null)
    await postponeSweep(env, row, now + PAYABLE_RETRY_MS);
  if (outcome !== "authorized") return;
  await postponeSweep(env, row, Math.max(now + AUTHORIZED_RETRY_MS, row.expiresAt ?? 0));
}

/**
 * How long an undecided pull of an age waits for its next look: as long as it has waited, at most the usual time, and
 * not beyond the moment from which its provider's "not found" ends it. Milliseconds.
 */
function undecidedWait(ageMs: number): number {
  const wait = Math.min(Math.max(ageMs, 0), SWEEP_RETRY_MS);
  return ageMs < PULL_LOST_AFTER_MS ? Math.min(wait, PULL_LOST_AFTER_MS - ageMs) : wait;
}

/** Defers registered charges to their expiry. A failure only means that providers are queried early. */
async function deferAnswered(fanOut: FanOut, nowMs: number): Promise<void> {
  try {
    for (let batches = 0; batches < DEFERRAL_ROUNDS_MAX; batches++) {
      if (await deferToExpiry(fanOut, nowMs)) return;
    }
  } catch (error) {
    log("error", "sweep_defer_failed", errorFields(error));
  }
}
