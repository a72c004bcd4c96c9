import { evictDurableObject } from "cloudflare:test";
import { processOperation } from "../../../src/api/transactions/operations.ts";
import { sweepCallbacks } from "../../../src/api/provider-callbacks/tasks.ts";
import { sweepTransactions } from "../../../src/api/transactions/sweep/tasks.ts";
import { processPayout } from "../../../src/api/withdraws/tasks.ts";
import { processRecheck } from "../../../src/api/withdraws/tasks.ts";
import type { Notifier } from "../../../src/company/outbox/ports.ts";
import { callsTo } from "../../support/builders/companies/calls.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { env, inAccount, clearBacklog } from "../../support/builders/companies/company.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import {
  postCallback,
  configurePixApi,
  givenPsp,
  pixApiRequest,
  reconcileDue,
  type PspSetup,
} from "../../support/builders/providers/psp.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { call } from "../../support/builders/requests/api.ts";

const SECOND_CERTIFICATE = "PSP_SECOND";
/** Two fake PSPs would produce equal ids within a minute; this one starts at another number. */
const SECOND_FROM = 1_000;
/** Rounds of one cron step: a round can finish the work of the previous one. */
const CRON_RUNS = 2;

/** The part of the skipped days that is still to be reconciled. */
const SKIPPED_UNTIL_MS = 30 * 60_000;

interface Due {
  withdrawIds: number[];
  operationIds: number[];
  recheckIds: number[];
}

/** A company with two PSP accounts, one of them active. */
export class Simulation {
  readonly world: PspSetup;
  readonly psps: readonly [FakePsp, FakePsp];
  /** Transaction ids, oldest first. */
  readonly charges: string[] = [];
  readonly #secondKey: string;
  readonly #due: Due = { withdrawIds: [], operationIds: [], recheckIds: [] };
  #currentPsp: 0 | 1 = 0;
  #withdraws = 0;
  #refunds = 0;

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
  async runBackgroundWork(): Promise<void> {
    for (let round = 0; round < CRON_RUNS; round++) {
      await reconcileDue(this.world);
      await sweepCallbacks(this.world.env, this.world.deps);
      await sweepTransactions(this.world.env, this.world.deps);
      await callsTo(this.world.company.id).runNow();
      await this.#processWakeUps();
    }
  }

  /**
   * Skips days without events. Hourly cron runs would have found nothing in hundreds of runs, so
   * the newest pass is moved to where it would be.
   */
  async advanceDays(ms: number): Promise<void> {
    const { company, clock } = this.world;
    clock.advance(ms);
    const readUntil = clock.now() - SKIPPED_UNTIL_MS;
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE psp_accounts SET listed_until = max(listed_until, ?) WHERE company_id = ?",
      ).bind(readUntil, company.id),
      env.DB.prepare(
        `UPDATE reconciliation_passes SET read_until = max(read_until, ?)
         WHERE company_id = ? AND pass = 'newest'`,
      ).bind(readUntil, company.id),
    ]);
  }

  /** Ends all work of this company, so that no other test's cron runs it. */
  async cleanUp(): Promise<void> {
    const { id } = this.world.company;
    await clearBacklog(id);
    await env.DB.batch(
      ["psp_accounts", "callbacks", "reconciliation_passes"].map((table) =>
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
