import { describe, expect, it } from "vitest";
import type { Env } from "../../../../../src/config.ts";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { pay, createTransaction } from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { usePauses } from "../../../../support/builders/companies/pauses.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import {
  CRASH,
  withAccounts,
  withD1,
  withServiceState,
  type Interceptor,
} from "../../../../support/faults/faulty-env.ts";
import {
  bookmarkD1,
  givenArchived,
  reconcile,
  restore,
} from "../../../../support/faults/restore.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const CRASHES_MAX = 100;
/** Characters that tell what a statement does to which table. */
const KIND = 60;
const MINUTE_MS = 60_000;
const OPERATOR = { kind: "operator" as const, id: "operator", name: "Local operator" };

const world = usePauses();
const { pauses } = systemDependencies;

/** An isolate that crashes at the first kind of call that none has crashed at yet. */
function crashing(when: "before" | "after", died: Set<string>): Env {
  let isDead = false;
  const intercept: Interceptor = async (label, run) => {
    if (isDead) throw new Error(CRASH);
    const kind = label.slice(0, KIND);
    if (died.has(kind)) return run();
    died.add(kind);
    isDead = true;
    if (when === "after") await run();
    throw new Error(CRASH);
  };
  return withServiceState(withAccounts(withD1(env, intercept), intercept), intercept);
}

/** Restores with a new isolate after each crash; returns where it crashed. */
async function restoreWithCrashes(
  company: TestCompany,
  when: "before" | "after",
  afterDeath: () => Promise<void>,
): Promise<string[]> {
  const died = new Set<string>();
  while (died.size < CRASHES_MAX) {
    const before = died.size;
    try {
      expect(await restore(company, { env: crashing(when, died) })).toMatchObject({ refused: [] });
    } catch (error) {
      if (died.size === before) throw error;
    }
    if (died.size === before) return [...died];
    await afterDeath();
  }
  throw new Error("the restore did not end");
}

describe.each(["before", "after"] as const)(
  "an isolate crashes %s each call of a restore",
  (when) => {
    it("and the next one ends it: no second charge, no withdraw, no event lost or doubled", async () => {
      const company = await givenArchived();
      const bookmark = await bookmarkD1(company);
      const key = "order-1";
      const charge = await createTransaction(company, { amount: 5_000 }, { key });
      await pay(company, charge.body.data.id);
      await refund(company, charge.body.data.id, 1_000);
      const withdraw = await requestWithdraw(company, { amount: 2_000 });
      await runPayout(company, withdraw.body.id);
      await waitUntilDrained(company);
      const events = await storedEventsOf(company);
      const pause = { since: world.clock.now(), reason: "D1 goes back.", by: OPERATOR };
      await pauses.pause(env, "service", pause);
      await bookmark.rollBack();
      let waited = 0;

      const crashes = await restoreWithCrashes(company, when, async () => {
        world.clock.advance(MINUTE_MS);
        // The restore's own pause must be enough.
        if ((await pauses.ask(env)).companies[company.id] !== undefined)
          await pauses.resume(env, "service");
        const again = await createTransaction(company, { amount: 5_000 }, { key });
        if (again.status === 503) waited += 1;
        else expect(again.body.data?.id).toBe(charge.body.data.id);
        expect((await requestWithdraw(company, { amount: 1_000 })).status).not.toBe(201);
      });

      expect(crashes.length).toBeGreaterThan(5);
      expect(waited).toBeGreaterThan(crashes.length / 2);
      expect((await storedEventsOf(company)).slice(0, events.length)).toEqual(events);
      expect(await reconcile(company)).toEqual([]);
      const again = await createTransaction(company, { amount: 5_000 }, { key });
      expect(again.body.data.id).toBe(charge.body.data.id);
    });
  },
);
