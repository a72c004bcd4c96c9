import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { endCharge } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import {
  dispute,
  givenSettled,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import { balanceChanges } from "../../../support/probes/ledger/balance-changes.ts";
import { race, RACE_ATTEMPTS } from "../../../support/faults/race.ts";
import { cancel, refund, simulate } from "../../../support/builders/operations/refund.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const AMOUNT = 1_000;
const BALANCE = 100_000;

/** A company that can lose every round's charge twice. */
async function givenCharge() {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: BALANCE });
  /** A bank of its own for each round. */
  const newBank = () => {
    const bank = new FakeBank();
    return { bank, deps: cronDeps(clock, bank) };
  };
  return { company, newBank };
}

async function typesOf(company: TestCompany, id: string): Promise<string[]> {
  const events = await eventsOf(company);
  return events.filter(({ objectId }) => objectId === id).map(({ type }) => type);
}

async function statusOf(company: TestCompany, id: string): Promise<string | undefined> {
  return (await transactionsOf(company)).find((row) => row.id === id)?.status;
}

it("a payment that races its expiry is credited once and the charge ends paid", async () => {
  const { company } = await givenCharge();
  const seen = new Set<string>();
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenTransaction(company, { amount: AMOUNT });
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => settleCharge(company, transaction),
        () => endCharge(company, transaction, "cancelled"),
      ),
    );

    const [paid, expired] = answer;
    expect(paid).toEqual({ kind: "credited" });
    expect(effect).toEqual({ available: AMOUNT, provider: -AMOUNT });
    expect(await statusOf(company, transaction.id)).toBe("paid");
    expect(await typesOf(company, transaction.id)).toEqual(
      expired.kind === "transitioned"
        ? ["transaction.cancelled", "transaction.paid"]
        : ["transaction.paid"],
    );
    seen.add(expired.kind);
  }
  expect([...seen].sort()).toEqual(["not_allowed", "transitioned"]);
});

it("a payment during the bank's expiry is credited only if it succeeded", async () => {
  const { company } = await givenCharge();
  for (const round of RACE_ATTEMPTS) {
    const { id } = await givenTransaction(company, { amount: AMOUNT });
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => pay(company, id),
        () => simulate(company, id, "expire"),
      ),
    );

    const [paid, expired] = answer;
    expect([200, 409]).toContain(paid.status);
    expect([200, 409]).toContain(expired.status);
    expect(effect).toEqual(paid.status === 200 ? { available: AMOUNT, provider: -AMOUNT } : {});
    expect(await statusOf(company, id)).toBe(paid.status === 200 ? "paid" : "cancelled");
  }
});

it("a cancel that races a payment never loses the payment", async () => {
  const { company, newBank } = await givenCharge();
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenTransaction(company, { amount: AMOUNT });
    const { bank, deps } = newBank();
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => cancel(company, transaction.id, { deps }),
        () => settleCharge(company, transaction),
      ),
    );

    const [cancelled, paid] = answer;
    expect(paid).toEqual({ kind: "credited" });
    expect(effect).toEqual({ available: AMOUNT, provider: -AMOUNT });
    expect(await statusOf(company, transaction.id)).toBe("paid");
    const types = await typesOf(company, transaction.id);
    expect([200, 409]).toContain(cancelled.status);
    expect(types).toEqual(
      cancelled.status === 409
        ? ["transaction.paid"]
        : ["transaction.cancelled", "transaction.paid"],
    );
    // A 409 is of a payment that came before the cancel was sent, or while it was.
    expect(bank.cancelled.length).toBeLessThanOrEqual(1);
    if (cancelled.status === 200) expect(bank.cancelled).toHaveLength(1);
  }
});

it("a refund that races a chargeback debits each amount that was paid out once", async () => {
  const { company, newBank } = await givenCharge();
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => refund(company, transaction.id, undefined, { deps }),
        () => dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST" }),
      ),
    );

    const [refunded, taken] = answer;
    expect(taken).toEqual({ kind: "recorded" });
    expect([200, 409]).toContain(refunded.status);
    expect(bank.sentRefunds).toHaveLength(refunded.status === 200 ? 1 : 0);
    const gone = AMOUNT * (1 + bank.sentRefunds.length);
    expect(effect).toEqual({ available: -gone, provider: gone });
    expect(await typesOf(company, transaction.id)).toEqual([
      "transaction.paid",
      "transaction.refunded",
    ]);
  }
});

it("one of two full refunds with different keys succeeds", async () => {
  const { company, newBank } = await givenCharge();
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const ask = (key: string) => refund(company, transaction.id, AMOUNT, { deps, key });
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => ask(`left_${round}`),
        () => ask(`right_${round}`),
      ),
    );

    const statuses = answer.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses[0]).toBe(200);
    expect([409, 422]).toContain(statuses[1]);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(effect).toEqual({ available: -AMOUNT, provider: AMOUNT });
    expect(await typesOf(company, transaction.id)).toEqual([
      "transaction.paid",
      "transaction.refunded",
    ]);
  }
});

it("the same key used twice concurrently makes one refund with one response", async () => {
  const { company, newBank } = await givenCharge();
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const ask = () => refund(company, transaction.id, AMOUNT, { deps, key: `same_${round}` });
    const { answer, effect } = await balanceChanges(company, () => race(company, round, ask, ask));

    const done = answer.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    const running = answer.filter(({ status }) => status !== 200);
    expect(running.map(({ body }) => body.code)).toEqual(
      running.map(() => "IDEMPOTENCY_IN_PROGRESS"),
    );
    const replay = await ask();
    for (const { body } of done) expect(replay.body).toEqual(body);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(effect).toEqual({ available: -AMOUNT, provider: AMOUNT });
  }
});

it("concurrent partial refunds never exceed the paid amount", async () => {
  const { company, newBank } = await givenCharge();
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => refund(company, transaction.id, 600, { deps }),
        () => refund(company, transaction.id, 500, { deps }),
      ),
    );

    expect(new Set(answer.map(({ status }) => status))).toEqual(new Set([200, 422]));
    const gone = answer[0].status === 200 ? 600 : 500;
    expect(bank.sentRefunds).toMatchObject([{ amount: gone }]);
    expect(effect).toEqual({ available: -gone, provider: gone });
  }
});
