import { rmSync } from "node:fs";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { lostProblems } from "../psp/check-bank-agreement.ts";
import { makeCompaniesLive, makeQuestionsDue } from "../psp/local-state.ts";
import { callersAt } from "./callers.ts";
import { statementProblems } from "./checks/check-statement.ts";
import { isAcknowledged, Journal, type Kind } from "./journal.ts";
import { send, type Client } from "./load.ts";
import { observe, verify, type Observed } from "./observe.ts";
import { retryUntilEmpty } from "./retry-until-empty.ts";
import { wait } from "./wait.ts";

/** The service starts within this time on a slow machine. */
const RESTART_CATCH_UP_MS = 60_000;
const RETRY_AFTER_MS = 1_000;
/** Each round sends or asks what waited for the one before, as the refunds of one card one after the other. */
const FINAL_ROUNDS = 5;
/** Leases (35 s) and the polls after them with doubling waits from 5 s. */
const FINAL_ROUND_MS = 60_000;
/** Acts of the counterparts while the service is down. */
const ACTS_BETWEEN_KILLS = 10;

export interface KillOptions {
  /** The service's state directory after a first start; it is deleted afterwards. */
  stateDir: string;
  seed: number;
  cycles: number;
  /** Called with progress messages. */
  log: (line: string) => void;
}

export interface KillResult {
  /** Each begins with `lost`, `doubled` or `wrong`. Empty if the counterparts' books and the ledgers agree. */
  problems: string[];
  acknowledged: Record<Kind, number>;
  /** Counts of what happened at the counterparts and of notices' fates. */
  actionCounts: Record<string, number>;
  /** Differences that an open contradiction names, for a person to decide. */
  contradictionCount: number;
  seconds: number;
}

/**
 * Loads, kills and restarts the real service, whose live companies have banks or houses that outlive it; their notices are
 * lost, doubled and late. Compares the ledgers with the counterparts' books. A subclass knows the counterparts.
 */
export abstract class CounterpartRun {
  protected readonly client: Client = {
    journal: new Journal(),
    callers: callersAt(""),
    unexpectedAnswers: [],
  };
  protected readonly options: KillOptions;
  /** Differences that contradictions name. */
  protected disputed = 0;
  #service: Service | null = null;

  constructor(options: KillOptions) {
    this.options = options;
  }

  /** Serves the counterparts, starts the service and connects its companies to them. */
  protected abstract arrange(): Promise<void>;
  /** Sends requests while the counterparts act, until it calls `kill`. */
  protected abstract loadUntilKilled(cycle: number, kill: () => Promise<void>): Promise<void>;
  /** Each counterpart does something at random. */
  protected abstract act(): void;
  /** The companies whose books are compared. */
  protected abstract companyIds(): number[];
  /** Ends all that is open, once each request was answered; the problems that stay. */
  protected abstract settle(): Promise<string[]>;
  protected abstract happened(): Record<string, number>;
  protected abstract close(): Promise<void>;

  async result(): Promise<KillResult> {
    const begun = Date.now();
    try {
      const problems = await this.#run();
      return {
        problems,
        acknowledged: this.client.journal.acknowledged(),
        actionCounts: this.happened(),
        contradictionCount: this.disputed,
        seconds: Math.round((Date.now() - begun) / 1_000),
      };
    } finally {
      await this.#service?.stop();
      await this.close();
      rmSync(this.options.stateDir, { recursive: true, force: true });
    }
  }

  protected get base(): string {
    return this.#service!.base;
  }

  protected async start(): Promise<void> {
    const { stateDir } = this.options;
    // At the same address again, which the counterparts post to.
    const port = this.#service === null ? {} : { port: Number(new URL(this.#service.base).port) };
    this.#service = await startService({ stateDir, ...port });
    this.client.callers = callersAt(this.#service.base);
  }

  protected async restartWith(change: (stateDir: string) => void): Promise<void> {
    await this.#service!.stop();
    change(this.options.stateDir);
    await this.start();
  }

  protected observe(companyId: number): Promise<Observed> {
    return observe(this.client.callers, companyId);
  }

  protected durabilityProblems(observed: Observed): string[] {
    return [...statementProblems(observed), ...lostProblems(this.client.journal, observed)];
  }

  /** Sends what was not answered, until all of it was or the time is up. */
  protected async retry(): Promise<void> {
    const { journal } = this.client;
    const deadline = Date.now() + RESTART_CATCH_UP_MS;
    while (journal.unanswered().length > 0 && Date.now() < deadline) {
      const intent = journal.nextUnanswered(Date.now());
      if (intent === null) await wait(RETRY_AFTER_MS);
      else await send(this.client, intent);
    }
  }

  /** What people decide that no counterpart's answer ends, after a round that left problems. */
  protected decide(): Promise<void> {
    return Promise.resolve();
  }

  /** Makes all questions due and answers them, round after round, until nothing is found. */
  protected async settleInRounds(find: () => Promise<string[]>): Promise<string[]> {
    let problems: string[] = [];
    for (let round = 1; round <= FINAL_ROUNDS; round++) {
      await this.restartWith(makeQuestionsDue);
      problems = await retryUntilEmpty(this.base, FINAL_ROUND_MS, find);
      this.options.log(`at the end, round ${round}: ${problems.length} problems`);
      if (problems.length === 0) break;
      await this.decide();
    }
    return problems;
  }

  async #run(): Promise<string[]> {
    const { stateDir, cycles, log } = this.options;
    makeCompaniesLive(stateDir);
    await this.arrange();
    const problems: string[] = [];
    for (let cycle = 1; cycle <= cycles; cycle++) {
      await this.loadUntilKilled(cycle, () => this.#service!.kill());
      for (let act = 0; act < ACTS_BETWEEN_KILLS; act++) this.act();
      await this.start();
      const found = await retryUntilEmpty(this.base, RESTART_CATCH_UP_MS, () => this.#lostSoFar());
      problems.push(...found.map((problem) => `${problem} (after kill ${cycle})`));
      const answered = this.client.journal.intents.filter(isAcknowledged).length;
      log(`cycle ${cycle}: ${answered} acknowledged so far, ${found.length} problems`);
      for (const problem of found) log(`    ${problem}`);
    }
    await this.retry();
    problems.push(...(await this.settle()));
    for (const companyId of this.companyIds()) {
      const violations = await verify(this.client.callers, companyId);
      problems.push(...violations.map((violation) => `wrong: ${violation}`));
    }
    return [...new Set([...problems, ...this.client.unexpectedAnswers])];
  }

  async #lostSoFar(): Promise<string[]> {
    const companies = await Promise.all(this.companyIds().map((id) => this.observe(id)));
    return companies.flatMap((observed) => this.durabilityProblems(observed));
  }
}
