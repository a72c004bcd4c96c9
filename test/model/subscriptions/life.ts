import { evictObject } from "../../support/faults/object.ts";
import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { SUBSCRIPTIONS } from "../../support/builders/charges/subscriptions.ts";
import { givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import {
  accountsOf,
  connectAccount,
  pixAccount,
} from "../../support/builders/providers/accounts.ts";
import { postCallback, type LiveWorld } from "../../support/builders/providers/psp.ts";
import { call, type Answer } from "../../support/builders/requests/api.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { PSP_RECEIVER } from "../../support/fakes/fake-psp/book.ts";
import type { DebitFate } from "../../support/fakes/fake-psp/automatic/debit-book.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { Background } from "../agreement/background.ts";
import { closeHouse, inProcess, openHouse, type Death } from "../houses/process.ts";
import { DunningHouses, type HouseNotice } from "./dunners.ts";
import { endedThoughPaid } from "./dunning-ends.ts";
import { Watch } from "./watch.ts";

const HOUR_MS = 3_600_000;
/** A dead process leaves leases behind that end by then. */
const AFTER_DEATH_MS = 2 * 60_000;

/** A subscription that the company asked for; `id` null while no answer has named it. */
export interface Asked {
  id: string | null;
  key: string;
  body: Record<string, unknown>;
}

/** Asks for a subscription in a process, under its key: its answer names it. */
export async function requestSubscription(world: LiveWorld, asked: Asked): Promise<void> {
  const { company, deps, env: environment } = world;
  const headers = { "Idempotency-Key": asked.key };
  const about = { company, deps, env: environment, headers, body: asked.body };
  const answer = await call(SUBSCRIPTIONS, about);
  if (answer.status === 201) asked.id = answer.body.data.id;
}

/** A live company with subscriptions at a PSP, which a test plays. */
export class SubscriptionsLife {
  readonly world: LiveWorld;
  readonly psp: FakePsp;
  readonly watch: Watch;
  /** Where its payers are dunned beside the PSP; null where they are not. */
  houses: DunningHouses | null = null;
  readonly asked: Asked[] = [];
  /** Processes that died. */
  deaths = 0;
  /** What becomes of the first attempts of debits that nobody decides about, in turn; then they are paid. */
  readonly fates: DebitFate[][] = [];
  readonly #fated = new Set<string>();
  /** Charges of cycles whose dunning was seen to have ended. */
  readonly #dunned = new Set<string>();
  readonly #host: string;
  readonly #background: Background;
  #callbackUrl = "";
  #calls = 0;

  private constructor(world: LiveWorld, psp: FakePsp, host: string) {
    this.world = world;
    this.psp = psp;
    this.watch = new Watch(psp, () => world.clock.now());
    this.#host = host;
    this.#background = new Background(world);
  }

  static async start(startMs: number, isDunned = false): Promise<SubscriptionsLife> {
    const clock = new TestClock(startMs);
    const company = await givenCompany({ mode: "live", clock });
    const pixKey = newUuid(systemRandom);
    const host = `pix-${pixKey}.banco-de-teste.com.br`;
    const psp = new FakePsp(clock, pixKey);
    let life: SubscriptionsLife | null = null;
    await inProcess({ company, clock } as LiveWorld, null, async (world) => {
      life = new SubscriptionsLife(world, psp, host);
      await life.#connect(pixKey);
      if (!isDunned) return;
      life.houses = new DunningHouses(world);
      await life.houses.connect(world);
    });
    return life!;
  }

  /** Asks for a subscription. */
  async subscribe(body: Asked["body"], death: Death | null = null): Promise<void> {
    const asked = { id: null, key: `sub_${this.asked.length}`, body };
    this.asked.push(asked);
    await this.askAgain(asked, death);
  }

  /** Sends a create, or sends it again under its key. */
  async askAgain(asked: Asked, death: Death | null = null): Promise<void> {
    await this.#run(death, (world) => requestSubscription(world, asked));
  }

  /** Cancels, pauses or resumes a subscription. What is stopped is debited no more, once that was answered. */
  async act(id: string, action: "cancel" | "pause" | "resume", death: Death | null): Promise<void> {
    const contract = id.replaceAll("-", "");
    const shown = await this.get(`${SUBSCRIPTIONS}/${id}`);
    const isPaused = shown.body.data.status === "paused";
    if (action === "resume" && isPaused) this.watch.stopped.delete(contract);
    const answer = await this.send(`${SUBSCRIPTIONS}/${id}/${action}`, { death });
    if (answer?.status === 200 && action !== "resume") this.watch.stopped.add(contract);
  }

  /** One request of the company; null where the process died. */
  async send(
    path: string,
    options: { body?: object; method?: string; key?: string; death: Death | null },
  ): Promise<Answer | null> {
    const { body, method = "POST", death } = options;
    this.#calls += 1;
    const headers = { "Idempotency-Key": options.key ?? `key_${this.#calls}` };
    let answer: Answer | null = null;
    const lived = await this.#run(death, async ({ company, deps, env: environment }) => {
      const about = { company, deps, env: environment, method, headers };
      answer = await call(path, body === undefined ? about : { ...about, body });
    });
    return lived ? answer : null;
  }

  async get(path: string): Promise<Answer> {
    return (await this.send(path, { method: "GET", death: null }))!;
  }

  /** The PSP posts a notice. */
  async tell(body: unknown): Promise<void> {
    const { recs, cobsr } = body as { recs?: unknown; cobsr?: unknown };
    const kind = recs !== undefined ? "rec" : cobsr !== undefined ? "cobr" : "pix";
    const url = `${this.#callbackUrl}/${kind}`;
    await this.#run(null, (options) => postCallback({ options }, url, JSON.stringify(body)));
  }

  /** A house of its dunning posts a notice. */
  async tellOfHouse({ url, body }: HouseNotice): Promise<void> {
    await this.#run(null, (options) => postCallback({ options }, url, body));
  }

  /** All that runs without a request: cron, queues and the object's own work. */
  async work(death: Death | null = null): Promise<void> {
    await this.#background.advanceDays(0);
    await this.#run(death, (world) => this.#background.run(world));
  }

  /** What the object itself finds due. */
  async runDue(death: Death | null = null): Promise<void> {
    await this.#run(death, (world) => this.#background.runDueWork(world));
  }

  /** When a subscription is due next, epoch milliseconds; null for never. */
  nextDue(): Promise<number | null> {
    return inAccount(this.world.company.id, (_, { storage: { sql } }) => {
      const query = "SELECT min(next_check_at) AS at FROM subscriptions";
      return sql.exec<{ at: number | null }>(query).one().at;
    });
  }

  /** The object begins anew from what it has stored. */
  restart(): Promise<void> {
    return evictObject(this.world.company.id);
  }

  /** Time passes, and the payers' banks do what is due on the way; the service does nothing. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= HOUR_MS) {
      this.#drawFates();
      this.world.clock.advance(Math.min(left, HOUR_MS));
      this.psp.runBanks();
      this.houses?.runBanks();
    }
  }

  #drawFates(): void {
    for (const txid of this.psp.debits.debits.keys()) {
      if (this.#fated.has(txid)) continue;
      this.#fated.add(txid);
      const fates = this.fates.shift();
      if (fates !== undefined) this.psp.debits.decide(txid, ...fates);
    }
  }

  async cleanUp(): Promise<void> {
    closeHouse(this.#host);
    this.houses?.close();
    await this.#background.cleanUp();
  }

  async #run(death: Death | null, work: (world: LiveWorld) => Promise<unknown>): Promise<boolean> {
    const hasLived = await inProcess(this.world, death, work);
    this.watch.faults.push(...(await endedThoughPaid(this, this.#dunned)));
    if (hasLived) return true;
    this.deaths += 1;
    this.world.clock.advance(AFTER_DEATH_MS);
    return false;
  }

  async #connect(pixKey: string): Promise<void> {
    const { company } = this.world;
    openHouse(this.#host, this.watch.fetch);
    const baseUrl = `https://${this.#host}`;
    const settings = {
      pixKey,
      baseUrl,
      tokenUrl: `${baseUrl}/oauth/token`,
      certificate: null,
      payouts: null,
      receiver: PSP_RECEIVER,
    };
    const account = pixAccount(settings, { methods: ["PIX", "AUTOMATIC_PIX"] });
    const options = { options: this.world };
    await connectAccount(company, "first", account, options);
    const [connected] = await accountsOf(company, options);
    this.#callbackUrl = connected.callbackUrl;
    await this.#background.begin();
  }
}
