import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import {
  postCallback,
  configurePixApi,
  givenPsp,
  pixApiRequest,
  type PspSetup,
} from "../../support/builders/providers/psp.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { call } from "../../support/builders/requests/api.ts";
import { Background } from "./background.ts";

const SECOND_CERTIFICATE = "PSP_SECOND";
/** Two fake PSPs would produce equal ids within a minute; this one starts at another number. */
const SECOND_FROM = 1_000;
/** A company with two PSP accounts, one of them active. */
export class Simulation {
  readonly world: PspSetup;
  readonly psps: readonly [FakePsp, FakePsp];
  /** Transaction ids, oldest first. */
  readonly charges: string[] = [];
  readonly #secondKey: string;
  readonly #background: Background;
  #currentPsp: 0 | 1 = 0;
  #withdraws = 0;
  #refunds = 0;

  private constructor(world: PspSetup, second: FakePsp, secondKey: string) {
    this.world = world;
    this.psps = [world.psp, second];
    this.#secondKey = secondKey;
    this.#background = new Background(world);
  }

  static async start(): Promise<Simulation> {
    const first = await givenPsp();
    const secondKey = newUuid(systemRandom);
    const second = new FakePsp(first.clock, secondKey);
    for (let id = 0; id < SECOND_FROM; id++) second.book.endToEndId();
    const both = { ...first.env, [SECOND_CERTIFICATE]: { fetch: second.fetch } };
    const deps = { ...first.deps, providers: () => providerRegistry(both, first.clock) };
    const world = { ...first, env: both, deps, options: { env: both, deps } };
    const life = new Simulation(world, second, secondKey);
    await life.#background.begin();
    return life;
  }

  async charge(amount: number): Promise<void> {
    const answer = await createTransaction(this.world.company, { amount }, this.world.options);
    if (answer.status < 300) this.charges.push(answer.body.data.id);
  }

  async refund(id: string, amount: number | null): Promise<void> {
    await call(`/api/v1/transactions/${id}/refund`, {
      ...this.world.options,
      company: this.world.company,
      method: "POST",
      headers: { "Idempotency-Key": `re_${++this.#refunds}` },
      ...(amount === null ? {} : { body: { amount } }),
    });
  }

  async withdraw(amount: number): Promise<void> {
    this.#withdraws += 1;
    const { company, options } = this.world;
    await requestWithdraw(company, { amount }, { ...options, key: `wd_${this.#withdraws}` });
  }

  /** The operator switches to the other PSP account and back. */
  async switchAccount(): Promise<void> {
    const next = this.#currentPsp === 0 ? 1 : 0;
    const body =
      next === 0
        ? pixApiRequest({ pixKey: this.world.configured.pixKey })
        : pixApiRequest({ pixKey: this.#secondKey, certificate: SECOND_CERTIFICATE });
    const answer = await configurePixApi(this.world.company, body, this.world);
    if (answer.status === 200) this.#currentPsp = next;
  }

  /** Delivers callback bodies to the service, in the given order and number. */
  async deliverCallbacks(psp: FakePsp, bodies: unknown[]): Promise<void> {
    const [url] = psp.book.webhooks.values();
    if (url === undefined) return;
    for (const body of bodies) await postCallback(this.world, `${url}/pix`, JSON.stringify(body));
  }

  /** Runs the queue consumers and the minute's cron for this company. */
  runBackgroundWork(): Promise<void> {
    return this.#background.run(this.world);
  }

  advanceDays(ms: number): Promise<void> {
    return this.#background.advanceDays(ms);
  }

  cleanUp(): Promise<void> {
    return this.#background.cleanUp();
  }
}
