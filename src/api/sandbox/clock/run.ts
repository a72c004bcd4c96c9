import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { leaseClock, releaseClock, saveClockOffset } from "../../../db/company-clocks.ts";
import { dueOfCompany, type Due } from "../../../db/sharding/fan-out.ts";
import { companyClock } from "../../../domain/shared/clock.ts";
import { SINGLE_STEP } from "../../../domain/shared/cron-step.ts";
import type { DeliveryRef } from "../../../domain/events/delivery.ts";
import { inDueOrder, type DueItem, type DueKind } from "../../../domain/time/due-item.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { tryDeliver } from "../../../webhooks/delivery/deliver.ts";
import { askAboutResponses } from "../../disputes/response/tasks.ts";
import { sendEmails } from "../../emails/tasks.ts";
import { erasePayers } from "../../payers/tasks.ts";
import { creditUnexpected } from "../../payments/tasks.ts";
import { sweepCallbacks } from "../../provider-callbacks/tasks.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { sweepTransactions } from "../../transactions/sweep/tasks.ts";
import { handlePayoutMessage } from "../../withdraws/tasks.ts";
import { dueInD1, type DueInD1 } from "./repository.ts";

/**
 * What one request runs, in steps of the clock or things of a step: each takes up to a dozen calls to D1 and objects, of
 * 1,000 an invocation.
 */
const WORK_MAX = 100;
/** A request answers within this, and says that there is more. */
const RUN_TIME_MS = 20_000;
/** A run that takes longer than this has crashed. */
const LEASE_MS = 120_000;
/** Due things of a kind that one look sees ... */
const LOOK_MAX = 20;
/** ... and where so many are due at one time, the next look at that: what is done at once is listed at once. */
const AT_ONCE_MAX = 1_000;
/** Before a delivery that another sender has is asked for again. */
const HELD_WAIT_MS = 250;

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
  const isLate = () => deps.platformClock.now() - startedAt > RUN_TIME_MS;
  const run = new Run({ env, deps }, company, { until: runsUntil, isLate });
  try {
    const isDone = await run.go();
    // The clock goes on meanwhile: the answer is the time that was asked for.
    const now = isDone && runsUntil !== null ? runsUntil : run.now();
    ended = { reached: to === null ? null : now, isDone };
    return { ran: run.ran, hasMore: !isDone, now, until: isDone ? null : runsUntil };
  } finally {
    const nowMs = deps.platformClock.now();
    await releaseClock(env, company.id, { ...ended, leaseUntil: lease.leaseUntil, nowMs });
    // Cached credentials have the time of before.
    if (run.hasMoved) await updateCredentials(env, company.id, async () => undefined);
  }
}

/** What a cron task does, of one company: all that is due at a time at once. */
type Sweep = (env: Env, deps: Dependencies, due: Due) => Promise<void>;

const sweepCharges: Sweep = (env, deps, due) =>
  // As slow as it may be, no other company waits for it.
  sweepTransactions(env, deps, SINGLE_STEP, due, RUN_TIME_MS);

const SWEEPS: Partial<Record<DueKind, Sweep>> = {
  charge_expiry: sweepCharges,
  charge_lookup: sweepCharges,
  email: (env, deps, due) => sendEmails(env, deps, SINGLE_STEP, due),
  credit: (env, deps, due) => creditUnexpected(env, deps, SINGLE_STEP, due),
  dispute_response: (env, deps, due) => askAboutResponses(env, deps, SINGLE_STEP, due),
  callback: (env, deps, due) => sweepCallbacks(env, deps, SINGLE_STEP, due),
};

class Run {
  readonly ran: DueItem[] = [];
  readonly #context: Context;
  readonly #company: ClockOwner;
  readonly #until: number | null;
  readonly #isLate: () => boolean;
  #offsetMs: number;
  /** Deadlines until here have passed. */
  #from: number;
  #worked = 0;
  /** What has run at its time: what is due at the same one again has failed, and waits for a later run. */
  readonly #done = new Set<string>();

  constructor(
    context: Context,
    company: ClockOwner,
    { until, isLate }: { until: number | null; isLate: () => boolean },
  ) {
    this.#context = context;
    this.#company = company;
    this.#offsetMs = company.clockOffsetMs;
    this.#until = until;
    this.#isLate = isLate;
    this.#from = this.now();
  }

  /** The company's time. */
  now(): number {
    return this.#clock().now();
  }

  /** Whether the company's time is another than the run began with. */
  get hasMoved(): boolean {
    return this.#offsetMs !== this.#company.clockOffsetMs;
  }

  #clock() {
    const { platformClock } = this.#context.deps;
    return companyClock(platformClock, { clockOffsetMs: this.#offsetMs });
  }

  #isFull(): boolean {
    return this.#worked >= WORK_MAX || this.#isLate();
  }

  /** Runs what is due until the end, or until it is too long or too much. Returns whether it reached the end. */
  async go(): Promise<boolean> {
    for (;;) {
      const until = Math.max(this.#until ?? 0, this.now());
      const next = await this.#next(until);
      const [first] = next;
      if (first === undefined) {
        await this.#moveTo(until);
        await this.#erase();
        return true;
      }
      const [byObject, others] = [
        next.filter(isDoneByObject),
        next.filter((it) => !isDoneByObject(it)),
      ];
      const isTooMuch = this.#worked > 0 && this.#worked + others.length > WORK_MAX;
      if (isTooMuch || this.#isFull()) return false;
      // For what is due by the time that it has reached the clock stays where it is.
      const isThere = this.#worked > 0 && first.at <= this.now() && byObject.length === 0;
      if (!isThere) await this.#moveTo(Math.max(first.at, this.now()));
      this.#worked++;
      for (const item of byObject) this.#note(item);
      for (const [kind, items] of Map.groupBy(others, (item) => item.kind)) {
        if (!(await this.#runKind(kind, items))) return false;
      }
      this.#from = Math.max(this.#from, first.at);
    }
  }

  /** All that is due at the next time before an end, in order; nothing where nothing is. */
  async #next(until: number): Promise<DueInD1[]> {
    const found = await this.#due({ until, limit: LOOK_MAX });
    const [first] = found;
    if (first === undefined) return [];
    const next = found.filter(({ at }) => at <= first.at);
    return next.length < LOOK_MAX ? next : this.#due({ until: first.at, limit: AT_ONCE_MAX });
  }

  /** What is due by a time and has not run, in order. */
  async #due(query: { until: number; limit: number }): Promise<DueInD1[]> {
    const { id: companyId } = this.#company;
    const { env } = this.#context;
    // D1 has what the object has told it before that answers.
    const ofObject = await callCompany(env, companyId, (account) => account.dueItems(query));
    const inD1 = await dueInD1(env, { ...query, companyId, from: this.#from });
    return [...ofObject, ...inD1]
      .filter((item) => !this.#done.has(keyOf(item)))
      .toSorted(inDueOrder);
  }

  /** Moves the clock, and does what the object has due by itself. */
  async #moveTo(to: number): Promise<void> {
    const { env } = this.#context;
    this.#offsetMs = await callCompany(env, this.#company.id, (account) =>
      account.moveClock({ to }),
    );
    await saveClockOffset(env, this.#company.id, this.#offsetMs);
  }

  /** Does the things of a kind that are due at one time. Returns whether it did all of them. */
  async #runKind(kind: DueKind, items: DueInD1[]): Promise<boolean> {
    const sweep = SWEEPS[kind];
    if (sweep !== undefined) {
      for (const item of items) this.#note(item);
      this.#worked += items.length;
      const { env, deps } = this.#context;
      const due = dueOfCompany(env, this.#company.id, this.#clock());
      await this.#attempt(kind, () => sweep(env, deps, due));
      return true;
    }
    for (const item of items) {
      // A receiver may take long: what is left is due as before.
      if (this.#isFull()) return false;
      this.#worked++;
      if ((await this.#attempt(kind, () => this.#doWhatIsDue(item))) === "held") return false;
      this.#note(item);
    }
    return true;
  }

  /** One that fails is left to a later run, as to a later minute. */
  async #attempt<Answer>(kind: DueKind, run: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await run();
    } catch (error) {
      const companyId = this.#company.id;
      log("warn", "clock_item_failed", { ...errorFields(error), companyId, kind });
      return null;
    }
  }

  #note(item: DueInD1): void {
    this.#done.add(keyOf(item));
    const { at, kind, id } = item;
    this.ran.push({ at, kind, id });
  }

  async #doWhatIsDue({ number = 0, kind, delivery }: DueInD1): Promise<"held" | void> {
    const { env, deps } = this.#context;
    const { id: companyId } = this.#company;
    if (delivery !== undefined) return this.#deliver(delivery);
    if (kind === "payout") await handlePayoutMessage(env, deps, { companyId, withdrawId: number });
    if (kind === "operation")
      await handlePayoutMessage(env, deps, { companyId, operationId: number });
    if (kind === "debit" || kind === "retry" || kind === "subscription")
      await handlePayoutMessage(env, deps, { companyId, subscription: number });
    if (kind === "recheck") await handlePayoutMessage(env, deps, { companyId, recheckId: number });
    // A dispute's deadline only passes.
  }

  /**
   * Waits for another sender that has the delivery, as a queue's consumer: its next attempt is due by the time at which
   * this one was made. `held` where that takes too long.
   */
  async #deliver(delivery: DeliveryRef): Promise<"held" | void> {
    const { env, deps } = this.#context;
    for (let waited = 0; !(await tryDeliver(env, delivery, deps.sender(env)));) {
      if (waited >= RUN_TIME_MS || this.#isLate()) return "held";
      await scheduler.wait(HELD_WAIT_MS);
      waited += HELD_WAIT_MS;
    }
  }

  /** Payers' data whose time has come: once a run, because its scans are due each hour. */
  async #erase(): Promise<void> {
    const { env, deps } = this.#context;
    await erasePayers(env, deps, SINGLE_STEP, dueOfCompany(env, this.#company.id, this.#clock()));
  }
}

/** Whether the object has done it as its clock moved. */
function isDoneByObject({ kind }: DueItem): boolean {
  return kind === "release" || kind === "approval_expiry" || kind === "reservation_expiry";
}

function keyOf({ at, kind, id }: DueItem): string {
  return `${kind} ${id} ${at}`;
}
