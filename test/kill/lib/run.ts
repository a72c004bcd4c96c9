import { rmSync } from "node:fs";
import { LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { announcedProblems } from "./announced.ts";
import { bankProblems } from "./bank.ts";
import { booksProblems } from "./books.ts";
import { deliveredProblems, readWebhooks } from "./delivered.ts";
import { explainedProblems } from "./explained.ts";
import { openInbox, type Inbox } from "./inbox.ts";
import { isAcknowledged, Journal, type Kind } from "./journal.ts";
import { keptProblems } from "./kept.ts";
import { loadUntilKilled, send, type Client } from "./load.ts";
import { Moody } from "./moody.ts";
import { observe, reconcile, statementPages, type Observed } from "./observe.ts";
import { freezeIntent, settingsIntent } from "./plan.ts";
import { Random } from "./random.ts";
import { required } from "./required.ts";
import { wait } from "./wait.ts";

/** What was acknowledged is there again soon after a restart; this is for slow machines. */
const RESTART_CATCH_UP_MS = 90_000;
/**
 * Leases (35 s) and the sweep of what was cut off (60 s), one after the other; and as twenty kills leave
 * a thousand webhooks untried, of which a minute's sweep takes up 500, some minutes more.
 */
const FINAL_CATCH_UP_MS = 360_000;
const KNOCK_MS = 1_000;
/** Acknowledged requests that are asked once more at the end. */
const REPLAYS = 60;
/** Of the transactions, so many have a `postbackUrl`. */
const POSTBACKS_AMID_REQUESTS = 0.25;
const POSTBACKS_AMID_DELIVERIES = 0.8;
/** Webhooks that a cycle lets pass before they pile up, and how many are open when the kill comes. */
const PASS_MIN = 60;
const PASS_MAX = 250;
const OPEN_MIN = 8;
const OPEN_MAX = 20;
/** Tells the chances of these from those of the load. */
const MOODS = 1_000_001;

export interface KillWish {
  /** The service's, which has no data yet; it is gone afterwards. */
  stateDir: string;
  seed: number;
  cycles: number;
  /** Whether some cut-off payments are left for the service to find, which takes it a minute. */
  leaveToSweep: boolean;
  /**
   * What the kill comes in the middle of: after so many answered requests, or with so many webhooks
   * open at a receiver that is slow and refuses some.
   */
  amid: "requests" | "deliveries";
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
  /** Posts of what the receiver had accepted before a kill. */
  repeats: number;
  /** Webhooks that the receiver refused, and how many were open at each kill, where it has moods. */
  refusals: number;
  openAtKills: number[];
  seconds: number;
}

/** Loads, kills and restarts the real service on one state directory, and proves what is left. */
export async function runKillTest(wish: KillWish): Promise<KillResult> {
  const startedAt = Date.now();
  const moody = wish.amid === "deliveries" ? new Moody(new Random(wish.seed, MOODS)) : null;
  const inbox = await openInbox(
    LOCAL_COMPANIES.map((company) => company.webhookSecret),
    moody && ((name, gone) => moody.answer(name, gone)),
  );
  const run = new KillRun(wish, inbox, moody);
  try {
    const problems = await run.run();
    const { client } = run;
    const events = client.merchants.map(({ companyId }) => inbox.events(companyId).size);
    return {
      problems,
      acknowledged: client.journal.acknowledged(),
      events: events.reduce((sum, count) => sum + count, 0),
      posts: inbox.posts(),
      repeats: inbox.repeats(),
      refusals: moody?.refusals ?? 0,
      openAtKills: moody?.openAtKills ?? [],
      seconds: Math.round((Date.now() - startedAt) / 1_000),
    };
  } finally {
    await run.stop();
    await inbox.close();
    rmSync(wish.stateDir, { recursive: true, force: true });
  }
}

class KillRun {
  readonly client: Client = { journal: new Journal(), merchants: [], surprises: [] };
  readonly #wish: KillWish;
  readonly #inbox: Inbox;
  readonly #moody: Moody | null;
  #service: Service | null = null;

  constructor(wish: KillWish, inbox: Inbox, moody: Moody | null) {
    this.#wish = wish;
    this.#inbox = inbox;
    this.#moody = moody;
  }

  async run(): Promise<string[]> {
    const { cycles, seed, leaveToSweep, amid, say } = this.#wish;
    const { client } = this;
    const { postbackUrl } = this.#inbox;
    const postbackShare = amid === "requests" ? POSTBACKS_AMID_REQUESTS : POSTBACKS_AMID_DELIVERIES;
    await this.#start();
    await this.#arrange();
    const problems: string[] = [];
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const killOn = this.#crowd(cycle);
      const wish = { seed, cycle, postbackUrl, postbackShare, leaveToSweep, killOn };
      await loadUntilKilled(client, wish, () => this.#kill());
      const { journal } = client;
      const answered = journal.intents.filter(isAcknowledged).length;
      await this.#start();
      const found = await this.#untilNone(RESTART_CATCH_UP_MS, async () => this.#kept());
      problems.push(...found.map((problem) => `${problem} (after kill ${cycle})`));
      say(
        `cycle ${cycle}: ${answered} acknowledged so far, ${journal.unanswered().length} ` +
          `without an answer at the kill, ${found.length} problems`,
      );
      for (const problem of found) say(`    ${problem}`);
    }
    problems.push(...(await this.#finish()));
    for (const open of this.#moody?.openAtKills ?? []) {
      if (open < OPEN_MIN) problems.push(`wrong: only ${open} webhooks were open at a kill`);
    }
    return [...new Set([...problems, ...client.surprises, ...this.#inbox.problems])];
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = null;
  }

  async #start(): Promise<void> {
    this.#service = await startService({ stateDir: this.#wish.stateDir });
    const { base } = this.#service;
    this.client.merchants = LOCAL_COMPANIES.map((_, index) => new Merchant(base, index + 1));
  }

  /** Resolves once webhooks have piled up; null where they never do. */
  #crowd(cycle: number): Promise<void> | null {
    if (this.#moody === null) return null;
    const moment = new Random(this.#wish.seed, cycle, MOODS);
    const pass = moment.int(PASS_MIN, PASS_MAX);
    return this.#moody.crowd(pass, moment.int(OPEN_MIN, OPEN_MAX));
  }

  async #kill(): Promise<void> {
    this.#moody?.disperse();
    // Answers of this moment are on their way, but hardly written down yet.
    await new Promise((turn) => setImmediate(turn));
    await this.#service!.kill();
    this.#inbox.newLife();
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
    const outside = async () => {
      const webhooks = await Promise.all(merchants.map((merchant) => readWebhooks(merchant)));
      return [
        ...bankProblems(this.#wish.stateDir, companies, this.#inbox),
        ...webhooks.flatMap((own) => deliveredProblems(own, this.#inbox)),
      ];
    };
    return [...problems, ...(await this.#untilNone(FINAL_CATCH_UP_MS, outside))];
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
