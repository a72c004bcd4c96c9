import { rmSync } from "node:fs";
import { PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { servePsp, type Served } from "../../e2e/pix-api/server.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { statementProblems } from "../lib/checks/check-statement.ts";
import type { Merchant } from "../../../tools/lib/merchant.ts";
import { APPROVED_COMPANY, callersAt } from "../lib/callers.ts";
import { decideExit } from "../lib/plan-decisions.ts";
import { readWaiting } from "../lib/waiting.ts";
import { isAcknowledged, Journal, type Kind } from "../lib/journal.ts";
import { send, type Client } from "../lib/load.ts";
import { observe, verify } from "../lib/observe.ts";
import { Random } from "../lib/random.ts";
import { assertDefined } from "../lib/required.ts";
import { wait } from "../lib/wait.ts";
import { bankAgreementProblems, lostProblems } from "./check-bank-agreement.ts";
import { LiveBank } from "./live-bank.ts";
import { loadUntilKilled } from "./load.ts";
import {
  backdateConfiguration,
  storedStateOf,
  makeQuestionsDue,
  makeCompaniesLive,
} from "./local-state.ts";

/** The service starts within this time on a slow machine. */
const RESTART_CATCH_UP_MS = 60_000;
/**
 * Leases (35 s) and the polls after them with doubling waits from 5 s, in case responses are lost
 * at the end.
 */
const FINAL_CATCH_UP_MS = 240_000;
const CRON_INTERVAL_MS = 1_000;
/** Actions of the banks while the service is down. */
const BANK_ACTIONS_BETWEEN_KILLS = 10;
/** Separates a bank's random numbers from the load's. */
const BANKS = 2_000_003;
/** Centavos of a day that nobody approves; beyond them company 1's refunds and returns wait. */
const REFUND_APPROVAL_ABOVE = 20_000;
const PIX_KEYS = ["7d9f0335-8dcc-4054-9bf9-0dbd61d36906", "outra@example.com"];

export interface PspKillOptions {
  /** The service's state directory after a first start; it is deleted afterwards. */
  stateDir: string;
  seed: number;
  cycles: number;
  /** Called with progress messages. */
  log: (line: string) => void;
}

export interface PspKillResult {
  /** Each begins with `lost`, `doubled` or `wrong`. Empty if bank and ledger agree. */
  problems: string[];
  acknowledged: Record<Kind, number>;
  /** Counts of the payers' and banks' actions and of callbacks' fates. */
  actionCounts: Record<string, number>;
  /** Differences that open contradictions name at the end. */
  contradictionCount: number;
  seconds: number;
}

/**
 * Loads, kills and restarts the real service. Its live companies have PSPs that outlive it, and
 * its callbacks are lost, duplicated and late. Compares the ledgers with the banks' books.
 */
export async function runPspKillTest(options: PspKillOptions): Promise<PspKillResult> {
  const begun = Date.now();
  const run = new PspKillRun(options);
  try {
    const problems = await run.run();
    return {
      problems,
      acknowledged: run.client.journal.acknowledged(),
      actionCounts: run.happened(),
      contradictionCount: run.disputed,
      seconds: Math.round((Date.now() - begun) / 1_000),
    };
  } finally {
    await run.stop();
    rmSync(options.stateDir, { recursive: true, force: true });
  }
}

class PspKillRun {
  readonly client: Client = {
    journal: new Journal(),
    callers: callersAt(""),
    unexpectedAnswers: [],
  };
  disputed = 0;
  readonly #options: PspKillOptions;
  readonly #banks: LiveBank[];
  #served: Served[] = [];
  #service: Service | null = null;

  constructor(load: PspKillOptions) {
    this.#options = load;
    this.#banks = PIX_KEYS.map(
      (key, index) => new LiveBank(new Random(load.seed, BANKS, index), key),
    );
  }

  async run(): Promise<string[]> {
    const { seed, cycles, log } = this.#options;
    await this.#arrange();
    const problems: string[] = [];
    for (let cycle = 1; cycle <= cycles; cycle++) {
      await loadUntilKilled(this.client, this.#banks, { seed, cycle }, () => this.#service!.kill());
      for (const bank of this.#banks) {
        for (let act = 0; act < BANK_ACTIONS_BETWEEN_KILLS; act++) bank.doRandomAction();
      }
      await this.#start();
      const found = await this.#retryUntilEmpty(RESTART_CATCH_UP_MS, () =>
        this.#durabilityProblems(),
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

  happened(): Record<string, number> {
    const sum: Record<string, number> = {};
    for (const { tally } of this.#banks) {
      for (const [what, times] of tally) sum[what] = (sum[what] ?? 0) + times;
    }
    return sum;
  }

  /** Live companies with their configured PSPs. */
  async #arrange(): Promise<void> {
    makeCompaniesLive(this.#options.stateDir);
    this.#served = await Promise.all(this.#banks.map(({ psp }) => servePsp(psp)));
    await this.#start();
    const { operator } = this.client.callers.others;
    for (const [index, { key }] of this.#banks.entries()) {
      const url = this.#served[index]?.url ?? "";
      const path = `/api/v1/operator/companies/${index + 1}/providers/pix-api`;
      const answer = await operator.call("PUT", path, {
        baseUrl: url,
        tokenUrl: `${url}/oauth/token`,
        ...PSP_CLIENT,
        pixKey: key,
        payouts: { url },
      });
      if (answer.status !== 200) throw new Error(`PUT pix-api: ${JSON.stringify(answer.body)}`);
    }
    await this.#restartWith(backdateConfiguration);
    const limits = await this.#approvedMerchant().call("PUT", "/api/v1/company/settings", {
      refundApprovalAbove: REFUND_APPROVAL_ABOVE,
    });
    if (limits.status !== 200) throw new Error(`PUT settings: ${JSON.stringify(limits.body)}`);
  }

  #approvedMerchant(): Merchant {
    return assertDefined(this.client.callers.merchants[APPROVED_COMPANY - 1], "a merchant");
  }

  async #start(): Promise<void> {
    const { stateDir } = this.#options;
    // At the same address again, which answers carry as `secureUrl`.
    const port = this.#service === null ? {} : { port: Number(new URL(this.#service.base).port) };
    this.#service = await startService({ stateDir, ...port });
    this.client.callers = callersAt(this.#service.base);
  }

  async #restartWith(change: (stateDir: string) => void): Promise<void> {
    await this.#service!.stop();
    change(this.#options.stateDir);
    await this.#start();
  }

  async #durabilityProblems(): Promise<string[]> {
    const { journal, callers } = this.client;
    const companies = await Promise.all(
      callers.merchants.map(({ companyId }) => observe(callers, companyId)),
    );
    return companies.flatMap((observed) =>
      statementProblems(observed).concat(lostProblems(journal, observed)),
    );
  }

  /**
   * Finishes all requests and operations, reconciles every list once more and compares the books.
   */
  async #finish(): Promise<string[]> {
    await this.#retry();
    await this.#decideWaiting();
    for (const bank of this.#banks) bank.settleAll();
    await this.#restartWith(makeQuestionsDue);
    const problems = await this.#retryUntilEmpty(FINAL_CATCH_UP_MS, async () => {
      for (const bank of this.#banks) {
        bank.settleAll();
        await bank.postCallbacks(this.#service!.base);
      }
      return [...(await this.#durabilityProblems()), ...(await this.#bankMismatches())];
    });
    const { callers } = this.client;
    for (const { companyId } of callers.merchants) {
      const violations = await verify(callers, companyId);
      problems.push(...violations.map((violation) => `wrong: ${violation}`));
    }
    return problems;
  }

  /** Approves what waits for it, and refuses what may not be approved any more. */
  async #decideWaiting(): Promise<void> {
    const approved = { journal: this.client.journal, companyId: APPROVED_COMPANY };
    for (const decision of ["approve", "refuse"] as const) {
      const waiting = await readWaiting(this.#approvedMerchant());
      if (waiting === null) throw new Error("The service does not answer what waits");
      for (const id of waiting.exits) await send(this.client, decideExit(approved, id, decision));
      await this.#retry();
    }
  }

  async #bankMismatches(): Promise<string[]> {
    const problems: string[] = [];
    this.disputed = 0;
    const { callers } = this.client;
    for (const [index, { companyId }] of callers.merchants.entries()) {
      const bank = assertDefined(this.#banks[index], "a bank");
      const observed = await observe(callers, companyId);
      const kept = storedStateOf(this.#options.stateDir, companyId);
      const found = bankAgreementProblems(bank, observed, kept);
      problems.push(...found.problems);
      this.disputed += found.disputed;
    }
    return problems;
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
