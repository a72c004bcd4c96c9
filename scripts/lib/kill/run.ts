import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL_COMPANIES } from "../local-companies.ts";
import { Merchant } from "../merchant.ts";
import { startService, type Service } from "../service.ts";
import { announcedProblems } from "./announced.ts";
import { bankProblems } from "./bank.ts";
import { booksProblems } from "./books.ts";
import { explainedProblems } from "./explained.ts";
import { openInbox, type Inbox } from "./inbox.ts";
import { isAcknowledged, Journal, type Kind } from "./journal.ts";
import { keptProblems } from "./kept.ts";
import { loadUntilKilled, send, type Client } from "./load.ts";
import { observe, reconcile, statementPages, type Observed } from "./observe.ts";
import { freezeIntent, settingsIntent } from "./plan.ts";
import { Random } from "./random.ts";
import { required } from "./required.ts";
import { wait } from "./wait.ts";

/** What was acknowledged is there again soon after a restart; this is for slow machines. */
const RESTART_CATCH_UP_MS = 90_000;
/** Leases (35 s) and the sweep of what was cut off (60 s), one after the other. */
const FINAL_CATCH_UP_MS = 180_000;
const KNOCK_MS = 1_000;
/** Acknowledged requests that are asked once more at the end. */
const REPLAYS = 60;

export interface KillWish {
  seed: number;
  cycles: number;
  /** Whether some cut-off payments are left for the service to find, which takes it a minute. */
  leaveToSweep: boolean;
  /** Told what goes on. */
  say: (line: string) => void;
}

export interface KillResult {
  /** Each begins with `lost`, `doubled` or `wrong`. Empty where all is well. */
  problems: string[];
  acknowledged: Record<Kind, number>;
  /** Distinct events that came, and how many posts brought them. */
  events: number;
  posts: number;
  seconds: number;
}

/** Loads, kills and restarts the real service on one state directory, and proves what is left. */
export async function runKillTest(wish: KillWish): Promise<KillResult> {
  const startedAt = Date.now();
  const stateDir = mkdtempSync(join(tmpdir(), "centavo-kill-"));
  const inbox = await openInbox(LOCAL_COMPANIES.map((company) => company.webhookSecret));
  const run = new KillRun(wish, stateDir, inbox);
  try {
    const problems = await run.run();
    const { client } = run;
    const events = client.merchants.map(({ companyId }) => inbox.events(companyId).size);
    return {
      problems,
      acknowledged: client.journal.acknowledged(),
      events: events.reduce((sum, count) => sum + count, 0),
      posts: inbox.posts(),
      seconds: Math.round((Date.now() - startedAt) / 1_000),
    };
  } finally {
    await run.stop();
    await inbox.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

class KillRun {
  readonly client: Client = { journal: new Journal(), merchants: [], surprises: [] };
  readonly #wish: KillWish;
  readonly #stateDir: string;
  readonly #inbox: Inbox;
  #service: Service | null = null;

  constructor(wish: KillWish, stateDir: string, inbox: Inbox) {
    this.#wish = wish;
    this.#stateDir = stateDir;
    this.#inbox = inbox;
  }

  async run(): Promise<string[]> {
    const { cycles, seed, leaveToSweep, say } = this.#wish;
    const { client } = this;
    const { postbackUrl } = this.#inbox;
    await this.#start();
    await this.#arrange();
    const problems: string[] = [];
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const service = this.#service!;
      const wish = { seed, cycle, postbackUrl, leaveToSweep };
      await loadUntilKilled(client, wish, () => service.kill());
      const { journal } = client;
      const answered = journal.intents.filter(isAcknowledged).length;
      await this.#start();
      const found = await this.#untilNone(RESTART_CATCH_UP_MS, async () => this.#kept());
      problems.push(...found.map((problem) => `${problem} (after kill ${cycle})`));
      say(
        `cycle ${cycle}: ${answered} acknowledged so far, ${journal.unanswered().length} ` +
          `without an answer at the kill, ${found.length} problems`,
      );
    }
    problems.push(...(await this.#finish()));
    return [...new Set([...problems, ...client.surprises, ...this.#inbox.problems])];
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = null;
  }

  async #start(): Promise<void> {
    this.#service = await startService({ stateDir: this.#stateDir });
    const { base } = this.#service;
    this.client.merchants = LOCAL_COMPANIES.map((_, index) => new Merchant(base, index + 1));
  }

  /** Both companies' webhooks come here, and both have fees from the beginning. */
  async #arrange(): Promise<void> {
    const random = new Random(this.#wish.seed);
    for (const merchant of this.client.merchants) {
      const url = this.#inbox.endpointUrl(merchant.companyId);
      const put = await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url });
      if (put.status !== 200) throw new Error(`PUT endpoint answered ${put.status}`);
      const terms = settingsIntent(this.client.journal, merchant.companyId, random);
      const sent = await send(this.client, terms);
      if (sent !== "answered") throw new Error("the terms were not acknowledged");
    }
  }

  async #kept(): Promise<string[]> {
    const { journal, merchants } = this.client;
    const companies = await Promise.all(merchants.map((merchant) => observe(merchant)));
    return companies.flatMap((observed) =>
      booksProblems(observed).concat(keptProblems(journal, observed)),
    );
  }

  /** Everything is answered, caught up with and explained; then the operator and the bank agree. */
  async #finish(): Promise<string[]> {
    const { merchants } = this.client;
    this.#takeUpWhatNobodyLooksAt();
    const companies: Observed[] = [];
    const problems = await this.#untilNone(FINAL_CATCH_UP_MS, async () => {
      await this.#retry();
      const seen = await Promise.all(merchants.map((merchant) => observe(merchant)));
      companies.splice(0, companies.length, ...seen);
      return seen.flatMap((observed) => this.#allProblems(observed));
    });
    problems.push(...(await this.#replay()));
    for (const [index, merchant] of merchants.entries()) {
      const { companyId, lines } = required(companies[index], "a company");
      if (JSON.stringify(await statementPages(merchant)) !== JSON.stringify(lines)) {
        problems.push(`wrong: the pages of company ${companyId}'s statement are not its export`);
      }
      const violations = await reconcile(merchant);
      problems.push(...violations.map((violation) => `wrong: ${violation}`));
      const again = await observe(merchant);
      problems.push(...this.#allProblems(again));
      if (JSON.stringify(again) !== JSON.stringify(companies[index])) {
        problems.push(`wrong: company ${companyId} changed although nothing was asked of it`);
      }
    }
    // A webhook that came may not be known as delivered yet; it comes once more, and then it is.
    const bank = async () => bankProblems(this.#stateDir, companies, this.#inbox);
    return [...problems, ...(await this.#untilNone(FINAL_CATCH_UP_MS, bank))];
  }

  /** What a client does that wants everything to be done: it thaws, and asks again. */
  async #retry(): Promise<void> {
    const { journal, merchants } = this.client;
    for (const { companyId } of merchants) {
      const frozen = journal.isFrozen(companyId) === true;
      if (frozen) await send(this.client, freezeIntent(journal, companyId, false));
    }
    for (;;) {
      const intent = journal.takeUnanswered(Date.now());
      if (intent === null) return;
      await send(this.client, intent);
    }
  }

  #allProblems(observed: Observed): string[] {
    const { journal } = this.client;
    return [
      ...booksProblems(observed),
      ...keptProblems(journal, observed),
      ...explainedProblems(journal, observed),
      ...announcedProblems(journal, observed, this.#inbox),
    ];
  }

  /**
   * The service looks again at a charge until it is paid. A second payment of it that was cut off is
   * read back with the next one, so the client makes one.
   */
  #takeUpWhatNobodyLooksAt(): void {
    const { journal } = this.client;
    const pays = journal.intents.filter((intent) => intent.kind === "pay");
    const abandoned = pays.filter((intent) => intent.abandoned);
    for (const intent of abandoned) {
      const others = pays.filter((other) => other !== intent && other.subject === intent.subject);
      if (others.length > 0) journal.takeUp(intent);
    }
  }

  /** What was acknowledged is answered the same when it is asked again, and does nothing. */
  async #replay(): Promise<string[]> {
    const { journal, merchants } = this.client;
    const random = new Random(this.#wish.seed, this.#wish.cycles + 1);
    const keyed = journal.intents.filter((intent) => isAcknowledged(intent) && intent.key !== null);
    const problems: string[] = [];
    for (let asked = 0; asked < REPLAYS; asked++) {
      const intent = random.pick(keyed);
      if (intent === undefined) break;
      const { method, path, body, key } = intent;
      const merchant = required(merchants[intent.companyId - 1], "a merchant");
      const again = await merchant.call(method, path, body, { "Idempotency-Key": key! });
      if (again.headers.get("Idempotent-Replayed") !== "true") {
        problems.push(`doubled: ${key} was not answered as a replay`);
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

  /** Knocks at the cron, as the platform does each minute, until nothing is found or time is up. */
  async #untilNone(limitMs: number, find: () => Promise<string[]>): Promise<string[]> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const problems = await find();
      if (problems.length === 0 || Date.now() > deadline) return problems;
      await fetch(`${this.#service!.base}/cdn-cgi/local/scheduled`);
      await wait(KNOCK_MS);
    }
  }
}
