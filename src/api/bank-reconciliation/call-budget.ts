import type { Clock } from "../../domain/shared/clock.ts";

/** Pages per account and run, over all lists: PSPs limit how often they are queried. */
const PAGES_MAX = 100;
/** Calls per account and run, so that an account that catches up leaves calls for the others. */
const ACCOUNT_CALLS_MAX = 600;
/**
 * Calls per run. The platform allows an invocation 1,000: `createPasses` and the list of due accounts take some 62, and
 * the last record of a run may exceed the budget.
 */
const RUN_CALLS_MAX = 850;
/** No page starts after this: the next minute's cron is about to start. */
const RUN_TIME_MS = 40_000;
/** Per account: find it, claim and save its passes, fetch a token, delete old digests. */
const ACCOUNT_CALLS = 5;
/** Per page: fetch it and, at the end of a window, save the pass. */
const PAGE_CALLS = 2;
/** Per page with records: two queries find the known ones, a third saves digests. */
const PAGE_LOOKUP_CALLS = 3;

/** The calls that all accounts of a run share. */
export class RunBudget {
  calls = RUN_CALLS_MAX;
  readonly until: number;

  constructor(clock: Clock) {
    this.until = clock.now() + RUN_TIME_MS;
  }
}

/** The pages and calls left for one account of a run, shared by its passes. */
export class AccountBudget {
  readonly #run: RunBudget;
  readonly #clock: Clock;
  #pages = PAGES_MAX;
  #calls = ACCOUNT_CALLS_MAX;

  constructor(run: RunBudget, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  get isExhausted(): boolean {
    return this.#pages <= 0 || !this.#mayCall;
  }

  get #mayCall(): boolean {
    const { calls, until } = this.#run;
    return this.#calls > 0 && calls > 0 && this.#clock.now() <= until;
  }

  /** Spends an account's fixed calls; false if the budget is exhausted. */
  spendAccount(): boolean {
    return this.spendCalls(ACCOUNT_CALLS);
  }

  /** Spends the calls that find the known records of a page; false if the budget is exhausted. */
  spendLookup(): boolean {
    return this.spendCalls(PAGE_LOOKUP_CALLS);
  }

  /** Spends a page with its calls; false if the budget is exhausted. */
  spendPage(): boolean {
    if (this.isExhausted) return false;
    this.#pages -= 1;
    return this.spendCalls(PAGE_CALLS);
  }

  /** Spends calls, the last of which may exceed the budget; false if it is exhausted. */
  spendCalls(count: number): boolean {
    if (!this.#mayCall) return false;
    this.#calls -= count;
    this.#run.calls -= count;
    return true;
  }
}
