import { rmSync } from "node:fs";
import type { Served } from "../../e2e/pix-api/server.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import type { MerchantAnswer } from "../../../tools/lib/merchant.ts";
import { callersAt } from "../lib/callers.ts";
import { statementProblems } from "../lib/checks/check-statement.ts";
import { isAcknowledged, Journal, type Kind } from "../lib/journal.ts";
import { send, type Client } from "../lib/load.ts";
import { observe, verify, type Observed } from "../lib/observe.ts";
import { Random } from "../lib/random.ts";
import { wait } from "../lib/wait.ts";
import { lostProblems } from "../psp/check-bank-agreement.ts";
import {
  backdateConfiguration,
  makeCompaniesLive,
  makeQuestionsDue,
  storedStateOf,
} from "../psp/local-state.ts";
import { housesAgreementProblems } from "./check-houses-agreement.ts";
import { LiveHouses } from "./live-houses.ts";
import { COMPANY_ID, loadUntilKilled } from "./load.ts";

/** The service starts within this time on a slow machine. */
const RESTART_CATCH_UP_MS = 60_000;
/** Leases (35 s) and the polls after them with doubling waits from 5 s; all of it for what is sent only then. */
const FINAL_CATCH_UPS_MS = [60_000, 240_000];
const CRON_INTERVAL_MS = 1_000;
/** Acts of the houses while the service is down. */
const ACTS_BETWEEN_KILLS = 10;
/** Separates the houses' random numbers from the load's. */
const HOUSES = 2_000_003;
const REASON = "The contract is signed.";

export interface HousesKillOptions {
  /** The service's state directory after a first start; it is deleted afterwards. */
  stateDir: string;
  seed: number;
  cycles: number;
  /** Called with progress messages. */
  log: (line: string) => void;
}

export interface HousesKillResult {
  /** Each begins with `lost`, `doubled` or `wrong`. Empty if houses and ledger agree. */
  problems: string[];
  acknowledged: Record<Kind, number>;
  /** Counts of what happened at the houses and of notices' fates. */
  actionCounts: Record<string, number>;
  /** Differences that an open contradiction names, for a person to decide. */
  contradictionCount: number;
  seconds: number;
}

/**
 * Loads, kills and restarts the real service, whose live company sells at two houses that outlive it; their notices are
 * lost, doubled and late. Compares the ledger with the houses' books.
 */
export async function runHousesKillTest(options: HousesKillOptions): Promise<HousesKillResult> {
  const begun = Date.now();
  const run = new HousesKillRun(options);
  try {
    const problems = await run.run();
    return {
      problems,
      acknowledged: run.client.journal.acknowledged(),
      actionCounts: Object.fromEntries(run.houses.tally),
      contradictionCount: run.disputed,
      seconds: Math.round((Date.now() - begun) / 1_000),
    };
  } finally {
    await run.stop();
    rmSync(options.stateDir, { recursive: true, force: true });
  }
}

class HousesKillRun {
  readonly client: Client = {
    journal: new Journal(),
    callers: callersAt(""),
    unexpectedAnswers: [],
  };
  readonly houses: LiveHouses;
  /** Differences that contradictions name. */
  disputed = 0;
  readonly #options: HousesKillOptions;
  #served: Served[] = [];
  #service: Service | null = null;

  constructor(options: HousesKillOptions) {
    this.#options = options;
    this.houses = new LiveHouses(new Random(options.seed, HOUSES));
  }

  async run(): Promise<string[]> {
    const { seed, cycles, log } = this.#options;
    await this.#arrange();
    const problems: string[] = [];
    for (let cycle = 1; cycle <= cycles; cycle++) {
      await loadUntilKilled(this.client, this.houses, { seed, cycle }, () => this.#service!.kill());
      for (let act = 0; act < ACTS_BETWEEN_KILLS; act++) this.houses.doRandomAct();
      await this.#start();
      const found = await this.#retryUntilEmpty(RESTART_CATCH_UP_MS, async () =>
        this.#durabilityProblems(await this.#observed()),
      );
      problems.push(...found.map((problem) => `${problem} (after kill ${cycle})`));
      const answered = this.client.journal.intents.filter(isAcknowledged).length;
      log(`cycle ${cycle}: ${answered} acknowledged so far, ${found.length} problems`);
      for (const problem of found) log(`    ${problem}`);
    }
    problems.push(...(await this.#finish()));
    return [...new Set([...problems, ...this.client.unexpectedAnswers])];
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    await Promise.all(this.#served.map((served) => served.close()));
  }

  /** A live company with its accounts at both houses. */
  async #arrange(): Promise<void> {
    makeCompaniesLive(this.#options.stateDir);
    this.#served = await this.houses.serve();
    await this.#start();
    for (const [name, account] of Object.entries(this.houses.accountsAt(this.#served)))
      await this.#connect(name, account);
    const path = `/api/v1/operator/companies/${COMPANY_ID}/providers`;
    const { body } = await this.client.callers.others.operator.call("GET", path);
    this.houses.pagarMeUrl = body.data.find((each: any) => each.account === "pagarme").callbackUrl;
    await this.#restartWith(backdateConfiguration);
  }

  /** Any account but the first takes two operators. */
  async #connect(name: string, account: object): Promise<void> {
    const { callers, journal } = this.client;
    const path = `/api/v1/operator/companies/${COMPANY_ID}/providers/${name}`;
    const asked = await callers.others.operator.call("PUT", path, { ...account, reason: REASON });
    if (asked.status === 200) return;
    requireStatus(asked, 202);
    const { id } = asked.body.data;
    const intent = journal.addIntent({
      kind: "proposal_approve",
      companyId: COMPANY_ID,
      by: "second_operator",
      method: "POST",
      path: `/api/v1/operator/proposals/${id}/approve`,
      body: { reason: REASON },
      key: null,
      subject: id,
    });
    await send(this.client, intent);
    if (!isAcknowledged(intent)) throw new Error(`${name}: ${JSON.stringify(intent.answer)}`);
  }

  async #start(): Promise<void> {
    const { stateDir } = this.#options;
    // At the same address again, which the houses post to.
    const port = this.#service === null ? {} : { port: Number(new URL(this.#service.base).port) };
    this.#service = await startService({ stateDir, ...port });
    this.client.callers = callersAt(this.#service.base);
  }

  async #restartWith(change: (stateDir: string) => void): Promise<void> {
    await this.#service!.stop();
    change(this.#options.stateDir);
    await this.#start();
  }

  #observed(): Promise<Observed> {
    return observe(this.client.callers, COMPANY_ID);
  }

  #durabilityProblems(observed: Observed): string[] {
    return [...statementProblems(observed), ...lostProblems(this.client.journal, observed)];
  }

  /** Finishes all requests and operations, reads every list once more and compares the books. */
  async #finish(): Promise<string[]> {
    await this.#retry();
    let problems: string[] = [];
    // What is sent in the first round, as a refund of a card that is credited only now, is asked about in the second.
    for (const limitMs of FINAL_CATCH_UPS_MS) {
      this.houses.settleAll();
      await this.#restartWith(makeQuestionsDue);
      problems = await this.#retryUntilEmpty(limitMs, () => this.#finalProblems());
      this.#options.log(`at the end: ${problems.length} problems`);
      if (problems.length === 0) break;
    }
    const violations = await verify(this.client.callers, COMPANY_ID);
    return [...problems, ...violations.map((violation) => `wrong: ${violation}`)];
  }

  async #finalProblems(): Promise<string[]> {
    this.houses.settleAll();
    await this.houses.postNotices();
    const observed = await this.#observed();
    const stored = storedStateOf(this.#options.stateDir, COMPANY_ID);
    const { problems, disputed } = housesAgreementProblems(this.houses, observed, stored);
    this.disputed = disputed;
    return [...this.#durabilityProblems(observed), ...problems];
  }

  async #retry(): Promise<void> {
    const { journal } = this.client;
    const deadline = Date.now() + RESTART_CATCH_UP_MS;
    while (journal.unanswered().length > 0 && Date.now() < deadline) {
      const intent = journal.nextUnanswered(Date.now());
      if (intent === null) await wait(CRON_INTERVAL_MS);
      else await send(this.client, intent);
    }
  }

  /** Runs the cron, as the platform does each minute, until nothing is found or the time is up. */
  async #retryUntilEmpty(limitMs: number, find: () => Promise<string[]>): Promise<string[]> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const problems = await find();
      if (problems.length === 0 || Date.now() > deadline) return problems;
      await fetch(`${this.#service!.base}/cdn-cgi/local/scheduled`);
      await wait(CRON_INTERVAL_MS);
    }
  }
}

function requireStatus({ status, body }: MerchantAnswer, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}
