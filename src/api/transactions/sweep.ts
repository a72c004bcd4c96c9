import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { FencedError } from "../../db/sharding/routed.ts";
import { Round } from "../../db/sharding/round.ts";
import type { Company } from "../../domain/shared/company.ts";
import { ONLY_STEP, type TaskStep } from "../../domain/shared/task.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { newTraceId } from "../../http/tracing.ts";
import { errorFields, log } from "../../lib/log.ts";
import { providerOfCharge } from "../../providers/registry.ts";
import { registerCharge, resumeCard } from "./charge.ts";
import { CREATE_LEASE_MS } from "./draft.ts";
import { takeOver } from "./repository.ts";
import { awaitExpiry, dueTransactions, postponeSweep, type Passed } from "./sweep-list.ts";
import { syncCharge } from "./sync.ts";

/** Charges looked after at once: each is a call to a provider. */
const SWEEP_BATCH = 20;
/**
 * 100 charges in one invocation: a create that is resumed takes up to eight calls to D1 and to its
 * object, of the 1,000 that the platform lets an invocation make; the next goes on.
 */
const SWEEP_BATCHES_MAX = 5;
/** No new batch once the next minute's cron is near. */
const SWEEP_TIME_MS = 40_000;
/** Companies that are handed on as slow; with more of them the next step begins anew. */
const PASSED_MAX = 1_000;
/** Of these of one company at once: a slow provider holds no more of a run's connections. */
const AT_ONCE_PER_COMPANY = 5;
/** How long the other companies wait for the slowest of a batch. */
const PATIENCE_MS = 2_000;
/** Statements that put charges off to their expiry: 30,000 a minute, of each database. */
const PUT_OFFS_MAX = 30;
/** When a charge that nothing could be learnt of is looked at again. */
const SWEEP_RETRY_MS = 5 * 60_000;
/** The same of an authorization past its time: nobody may ever capture it, nor its acquirer drop it. */
const HELD_RETRY_MS = 24 * 60 * 60_000;

type Due = Awaited<ReturnType<typeof dueTransactions>>[number];

/**
 * Creates that nobody finished, and charges past their expiry, batch by batch until none is due or the
 * time is up. A row that was looked at is settled or due later, so no batch sees it again; nor one of a
 * database that can be read and not written. A company whose provider is slow waits for the next run,
 * so that its backlog keeps no other company's charges waiting. Where many are due, the next step of the
 * minute goes on in another invocation.
 */
export async function sweepTransactions(
  env: Env,
  deps: Dependencies,
  step: TaskStep = ONLY_STEP,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const startedAt = deps.clock.now();
  if (step.state === null) await putOff(env, startedAt);
  const round = new Round(env);
  const passed = passedOf(step.state as HandedOn | null);
  const sweepOne = async ({ transaction, company, database }: Due) => {
    try {
      await sweepOrPostpone(env, deps, transaction, company);
    } catch (error) {
      // Behind its company's fence no batch sees it again either.
      if (!(error instanceof FencedError)) round.leaveOut(database, error);
    }
  };
  const batches = [];
  let isFull = true;
  for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch++) {
    const due = await dueTransactions(round, startedAt, SWEEP_BATCH, passed);
    const { all, inTime } = sweepBatch(due, sweepOne, passed.companies, patienceMs);
    batches.push(all);
    await inTime;
    const outOfTime = deps.clock.now() - startedAt > SWEEP_TIME_MS;
    isFull = due.length === SWEEP_BATCH && !outOfTime;
    if (!isFull) break;
  }
  // Before the slow ones are done, who keep nobody else waiting.
  if (isFull) await step.goOn(handedOn(passed));
  await Promise.all(batches);
}

/** What one step of the sweep has gone past, for the next. */
interface HandedOn {
  companies: number[];
  reached: [database: string, nextSweepAt: number][];
}

function passedOf(before: HandedOn | null): Passed {
  return { companies: new Set(before?.companies), reached: new Map(before?.reached) };
}

function handedOn({ companies, reached }: Passed): HandedOn {
  return companies.size > PASSED_MAX
    ? { companies: [], reached: [] }
    : { companies: [...companies], reached: [...reached] };
}

/**
 * Companies side by side. `inTime` is over when all are done or the patience is: those that are not done
 * then are left out from here on. `all` is over when they are done, too.
 */
function sweepBatch(
  due: Due[],
  sweepOne: (row: Due) => Promise<void>,
  leftOut: Set<number>,
  patienceMs: number,
) {
  const unfinished = new Set(due.map(({ company }) => company.id));
  const all = Promise.all(
    [...Map.groupBy(due, ({ company }) => company.id)].map(async ([companyId, rows]) => {
      await sweepCompany(rows, sweepOne, () => leftOut.has(companyId));
      unfinished.delete(companyId);
    }),
  );
  const wait = async () => {
    const isOver = new AbortController();
    const patience = scheduler.wait(patienceMs, { signal: isOver.signal }).catch(() => undefined);
    await Promise.race([all, patience]).finally(() => isOver.abort());
    for (const companyId of unfinished) leftOut.add(companyId);
  };
  return { all, inTime: wait() };
}

async function sweepCompany(
  rows: Due[],
  sweepOne: (row: Due) => Promise<void>,
  isLeftOut: () => boolean,
): Promise<void> {
  for (let start = 0; start < rows.length && !isLeftOut(); start += AT_ONCE_PER_COMPANY) {
    await Promise.all(rows.slice(start, start + AT_ONCE_PER_COMPANY).map(sweepOne));
  }
}

/** Throws where it could not even be postponed. */
async function sweepOrPostpone(
  env: Env,
  deps: Dependencies,
  row: TransactionRow,
  company: Company,
): Promise<void> {
  try {
    await sweepTransaction(env, deps, row, company);
  } catch (error) {
    log("warn", "sweep_failed", { ...errorFields(error), transactionId: row.id });
    await postponeSweep(env, row, deps.clock.now() + SWEEP_RETRY_MS);
  }
}

async function sweepTransaction(
  env: Env,
  deps: Dependencies,
  row: TransactionRow,
  company: Company,
): Promise<void> {
  const now = deps.clock.now();
  const provider = await providerOfCharge(deps.providers(env), company, row);
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
    // What an acquirer decided says itself when it is due.
    const expiresAt = row.paymentMethod === "CREDIT_CARD" ? null : resumed.expiresAt;
    if (resumed.answeredAt === null) await postponeSweep(env, row, now + SWEEP_RETRY_MS);
    else if (expiresAt !== null) await postponeSweep(env, row, expiresAt);
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

/** Leaves charges that were answered to their expiry. Where it cannot, their providers are asked too early. */
async function putOff(env: Env, nowMs: number): Promise<void> {
  const round = new Round(env);
  try {
    for (let times = 0; times < PUT_OFFS_MAX; times++) {
      if (await awaitExpiry(round, nowMs)) return;
    }
  } catch (error) {
    log("error", "sweep_postpone_failed", errorFields(error));
  }
}
