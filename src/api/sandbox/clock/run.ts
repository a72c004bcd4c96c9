import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { leaseClock, releaseClock, saveClockOffset } from "../../../db/company-clocks.ts";
import { dueOfCompany } from "../../../db/sharding/fan-out.ts";
import { companyClock } from "../../../domain/shared/clock.ts";
import { SINGLE_STEP } from "../../../domain/shared/cron-step.ts";
import { inDueOrder, type DueItem, type DueKind } from "../../../domain/time/due-item.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { deliver } from "../../../webhooks/delivery/deliver.ts";
import { sendEmails } from "../../emails/tasks.ts";
import { erasePayers } from "../../payers/tasks.ts";
import { creditUnexpected } from "../../payments/tasks.ts";
import { sweepCallbacks } from "../../provider-callbacks/tasks.ts";
import { sweepTransactions } from "../../transactions/sweep/tasks.ts";
import { handlePayoutMessage } from "../../withdraws/tasks.ts";
import { dueInD1, type DueInD1 } from "./repository.ts";

/** Things that one request runs: each takes up to a dozen calls to D1 and objects, of 1,000 an invocation. */
const ITEMS_MAX = 100;
/** A request answers within this, and says that there is more. */
const RUN_TIME_MS = 20_000;
/** A run that takes longer than this has crashed. */
const LEASE_MS = 120_000;
/** Due things of a kind that one look sees. */
const LOOK_MAX = 20;

/** A sandbox company as its clock runs. */
export interface ClockOwner {
  id: number;
  clockOffsetMs: number;
}

/** What a run did: the things that were due, in their order, and whether more are due by the same time. */
export interface ClockRun {
  ran: DueItem[];
  hasMore: boolean;
  /** The company's time (Unix milliseconds) that the run has reached. */
  now: number;
  /** Until when more is due; null if nothing is. */
  until: number | null;
}

type Context = { env: Env; deps: Dependencies };

/**
 * Moves a sandbox company's clock forward to a time (null: it goes on with what is due), and on the way does all that
 * becomes due, each at its time and in order, as if the time had passed. Stops after so many things or so long; the next
 * run goes on where it stopped, also after a crash: what was done is due no more. Null if another run has the clock.
 */
export async function runClock(
  { env, deps }: Context,
  company: ClockOwner,
  to: number | null,
): Promise<ClockRun | null> {
  const startedAt = deps.platformClock.now();
  const lease = { until: to, nowMs: startedAt, leaseUntil: startedAt + LEASE_MS };
  const taken = await leaseClock(env, company.id, lease);
  if (taken === false) return null;
  const { runsUntil } = taken;
  let ended: { reached: number | null; isDone: boolean } = { reached: null, isDone: false };
  try {
    const run = new Run({ env, deps }, company, runsUntil);
    const isDone = await run.go(() => deps.platformClock.now() - startedAt > RUN_TIME_MS);
    // The clock goes on meanwhile: the answer is the time that was asked for.
    const now = isDone && runsUntil !== null ? runsUntil : run.now();
    ended = { reached: to === null ? null : now, isDone };
    return { ran: run.ran, hasMore: !isDone, now, until: isDone ? null : runsUntil };
  } finally {
    await releaseClock(env, company.id, ended);
  }
}

class Run {
  readonly ran: DueItem[] = [];
  readonly #context: Context;
  readonly #companyId: number;
  readonly #until: number | null;
  #offsetMs: number;
  /** Deadlines until here have passed. */
  #from: number;
  /** What has run at its time: what is due at the same one again has failed, and waits for a later run. */
  readonly #done = new Set<string>();

  constructor(context: Context, { id, clockOffsetMs }: ClockOwner, until: number | null) {
    this.#context = context;
    this.#companyId = id;
    this.#offsetMs = clockOffsetMs;
    this.#until = until;
    this.#from = this.now();
  }

  /** The company's time. */
  now(): number {
    return this.#clock().now();
  }

  #clock() {
    const { platformClock } = this.#context.deps;
    return companyClock(platformClock, { clockOffsetMs: this.#offsetMs });
  }

  /** Runs what is due until the end, or until it is too long or too much. Returns whether it reached the end. */
  async go(isLate: () => boolean): Promise<boolean> {
    for (;;) {
      const until = Math.max(this.#until ?? 0, this.now());
      const [first, ...others] = await this.#due(until);
      if (first === undefined) {
        await this.#moveTo(until);
        await this.#erase();
        return true;
      }
      const isFull = () => this.ran.length >= ITEMS_MAX || isLate();
      if (isFull()) return false;
      await this.#moveTo(Math.max(first.at, this.now()));
      const items = [first, ...others.filter(({ at }) => at <= first.at)];
      for (const item of items.filter(isDoneByObject)) this.#note(item);
      const swept = new Set<DueKind>();
      for (const item of items.filter((each) => !isDoneByObject(each))) {
        // A receiver may take long: what is left is due as before.
        if (isFull()) return false;
        await this.#run(item, swept);
      }
      this.#from = Math.max(this.#from, first.at);
    }
  }

  /** What is due by a time and has not run, in order. */
  async #due(until: number): Promise<DueInD1[]> {
    const query = { until, limit: LOOK_MAX };
    const [ofObject, inD1] = await Promise.all([
      callCompany(this.#context.env, this.#companyId, (account) => account.dueItems(query)),
      dueInD1(this.#context.env, { ...query, companyId: this.#companyId, from: this.#from }),
    ]);
    return [...ofObject, ...inD1]
      .filter((item) => !this.#done.has(keyOf(item)))
      .toSorted(inDueOrder);
  }

  /** Moves the clock, and does what the object has due by itself. */
  async #moveTo(to: number): Promise<void> {
    const { env } = this.#context;
    this.#offsetMs = await callCompany(env, this.#companyId, (account) =>
      account.moveClock({ to }),
    );
    await saveClockOffset(env, this.#companyId, this.#offsetMs);
  }

  /** Does one thing, and lists it. One that fails is left to a later run, as to a later minute. */
  async #run(item: DueInD1, swept: Set<DueKind>): Promise<void> {
    this.#note(item);
    try {
      await this.#doWhatIsDue(item, swept);
    } catch (error) {
      const [companyId, { kind }] = [this.#companyId, item];
      log("warn", "clock_item_failed", { ...errorFields(error), companyId, kind });
    }
  }

  #note(item: DueInD1): void {
    this.#done.add(keyOf(item));
    const { at, kind, id } = item;
    this.ran.push({ at, kind, id });
  }

  /** `swept`: the kinds of which a sweep has done all at once. */
  async #doWhatIsDue({ kind, number, delivery }: DueInD1, swept: Set<DueKind>): Promise<void> {
    const { env, deps } = this.#context;
    const companyId = this.#companyId;
    const due = dueOfCompany(env, companyId, this.#clock());
    const isSwept = swept.has(kind);
    swept.add(kind);
    switch (kind) {
      case "release":
      case "approval_expiry":
      case "reservation_expiry":
      case "dispute_deadline":
        return;
      case "payout":
        return handlePayoutMessage(env, deps, { companyId, withdrawId: number ?? 0 });
      case "operation":
        return handlePayoutMessage(env, deps, { companyId, operationId: number ?? 0 });
      case "recheck":
        return handlePayoutMessage(env, deps, { companyId, recheckId: number ?? 0 });
      case "delivery":
        if (delivery !== undefined) await deliver(env, delivery, deps.sender(env));
        return;
      case "charge_expiry":
      case "charge_lookup":
        if (!isSwept) await sweepTransactions(env, deps, SINGLE_STEP, due);
        return;
      case "email":
        if (!isSwept) await sendEmails(env, deps, SINGLE_STEP, due);
        return;
      case "credit":
        if (!isSwept) await creditUnexpected(env, deps, SINGLE_STEP, due);
        return;
      case "callback":
        if (!isSwept) await sweepCallbacks(env, deps, SINGLE_STEP, due);
    }
  }

  /** Payers' data whose time has come: once a run, because its scans are due each hour. */
  async #erase(): Promise<void> {
    const { env, deps } = this.#context;
    await erasePayers(env, deps, SINGLE_STEP, dueOfCompany(env, this.#companyId, this.#clock()));
  }
}

/** Whether the object has done it as its clock moved. */
function isDoneByObject({ kind }: DueItem): boolean {
  return kind === "release" || kind === "approval_expiry" || kind === "reservation_expiry";
}

function keyOf({ at, kind, id }: DueItem): string {
  return `${kind} ${id} ${at}`;
}
