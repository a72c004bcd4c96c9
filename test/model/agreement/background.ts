import { evictObject } from "../../support/faults/object.ts";
import { processOperation } from "../../../src/api/transactions/operations.ts";
import { sweepCallbacks } from "../../../src/api/provider-callbacks/tasks.ts";
import { endShadowCharges } from "../../../src/api/transactions/attempts/shadows.ts";
import { sweepTransactions } from "../../../src/api/transactions/sweep/tasks.ts";
import { runSubscription } from "../../../src/api/subscriptions/tasks.ts";
import { processPayout, processRecheck } from "../../../src/api/withdraws/tasks.ts";
import type { Notifier } from "../../../src/company/outbox/ports.ts";
import { callsTo } from "../../support/builders/companies/calls.ts";
import { clearBacklog, configureObject, env } from "../../support/builders/companies/company.ts";
import { reconcileDue, type LiveWorld } from "../../support/builders/providers/psp.ts";

/** Rounds of one cron step: a round can finish the work of the previous one. */
const CRON_RUNS = 2;
/** The part of the skipped days that is still to be reconciled. */
const SKIPPED_UNTIL_MS = 30 * 60_000;

interface Due {
  withdrawIds: number[];
  operationIds: number[];
  recheckIds: number[];
  subscriptions: number[];
}

/** What a live company's service does without a request: cron, queues and the object's own work. */
export class Background {
  readonly #world: LiveWorld;
  readonly #due: Due = {
    withdrawIds: [],
    operationIds: [],
    recheckIds: [],
    subscriptions: [],
  };

  constructor(world: LiveWorld) {
    this.#world = world;
  }

  /** Takes the object's wake-ups from now on. */
  async begin(): Promise<void> {
    await configureObject(this.#world.company.id, {
      alter: (account) => {
        account.notifier = this.#notifier;
      },
    });
  }

  /** Runs the queue consumers and the minute's cron for this company, in a process with this environment. */
  async run(world: LiveWorld): Promise<void> {
    for (let round = 0; round < CRON_RUNS; round++) {
      await reconcileDue(world);
      await sweepCallbacks(world.env, world.deps);
      await sweepTransactions(world.env, world.deps);
      await endShadowCharges(world.env, world.deps);
      await this.runDueWork(world);
    }
  }

  /** Has the object look for what is due, and runs the queue consumers. */
  async runDueWork(world: LiveWorld): Promise<void> {
    await callsTo(world.company.id).runNow();
    await this.#processWakeUps(world);
  }

  /**
   * Skips days without events. Hourly cron runs would have found nothing in hundreds of runs, so
   * the newest pass is moved to where it would be.
   */
  async advanceDays(ms: number): Promise<void> {
    const { company, clock } = this.#world;
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
    const { id } = this.#world.company;
    await clearBacklog(id);
    await env.DB.batch(
      ["psp_accounts", "callbacks", "reconciliation_passes", "shadow_charges"].map((table) =>
        env.DB.prepare(`DELETE FROM ${table} WHERE company_id = ?`).bind(id),
      ),
    );
    await evictObject(id);
  }

  async #processWakeUps({ company, deps, env: environment }: LiveWorld): Promise<void> {
    const { withdrawIds, operationIds, recheckIds, subscriptions } = this.#due;
    for (const id of new Set(withdrawIds.splice(0))) {
      await processPayout(environment, deps.providers(environment), company.id, id);
    }
    for (const id of new Set(operationIds.splice(0))) {
      await processOperation(environment, deps, company.id, id);
    }
    for (const id of new Set(recheckIds.splice(0))) {
      await processRecheck(environment, deps, company.id, id);
    }
    for (const number of new Set(subscriptions.splice(0))) {
      await runSubscription(environment, deps, company.id, number);
    }
  }

  readonly #notifier: Notifier = {
    notifyDeliveries: async () => undefined,
    notifyPayouts: async (_companyId, due) => {
      this.#due.withdrawIds.push(...due.withdrawIds);
      this.#due.operationIds.push(...due.operationIds);
      this.#due.recheckIds.push(...due.recheckIds);
      this.#due.subscriptions.push(...(due.subscriptions ?? []));
    },
  };
}
