import { evictDurableObject } from "cloudflare:test";
import { processOperation } from "../../../src/api/transactions/operations.ts";
import { sweepCallbacks } from "../../../src/api/provider-callbacks/tasks.ts";
import { sweepTransactions } from "../../../src/api/transactions/sweep.ts";
import { processPayout } from "../../../src/api/withdraws/tasks.ts";
import { processRecheck } from "../../../src/api/withdraws/tasks.ts";
import type { Notifier } from "../../../src/company/outbox/ports.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { env, inAccount } from "../../support/builders/company.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { clearBacklog } from "../../support/probes/object.ts";
import {
  postCallback,
  configurePixApi,
  givenPsp,
  pixApiRequest,
  reconcileDue,
  type PspSetup,
} from "../../support/fakes/psp.ts";
import { createTransaction } from "../../support/builders/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraw.ts";
import { call } from "../../support/builders/api.ts";

const SECOND_CERTIFICATE = "PSP_SECOND";
/** Two fake PSPs number what they receive within a minute alike; this one goes on from here. */
const SECOND_FROM = 1_000;
/** Rounds of one step of the cron: what one round begins another may end. */
const CRON_RUNS = 2;

/** Of the days that are skipped, what is left to be read. */
const SKIPPED_UNTIL_MS = 30 * 60_000;

interface Due {
  withdrawIds: number[];
  operationIds: number[];
  recheckIds: number[];
}

/** One company with two PSPs in reach, of which one is its present one. */
export class Simulation {
  readonly world: PspSetup;
  readonly psps: readonly [FakePsp, FakePsp];
  /** Transaction ids, oldest first. */
  readonly charges: string[] = [];
  readonly #secondKey: string;
  readonly #due: Due = { withdrawIds: [], operationIds: [], recheckIds: [] };
  #currentPsp: 0 | 1 = 0;
  #withdraws = 0;

  private constructor(world: PspSetup, second: FakePsp, secondKey: string) {
    this.world = world;
    this.psps = [world.psp, second];
    this.#secondKey = secondKey;
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
    await inAccount(world.company.id, (account) => {
      account.notifier = life.#notifier;
    });
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
      ...(amount === null ? {} : { body: { amount } }),
    });
  }

  async withdraw(amount: number): Promise<void> {
    this.#withdraws += 1;
    const { company, options } = this.world;
    await requestWithdraw(company, { amount }, { ...options, key: `wd_${this.#withdraws}` });
  }

  /** The operator configures the other PSP account, or the first one again. */
  async switchAccount(): Promise<void> {
    const next = this.#currentPsp === 0 ? 1 : 0;
    const body =
      next === 0
        ? pixApiRequest({ pixKey: this.world.configured.pixKey })
        : pixApiRequest({ pixKey: this.#secondKey, certificate: SECOND_CERTIFICATE });
    const answer = await configurePixApi(this.world.company, body, this.world);
    if (answer.status === 200) this.#currentPsp = next;
  }

  /** Bodies of callbacks reach the service, each as often and in the order that is said. */
  async deliverCallbacks(psp: FakePsp, bodies: unknown[]): Promise<void> {
    const [url] = psp.book.webhooks.values();
    if (url === undefined) return;
    for (const body of bodies) await postCallback(this.world, `${url}/pix`, JSON.stringify(body));
  }

  /** What the queue and the minute's cron do for this company. */
  async runBackgroundWork(): Promise<void> {
    for (let round = 0; round < CRON_RUNS; round++) {
      await reconcileDue(this.world);
      await sweepCallbacks(this.world.env, this.world.deps);
      await sweepTransactions(this.world.env, this.world.deps);
      await companyStub(env, this.world.company.id).runNow();
      await this.#processWakeUps();
    }
  }

  /**
   * Days go by in which nothing happens. The cron would have read each hour of them and found nothing,
   * which takes hundreds of runs: so the newest pass has come to where it would have.
   */
  async advanceDays(ms: number): Promise<void> {
    const { company, clock } = this.world;
    clock.advance(ms);
    const readUntil = clock.now() - SKIPPED_UNTIL_MS;
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE company_providers SET listed_until = max(listed_until, ?) WHERE company_id = ?",
      ).bind(readUntil, company.id),
      env.DB.prepare(
        `UPDATE reconciliation_passes SET read_until = max(read_until, ?)
         WHERE company_id = ? AND pass = 'newest'`,
      ).bind(readUntil, company.id),
    ]);
  }

  /** Nothing of it is looked at any more, whoever's cron runs. */
  async cleanUp(): Promise<void> {
    const { id } = this.world.company;
    await clearBacklog(id);
    await env.DB.batch(
      ["company_providers", "former_accounts", "callbacks", "reconciliation_passes"].map((table) =>
        env.DB.prepare(`DELETE FROM ${table} WHERE company_id = ?`).bind(id),
      ),
    );
    await evictDurableObject(companyStub(env, id));
  }

  async #processWakeUps(): Promise<void> {
    const { company, deps } = this.world;
    const environment = this.world.env;
    const { withdrawIds, operationIds, recheckIds } = this.#due;
    for (const id of new Set(withdrawIds.splice(0))) {
      await processPayout(environment, deps.providers(environment), company.id, id);
    }
    for (const id of new Set(operationIds.splice(0))) {
      await processOperation(environment, deps, company.id, id);
    }
    for (const id of new Set(recheckIds.splice(0))) {
      await processRecheck(environment, deps, company.id, id);
    }
  }

  readonly #notifier: Notifier = {
    notifyDeliveries: async () => undefined,
    notifyPayouts: async (_companyId, due) => {
      this.#due.withdrawIds.push(...due.withdrawIds);
      this.#due.operationIds.push(...due.operationIds);
      this.#due.recheckIds.push(...due.recheckIds);
    },
  };
}
