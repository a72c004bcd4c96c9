import { describe, expect, it } from "vitest";
import { callCompany } from "../../../../../src/company-client/stub.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { termsOf } from "../../../../support/builders/charges/charge-commands.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts } from "../../../../support/faults/faulty-env.ts";
import {
  CLAIM_EXPIRED_MS,
  DAY_MS,
  runOperation,
} from "../../../../support/builders/operations/object-operations.ts";
import { operationsOf } from "../../../../support/probes/charges/operation-rows.ts";
import { cancel } from "../../../../support/builders/operations/refund.ts";
import { tamper } from "../../../../support/faults/tamper.ts";
import { timelineOf, describeItem } from "../../../../support/probes/charges/timeline.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";

const BY_THE_CANCEL = [
  "cancel 0 PENDING",
  "cancel 0 DONE",
  "WAITING_PAYMENT to CANCELLED by cancel",
  "event 1 transaction.cancelled",
];

/** A charge that its bank reports as cancelled after the first cancel, whatever it responds. */
async function givenOpen() {
  const clock = new TestClock();
  const bank = new FakeBank();
  const company = await givenCompany({ clock });
  const deps = cronDeps(clock, bank);
  const { id } = await givenTransaction(company, {}, { deps });
  bank.onCancel = async () => {
    bank.charge = { kind: "known", status: "cancelled", payments: [], disputes: [], refunds: [] };
    return { kind: "unknown" };
  };
  return {
    clock,
    bank,
    company,
    id: id as string,
    requestCancel: (key?: string, around = env) =>
      cancel(company, id, { deps, env: around, ...(key === undefined ? {} : { key }) }),
    past: async () => (await timelineOf(company, id)).map(describeItem).slice(2),
    refreshNow: () =>
      callCompany(env, company.id, (account) =>
        account.transitionCharge({
          companyId: company.id,
          terms: termsOf({ id, amount: 2_500 }),
          to: "cancelled",
          cancelReason: "REQUESTED",
        }),
      ),
  };
}

describe("a cancel that the provider executed is the cause of the end", () => {
  it("when its response was lost and the sweep reads the charge", async () => {
    const { clock, bank, company, id, requestCancel, past } = await givenOpen();
    expect((await requestCancel()).status).toBe(202);
    clock.advance(2 * DAY_MS);
    await runCron(cronDeps(clock, bank));

    expect(await past()).toEqual(BY_THE_CANCEL);
    const items = (await timelineOf(company, id)).slice(2);
    expect(items[2].cause).toEqual({ kind: "cancel", id: items[0].id, amount: 0 });
    expect(items[1].id).toBe(items[0].id);
  });

  it("when its callback arrives before its response, which is still a 200", async () => {
    const { bank, requestCancel, past, refreshNow } = await givenOpen();
    bank.onCancel = async () => {
      await refreshNow();
      return { kind: "cancelled" };
    };

    const answer = await requestCancel();

    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "REQUESTED" });
    expect(await past()).toEqual(BY_THE_CANCEL);
  });

  it.each(["cancelled", "refused"] as const)(
    "when the process crashed before booking the response, and the key's retry is %s: 200, then replayed",
    async (kind) => {
      const { clock, bank, company, requestCancel, past } = await givenOpen();
      const lost = injectFault({ on: /^recordOperation$/, when: "before" });
      expect((await requestCancel("ca_1", withAccounts(env, lost.intercept))).status).toBe(500);
      bank.onCancel = async () =>
        kind === "cancelled" ? { kind } : { kind, reason: "It is cancelled already." };
      clock.advance(CLAIM_EXPIRED_MS);

      const retry = await requestCancel("ca_1");

      expect(retry.status).toBe(200);
      expect(retry.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "REQUESTED" });
      expect(await past()).toEqual(BY_THE_CANCEL);
      expect(await operationsOf(company)).toMatchObject([{ status: "DONE" }]);
      const replay = await requestCancel("ca_1");
      expect([replay.status, replay.body]).toEqual([200, retry.body]);
    },
  );

  it("when the process crashed and the charge was refreshed: the key's retry is 200 without another request", async () => {
    const { clock, bank, requestCancel, past, refreshNow } = await givenOpen();
    const lost = injectFault({ on: /^recordOperation$/, when: "before" });
    await requestCancel("ca_1", withAccounts(env, lost.intercept));
    await refreshNow();
    clock.advance(CLAIM_EXPIRED_MS);

    expect((await requestCancel("ca_1")).status).toBe(200);
    expect(await past()).toEqual(BY_THE_CANCEL);
    expect(bank.cancelled).toHaveLength(1);
  });
});

it("a cancel that lost to the charge's expiry failed and is not the cause", async () => {
  const { clock, bank, company, requestCancel, past } = await givenOpen();
  bank.onCancel = async () => ({ kind: "unknown" });
  await requestCancel();
  clock.advance(2 * DAY_MS);
  await runCron(cronDeps(clock, bank));
  bank.onCancel = async () => ({ kind: "cancelled" });
  await runOperation(company, bank, clock);

  expect(await past()).toEqual([
    "cancel 0 PENDING",
    "WAITING_PAYMENT to CANCELLED by expiry",
    "event 1 transaction.cancelled",
    "cancel 0 FAILED: The charge is cancelled.",
  ]);
});

it("a cancel that an older version left open is done when the charge was read as cancelled", async () => {
  const { clock, bank, company, requestCancel, refreshNow } = await givenOpen();
  await requestCancel();
  await refreshNow();
  await tamper(company, "UPDATE operations SET status = 'PENDING', next_check_at = 0");
  bank.onCancel = async () => ({ kind: "cancelled" });
  await runOperation(company, bank, clock);

  expect(await operationsOf(company)).toMatchObject([{ status: "DONE" }]);
});
