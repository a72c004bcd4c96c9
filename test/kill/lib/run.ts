import { rmSync } from "node:fs";
import { LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { eventProblems } from "./checks/check-events.ts";
import { sandboxBankProblems } from "./checks/check-sandbox-bank.ts";
import { statementProblems } from "./checks/check-statement.ts";
import { deliveryProblems, readWebhooks } from "./checks/check-deliveries.ts";
import { balanceProblems } from "./checks/check-balances.ts";
import { decisionProblems } from "./checks/check-decisions.ts";
import { proposalProblems, undecidedProblems } from "./checks/check-proposals.ts";
import {
  refundApprovalProblems,
  transactionsThatWaited,
  type Refunds,
} from "./checks/check-refund-approvals.ts";
import { unexpectedProblems } from "./checks/check-unexpected.ts";
import { APPROVED_COMPANY, callerOf, callersAt } from "./callers.ts";
import { openInbox, type Inbox } from "./inbox.ts";
import { isAcknowledged, Journal, type Kind } from "./journal.ts";
import { durabilityProblems } from "./checks/check-durability.ts";
import { loadUntilKilled, send, type Client } from "./load.ts";
import { FlakyReceiver } from "./flaky-receiver.ts";
import { observe, readRefunds, verify, statementPages, type Observed } from "./observe.ts";
import { freezeIntent, settingsIntent } from "./plan.ts";
import { Random } from "./random.ts";
import { assertDefined } from "./required.ts";
import { retryUntilEmpty } from "./retry-until-empty.ts";

/** The service starts within this time on a slow machine. */
const RESTART_CATCH_UP_MS = 90_000;
/**
 * Leases (35 s), then the sweep of interrupted work (60 s). Twenty kills leave a thousand open
 * webhooks, of which a minute's sweep takes 500, so some more minutes.
 */
const FINAL_CATCH_UP_MS = 360_000;
/** Acknowledged requests that are repeated at the end. */
const REPLAYS = 60;
/** The share of transactions with a `postbackUrl`. */
const POSTBACK_SHARE_KILL_IN_REQUESTS = 0.25;
const POSTBACK_SHARE_KILL_IN_DELIVERIES = 0.8;
/** Webhooks that pass before they are held, and open webhooks at the kill. */
const HOLD_AFTER_MIN = 60;
const HOLD_AFTER_MAX = 250;
const HELD_MIN = 8;
const HELD_MAX = 20;
/** Centavos of a day that nobody approves; beyond them company 1's refunds, returns and withdraws wait. */
const APPROVAL_LIMITS = { refundApprovalAbove: 20_000, withdrawApprovalAbove: 4_000 };
/** Separates these random numbers from the load's. */
const RECEIVER_BEHAVIORS = 1_000_001;

export interface KillOptions {
  /** The service's empty state directory; it is deleted afterwards. */
  stateDir: string;
  seed: number;
  cycles: number;
  /** Whether some interrupted payments are left to the service's sweep, which takes a minute. */
  retryOnlyBySweep: boolean;
  /**
   * The moment of the kill: after some responses, or with some webhooks open at a slow receiver
   * that rejects some.
   */
  killDuring: "requests" | "deliveries";
  /** Called with progress messages. */
  log: (line: string) => void;
}

export interface KillResult {
  /** Each begins with `lost`, `doubled` or `wrong`. Empty if all is correct. */
  problems: string[];
  acknowledged: Record<Kind, number>;
  /** Distinct received events, and the number of posts. */
  events: number;
  posts: number;
  /** Repeated posts of webhooks that were accepted before a kill. */
  repeats: number;
  /** Rejected webhooks, and open webhooks at each kill of a flaky receiver. */
  rejections: number;
  openAtKills: number[];
  seconds: number;
}

/** Loads, kills and restarts the real service on one state directory and checks the result. */
export async function runKillTest(options: KillOptions): Promise<KillResult> {
  const startedAt = Date.now();
  const flaky =
    options.killDuring === "deliveries"
      ? new FlakyReceiver(new Random(options.seed, RECEIVER_BEHAVIORS))
      : null;
  const inbox = await openInbox(
    LOCAL_COMPANIES.map((company) => company.webhookSecret),
    flaky && ((name, gone) => flaky.respond(name, gone)),
  );
  const run = new KillRun(options, inbox, flaky);
  try {
    const problems = await run.run();
    const { client } = run;
    const events = LOCAL_COMPANIES.map((_, index) => inbox.events(index + 1).size);
    return {
      problems,
      acknowledged: client.journal.acknowledged(),
      events: events.reduce((sum, count) => sum + count, 0),
      posts: inbox.postCount(),
      repeats: inbox.repeatCount(),
      rejections: flaky?.rejectionCount ?? 0,
      openAtKills: flaky?.openAtKills ?? [],
      seconds: Math.round((Date.now() - startedAt) / 1_000),
    };
  } finally {
    await run.stop();
    await inbox.close();
    rmSync(options.stateDir, { recursive: true, force: true });
  }
}

class KillRun {
  readonly client: Client = {
    journal: new Journal(),
    callers: callersAt(""),
    unexpectedAnswers: [],
  };
  readonly #options: KillOptions;
  readonly #inbox: Inbox;
  readonly #flakyReceiver: FlakyReceiver | null;
  #service: Service | null = null;

  constructor(load: KillOptions, inbox: Inbox, flaky: FlakyReceiver | null) {
    this.#options = load;
    this.#inbox = inbox;
    this.#flakyReceiver = flaky;
  }

  async run(): Promise<string[]> {
    const { cycles, seed, retryOnlyBySweep, killDuring, log } = this.#options;
    const { client } = this;
    const { postbackUrl } = this.#inbox;
    const postbackShare =
      killDuring === "requests"
        ? POSTBACK_SHARE_KILL_IN_REQUESTS
        : POSTBACK_SHARE_KILL_IN_DELIVERIES;
    await this.#start();
    await this.#arrange();
    const problems: string[] = [];
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const load = {
        seed,
        cycle,
        postbackUrl,
        postbackShare,
        retryOnlyBySweep,
        killSignal: this.#flakyReceiver === null ? null : () => this.#holdOpen(cycle),
      };
      await loadUntilKilled(client, load, () => this.#kill());
      const { journal } = client;
      const answered = journal.intents.filter(isAcknowledged).length;
      await this.#start();
      const found = await retryUntilEmpty(this.#service!.base, RESTART_CATCH_UP_MS, async () =>
        this.#durabilityProblems(),
      );
      problems.push(...found.map((problem) => `${problem} (after kill ${cycle})`));
      log(
        `cycle ${cycle}: ${answered} acknowledged so far, ${journal.unanswered().length} ` +
          `without an answer at the kill, ${found.length} problems`,
      );
      for (const problem of found) log(`    ${problem}`);
    }
    problems.push(...(await this.#finish()));
    for (const open of this.#flakyReceiver?.openAtKills ?? []) {
      if (open < HELD_MIN) problems.push(`wrong: only ${open} webhooks were open at a kill`);
    }
    return [...new Set([...problems, ...client.unexpectedAnswers, ...this.#inbox.problems])];
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = null;
  }

  async #start(): Promise<void> {
    const { stateDir } = this.#options;
    // At the same address again, which answers carry as `secureUrl`.
    const port = this.#service === null ? {} : { port: Number(new URL(this.#service.base).port) };
    this.#service = await startService({ stateDir, ...port });
    this.client.callers = callersAt(this.#service.base);
  }

  /** Resolves once the flaky receiver holds enough webhooks open. */
  #holdOpen(cycle: number): Promise<void> {
    const receiver = assertDefined(this.#flakyReceiver ?? undefined, "a flaky receiver");
    const moment = new Random(this.#options.seed, cycle, RECEIVER_BEHAVIORS);
    const pass = moment.int(HOLD_AFTER_MIN, HOLD_AFTER_MAX);
    return receiver.holdOpen(pass, moment.int(HELD_MIN, HELD_MAX));
  }

  async #kill(): Promise<void> {
    this.#flakyReceiver?.releaseOnKill();
    // Responses of this moment are in flight and hardly recorded.
    await new Promise((turn) => setImmediate(turn));
    await this.#service!.kill();
    this.#inbox.startRun();
  }

  /** Configures both companies' webhooks and fees, and what waits for an approval. */
  async #arrange(): Promise<void> {
    const random = new Random(this.#options.seed);
    const { merchants } = this.client.callers;
    const approved = assertDefined(merchants[APPROVED_COMPANY - 1], "a merchant");
    const limits = await approved.call("PUT", "/api/v1/company/settings", APPROVAL_LIMITS);
    if (limits.status !== 200) throw new Error(`PUT settings answered ${limits.status}`);
    for (const merchant of merchants) {
      const url = this.#inbox.endpointUrl(merchant.companyId);
      const put = await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url });
      if (put.status !== 200) throw new Error(`PUT endpoint answered ${put.status}`);
      const terms = settingsIntent(this.client.journal, merchant.companyId, random);
      const sent = await send(this.client, terms);
      if (sent !== "answered") throw new Error("the settings were not acknowledged");
    }
  }

  async #durabilityProblems(): Promise<string[]> {
    const companies = await this.#observeAll();
    return companies.flatMap((observed) =>
      statementProblems(observed).concat(this.#acknowledgedProblems(observed, false)),
    );
  }

  /** `isOver`: all requests are answered. */
  #acknowledgedProblems(observed: Observed, isOver: boolean): string[] {
    const { journal } = this.client;
    return [
      ...durabilityProblems(journal, observed),
      ...decisionProblems(journal, observed),
      ...unexpectedProblems(journal, observed),
      ...proposalProblems(journal, observed),
      ...undecidedProblems(journal, observed, isOver),
    ];
  }

  #observeAll(): Promise<Observed[]> {
    const { callers } = this.client;
    return Promise.all(callers.merchants.map(({ companyId }) => observe(callers, companyId)));
  }

  /**
   * Finishes all requests and waits until the service caught up, then checks the operator's and
   * the bank's view.
   */
  async #finish(): Promise<string[]> {
    const { callers } = this.client;
    this.#retryWithoutSweep();
    const companies: Observed[] = [];
    const problems = await retryUntilEmpty(this.#service!.base, FINAL_CATCH_UP_MS, async () => {
      await this.#retry();
      const seen = await this.#observeAll();
      companies.splice(0, companies.length, ...seen);
      const found = await Promise.all(seen.map((observed) => this.#allProblems(observed)));
      // The bank may know a payment that the cron has still to read back.
      return [...found.flat(), ...this.#bankProblems(seen)];
    });
    problems.push(...(await this.#replay()));
    for (const [index, merchant] of callers.merchants.entries()) {
      const { companyId, lines } = assertDefined(companies[index], "a company");
      if (JSON.stringify(await statementPages(merchant)) !== JSON.stringify(lines)) {
        problems.push(`wrong: the pages of company ${companyId}'s statement are not its export`);
      }
      const violations = await verify(callers, companyId);
      problems.push(...violations.map((violation) => `wrong: ${violation}`));
      const again = await observe(callers, companyId);
      problems.push(...(await this.#allProblems(again)));
      if (JSON.stringify(again) !== JSON.stringify(companies[index])) {
        problems.push(`wrong: company ${companyId} changed although nothing was asked of it`);
      }
    }
    // A received webhook may not be recorded as delivered yet; it arrives once more.
    const outside = async () => {
      const webhooks = await Promise.all(callers.merchants.map(readWebhooks));
      return [
        ...this.#bankProblems(companies),
        ...webhooks.flatMap((own) => deliveryProblems(own, this.#inbox)),
      ];
    };
    return [
      ...problems,
      ...(await retryUntilEmpty(this.#service!.base, FINAL_CATCH_UP_MS, outside)),
    ];
  }

  /** Thaws the companies and repeats unfinished requests. */
  async #retry(): Promise<void> {
    const { journal, callers } = this.client;
    for (const { companyId } of callers.merchants) {
      const frozen = journal.isFrozen(companyId) === true;
      if (frozen) await send(this.client, freezeIntent(journal, companyId, false));
    }
    for (;;) {
      const intent = journal.nextUnanswered(Date.now());
      if (intent === null) return;
      await send(this.client, intent);
    }
  }

  async #allProblems(observed: Observed): Promise<string[]> {
    const { journal } = this.client;
    const refunds = await this.#refundsThatWaited(observed.companyId);
    return [
      ...statementProblems(observed),
      ...this.#acknowledgedProblems(observed, true),
      ...refundApprovalProblems(journal, observed, refunds),
      ...balanceProblems(journal, observed, refunds),
      ...eventProblems(journal, observed, this.#inbox),
    ];
  }

  #bankProblems(companies: Observed[]): string[] {
    return sandboxBankProblems(this.#options.stateDir, companies, this.#inbox);
  }

  #refundsThatWaited(companyId: number): Promise<Refunds> {
    const { journal, callers } = this.client;
    const merchant = assertDefined(callers.merchants[companyId - 1], "a merchant");
    return readRefunds(merchant, transactionsThatWaited(journal, companyId));
  }

  /**
   * The service polls a charge until it is paid. A lost second payment is only found with a later
   * one, so the client makes one.
   */
  #retryWithoutSweep(): void {
    const { journal } = this.client;
    const pays = journal.intents.filter((intent) => intent.kind === "pay");
    const abandoned = pays.filter((intent) => intent.abandoned);
    for (const intent of abandoned) {
      const others = pays.filter((other) => other !== intent && other.subject === intent.subject);
      if (others.length > 0) journal.resume(intent);
    }
  }

  /** A repeated acknowledged request gets the same response and has no effect. */
  async #replay(): Promise<string[]> {
    const { journal, callers } = this.client;
    const random = new Random(this.#options.seed, this.#options.cycles + 1);
    const keyed = journal.intents.filter((intent) => isAcknowledged(intent) && intent.key !== null);
    const problems: string[] = [];
    for (let asked = 0; asked < REPLAYS; asked++) {
      const intent = random.pick(keyed);
      if (intent === undefined) break;
      const { method, path, body, key } = intent;
      const caller = callerOf(callers, intent);
      const again = await caller.call(method, path, body, { "Idempotency-Key": key! });
      if (again.headers.get("Idempotent-Replayed") !== "true") {
        problems.push(`doubled: ${key} was not answered as a replay, but with ${again.status}`);
      }
      if (
        again.status !== intent.status ||
        JSON.stringify(again.body) !== JSON.stringify(intent.answer)
      ) {
        problems.push(`wrong: ${key} was answered otherwise the second time`);
      }
    }
    return problems;
  }
}
