import { expect } from "vitest";
import type { Env } from "../../../../src/config.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import { CredentialsCache } from "../../../../src/http/auth/credentials-cache.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { TestClock } from "../../fakes/clock.ts";
import { WebhookSink } from "../../fakes/webhook-sink.ts";
import { call, type Answer, type Call } from "../requests/api.ts";
import { givenApplication } from "./application.ts";
import { env, givenCompany, type TestCompany } from "./company.ts";

export const CREATE = "/api/v1/transactions/create";
export const WITHDRAW = "/api/Withdraw/request";
export const CLOCK = "/api/v1/sandbox/clock";
/** More calls than any wait takes. */
const CALLS_MAX = 500;
const RECEIVER = "https://loja.example.com/hook";

/** Something that ran on the way. */
export interface Ran {
  at: string;
  kind: string;
  id: string;
}

/** A receiver, and what has bank and webhooks live by a clock of the test's. */
function clockedWorld(clock: Clock) {
  const sink = new WebhookSink(clock);
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    sender: () => sink.deps(),
    providers: (each: Env) => providerRegistry(each, clock),
  };
  return { sink, deps };
}

/** A sandbox company with a receiver, whose bank and webhooks live by a clock of the test's. */
export async function givenClockedShop(clock = new TestClock()) {
  const company = await givenCompany({ clock, webhookUrl: RECEIVER });
  return { clock, company, ...clockedWorld(clock) };
}

export type ClockedShop = Awaited<ReturnType<typeof givenClockedShop>>;

/** Moves the clock, and on while there is more; all that ran, and the time then (Unix milliseconds). */
export async function live(
  options: Pick<Call, "company" | "deps" | "env">,
  body: object,
  callsMax = CALLS_MAX,
) {
  const ran: Ran[] = [];
  let next = body;
  for (let calls = 0; calls < callsMax; calls++) {
    const answer = await call(CLOCK, { ...options, body: next });
    expect(answer.status, answer.text).toBe(200);
    ran.push(...answer.body.data.ran);
    if (!answer.body.data.hasMore) return { ran, now: Date.parse(answer.body.data.now) };
    next = { set: answer.body.data.now };
  }
  throw new Error("the clock does not come to an end");
}

/** A sandbox company whose time a test moves, with an approver and a server that receives its webhooks. */
export class Shop {
  readonly company: TestCompany;
  readonly sink: WebhookSink;
  /** What the shop has made, in order. */
  readonly charges: string[] = [];
  readonly withdraws: number[] = [];
  readonly approver: TestCompany;
  readonly deps;
  #keys = 0;

  readonly clock: TestClock;

  private constructor(clock: TestClock, company: TestCompany, approver: TestCompany) {
    this.clock = clock;
    this.company = company;
    this.approver = approver;
    const { sink, deps } = clockedWorld(clock);
    this.sink = sink;
    this.deps = { ...deps, credentialsCache: new CredentialsCache() };
  }

  static async open(clock = new TestClock()): Promise<Shop> {
    const company = await givenCompany({ clock, webhookUrl: RECEIVER });
    // As long as another's: it stands in what is counted.
    await env.DB.prepare("UPDATE companies SET name = 'Loja' WHERE id = ?").bind(company.id).run();
    return new Shop(clock, company, await givenApplication(company));
  }

  /** One request of the company, or of its approver; each has a key of its own. */
  async send(
    path: string,
    {
      body,
      method = "POST",
      as = this.company,
    }: { body?: object; method?: string; as?: TestCompany } = {},
  ): Promise<Answer> {
    this.#keys++;
    const answer = await call(path, {
      company: as,
      deps: this.deps,
      method,
      headers: { "Idempotency-Key": `key_${this.#keys}` },
      ...(body === undefined ? {} : { body }),
    });
    const id: unknown = answer.body.data?.id ?? answer.body.id;
    if (path === CREATE && answer.status < 300) this.charges.push(String(id));
    if (path === WITHDRAW && answer.status < 300) this.withdraws.push(Number(id));
    return answer;
  }

  /** Moves the clock, as many calls as it takes. Returns all that ran. */
  async live(body: object): Promise<Ran[]> {
    return (await live(this, body)).ran;
  }

  wait(ms: number): Promise<Ran[]> {
    return this.live({ advance: `PT${ms / 1_000}S` });
  }

  /** The company's time (Unix milliseconds), as it says itself. */
  async now(): Promise<number> {
    const { body } = await call(CLOCK, { company: this.company, deps: this.deps });
    return Date.parse(body.data.now);
  }
}
