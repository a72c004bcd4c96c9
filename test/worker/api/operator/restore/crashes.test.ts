import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { pay, createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { env, waitUntilDrained } from "../../../../support/builders/companies/company.ts";
import { usePauses } from "../../../../support/builders/companies/pauses.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import { repeatThroughCrashes } from "../../../../support/faults/crashes.ts";
import {
  bookmarkD1,
  givenArchived,
  reconcile,
  restore,
} from "../../../../support/faults/restore.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const MINUTE_MS = 60_000;
const OPERATOR = { kind: "operator" as const, id: "operator", name: "Local operator" };

const world = usePauses();
const { pauses } = systemDependencies;

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

      const restoreFully = async (isolate: typeof env) =>
        expect(await restore(company, { env: isolate })).toMatchObject({ refused: [] });
      const crashes = await repeatThroughCrashes(when, restoreFully, async () => {
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
