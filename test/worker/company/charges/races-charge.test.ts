import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { end } from "../../../support/builders/commands.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { dispute, givenSettled, settleOn } from "../../../support/builders/object-operations.ts";
import { effectOf, race, ROUNDS } from "../../../support/faults/race.ts";
import { cancel, refund, sandbox } from "../../../support/builders/refund.ts";
import { givenTransaction, pay } from "../../../support/builders/transaction.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

const AMOUNT = 1_000;
const BALANCE = 100_000;

/** A company that can lose every round's charge twice. */
async function givenArena() {
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
  const { company } = await givenArena();
  const seen = new Set<string>();
  for (const round of ROUNDS) {
    const transaction = await givenTransaction(company, { amount: AMOUNT });
    const { answer, effect } = await effectOf(company, () =>
      race(
        company,
        round,
        () => settleOn(company, transaction),
        () => end(company, transaction, "cancelled"),
      ),
    );

    const [paid, expired] = answer;
    expect(paid).toEqual({ kind: "credited" });
    expect(effect).toEqual({ available: AMOUNT, provider: -AMOUNT });
    expect(await statusOf(company, transaction.id)).toBe("paid");
    expect(await typesOf(company, transaction.id)).toEqual(
      expired.kind === "moved"
        ? ["transaction.cancelled", "transaction.paid"]
        : ["transaction.paid"],
    );
    seen.add(expired.kind);
  }
  expect([...seen].sort()).toEqual(["moved", "not_allowed"]);
});

it("a payer who pays while the bank expires the charge is credited exactly where he has paid", async () => {
  const { company } = await givenArena();
  for (const round of ROUNDS) {
    const { id } = await givenTransaction(company, { amount: AMOUNT });
    const { answer, effect } = await effectOf(company, () =>
      race(
        company,
        round,
        () => pay(company, id),
        () => sandbox(company, id, "expire"),
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
  const { company, newBank } = await givenArena();
  for (const round of ROUNDS) {
    const transaction = await givenTransaction(company, { amount: AMOUNT });
    const { bank, deps } = newBank();
    const { answer, effect } = await effectOf(company, () =>
      race(
        company,
        round,
        () => cancel(company, transaction.id, { deps }),
        () => settleOn(company, transaction),
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

it("a refund that races a chargeback takes the money once for each that went out", async () => {
  const { company, newBank } = await givenArena();
  for (const round of ROUNDS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const { answer, effect } = await effectOf(company, () =>
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

it("of two whole refunds under different keys one is made", async () => {
  const { company, newBank } = await givenArena();
  for (const round of ROUNDS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const ask = (key: string) => refund(company, transaction.id, AMOUNT, { deps, key });
    const { answer, effect } = await effectOf(company, () =>
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

it("the same key asked twice at once makes one refund, and ends with one answer", async () => {
  const { company, newBank } = await givenArena();
  for (const round of ROUNDS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const ask = () => refund(company, transaction.id, AMOUNT, { deps, key: `same_${round}` });
    const { answer, effect } = await effectOf(company, () => race(company, round, ask, ask));

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

it("refunds in part that together are too much never give back more than was paid", async () => {
  const { company, newBank } = await givenArena();
  for (const round of ROUNDS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { bank, deps } = newBank();
    const { answer, effect } = await effectOf(company, () =>
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
