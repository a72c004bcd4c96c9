import { systemDependencies } from "../../../src/dependencies.ts";
import type { Env } from "../../../src/config.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import { CredentialsCache } from "../../../src/http/auth/credentials-cache.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { givenApplication } from "../../support/builders/companies/application.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { call, type Answer } from "../../support/builders/requests/api.ts";
import { WebhookSink } from "../../support/fakes/webhook-sink.ts";

const CLOCK = "/api/v1/sandbox/clock";
/** More calls than any wait takes. */
const CALLS_MAX = 500;

/** A sandbox company whose time a test moves, with an approver and a server that receives its webhooks. */
export class Shop {
  readonly company: TestCompany;
  readonly sink: WebhookSink;
  /** What the shop has made, in order. */
  readonly charges: string[] = [];
  readonly withdraws: number[] = [];
  readonly approver: TestCompany;
  readonly #deps;
  #keys = 0;

  private constructor(clock: Clock, company: TestCompany, approver: TestCompany) {
    this.company = company;
    this.approver = approver;
    const sink = new WebhookSink(clock);
    this.sink = sink;
    this.#deps = {
      ...systemDependencies,
      platformClock: clock,
      credentialsCache: new CredentialsCache(),
      sender: () => sink.deps(),
      providers: (each: Env) => providerRegistry(each, clock),
    };
  }

  static async open(clock: Clock): Promise<Shop> {
    const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/hook" });
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
    return call(path, {
      company: as,
      deps: this.#deps,
      method,
      headers: { "Idempotency-Key": `key_${this.#keys}` },
      ...(body === undefined ? {} : { body }),
    });
  }

  async charge(body: object): Promise<Answer> {
    const answer = await this.send("/api/v1/transactions/create", { body });
    if (answer.status === 200) this.charges.push(answer.body.data.id);
    return answer;
  }

  async withdraw(amount: number): Promise<Answer> {
    const answer = await this.send("/api/Withdraw/request", { body: { amount } });
    const id: unknown = answer.body.data?.id ?? answer.body.id;
    if (typeof id === "number") this.withdraws.push(id);
    return answer;
  }

  /** Lets time pass in one move, as many calls as it takes. Returns how many things ran. */
  async wait(ms: number): Promise<number> {
    let ran = 0;
    let body: object = { advance: `PT${ms / 1_000}S` };
    for (let calls = 0; calls < CALLS_MAX; calls++) {
      const answer = await call(CLOCK, { company: this.company, deps: this.#deps, body });
      if (answer.status !== 200) throw new Error(`the clock answered ${answer.text}`);
      ran += answer.body.data.ran.length;
      if (!answer.body.data.hasMore) return ran;
      body = { set: answer.body.data.now };
    }
    throw new Error("the clock does not come to an end");
  }
}
