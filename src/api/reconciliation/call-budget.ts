import type { Clock } from "../../domain/shared/clock.ts";

/** Pages of all lists of one account that are read a minute. PSPs ask their customers to be modest. */
const PAGES_MAX = 100;
/** Calls of one account a minute, so that one that catches up leaves the others of its run theirs. */
const ACCOUNT_CALLS_MAX = 600;
/**
 * Calls of all accounts a minute. The platform allows an invocation 1,000: 62 and more lead here
 * (`createPasses`, `dueAccounts`), and the last record of a run may take more than is left.
 */
const RUN_CALLS_MAX = 850;
/** No new page is begun once the next minute's cron is near. */
const RUN_TIME_MS = 40_000;
/** Of an account: who it is, its passes taken and saved, a token, and what is forgotten. */
const ACCOUNT_CALLS = 5;
/** A page is asked for once, and where its window ends the pass is saved. */
const PAGE_CALLS = 2;
/** What is on a page is looked up in two queries, and remembered by a third. */
const PAGE_LOOKUP_CALLS = 3;

/** What all accounts of one run may call together. */
export class RunBudget {
  calls = RUN_CALLS_MAX;
  readonly until: number;

  constructor(clock: Clock) {
    this.until = clock.now() + RUN_TIME_MS;
  }
}

/** What one account of a run may still read and call. Passes are served in turn from it. */
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

  /** Takes what an account calls whatever it lists; false where nothing is left for it. */
  spendAccount(): boolean {
    return this.spendCalls(ACCOUNT_CALLS);
  }

  /** Takes what looking up the records of a page calls. */
  spendLookup(): boolean {
    return this.spendCalls(PAGE_LOOKUP_CALLS);
  }

  /** Takes a page with its calls; false where none is left. */
  spendPage(): boolean {
    if (this.isExhausted) return false;
    this.#pages -= 1;
    return this.spendCalls(PAGE_CALLS);
  }

  /** Takes calls, of which the last may be more than were left; false where there were none. */
  spendCalls(count: number): boolean {
    if (!this.#mayCall) return false;
    this.#calls -= count;
    this.#run.calls -= count;
    return true;
  }
}
