import { expect, it, vi } from "vitest";
import { encodeBoleto, type BoletoCode } from "../../../../../src/methods/boleto/boleto-code.ts";
import type { Dependencies } from "../../../../../src/http/context.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { cronDeps, runCron, runSweep } from "../../../../support/fakes/cron.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import {
  CONNECTION_LOST,
  CRASH,
  injectFault,
  withD1,
  type Fault,
} from "../../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { createTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { storedBoleto } from "../../../../support/probes/charges/stored-boleto.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";

/** A create's lease expires after 30 s; the sweep resumes it after a minute. */
const LEASE_MS = 30_000;
const SWEEP_MS = 60_000;

const CLAIM = /insert into "transactions"/;
const ANSWER = /update "transactions" set .*"answered_at"/;

async function givenCrash(wish: Parameters<typeof injectFault>[0]) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const broken = injectFault(wish);
  const create = (struck?: Fault) =>
    createTransaction(
      company,
      { amount: 2_500 },
      { key: "tx_1", deps, env: struck === undefined ? env : withD1(env, struck.intercept) },
    );
  expect((await create(broken)).status).toBeGreaterThanOrEqual(500);
  expect(broken.injections()).toBe(1);
  /** The bank's orders for this company's charges; the sweep may create others too. */
  const registered = async () => {
    const own = await chargeIdsOf(company);
    return bank.createdCharges.filter((id) => own.includes(id));
  };
  return { clock, company, bank, deps, registered, retry: () => create() };
}

/** The provider's id of a charge is the transaction's, without hyphens. */
async function chargeIdsOf(company: TestCompany): Promise<string[]> {
  return (await transactionsOf(company)).map(({ id }) => id.replaceAll("-", ""));
}

it("after a crash behind the claim, a retry with the key registers the one charge", async () => {
  const { clock, company, bank, retry } = await givenCrash({ on: CLAIM, when: "after" });
  expect(bank.createdCharges).toEqual([]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "creating", version: 0 }]);

  clock.advance(LEASE_MS);
  const answer = await retry();

  expect(answer.status).toBe(200);
  expect(await transactionsOf(company)).toMatchObject([
    { id: answer.body.data.id, status: "waiting_payment" },
  ]);
  expect(bank.createdCharges).toEqual(await chargeIdsOf(company));
});

it("after a crash behind the claim, the sweep registers the one charge without a retry", async () => {
  const { clock, company, deps, registered, retry } = await givenCrash({
    on: CLAIM,
    when: "after",
  });

  clock.advance(SWEEP_MS);
  await runCron(deps);

  expect(await transactionsOf(company)).toMatchObject([{ status: "waiting_payment" }]);
  expect(await registered()).toEqual(await chargeIdsOf(company));
  const replay = await retry();
  expect(replay.status).toBe(200);
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await registered()).toHaveLength(1);
});

it("after a lost response, a retry asks again under the same charge id", async () => {
  const { clock, company, bank, retry } = await givenCrash({ on: ANSWER, when: "before" });
  const [chargeId] = bank.createdCharges;
  expect(await transactionsOf(company)).toMatchObject([{ status: "creating" }]);

  clock.advance(LEASE_MS);
  const answer = await retry();

  expect(answer.status).toBe(200);
  expect(bank.createdCharges).toEqual([chargeId, chargeId]);
  expect(await chargeIdsOf(company)).toEqual([chargeId]);
  expect(answer.body.data.pix.qrcode).toBe(`code of ${chargeId}`);
});

it("after a lost response, the sweep resumes the charge under the same charge id", async () => {
  const { clock, company, deps, registered } = await givenCrash({ on: ANSWER, when: "before" });
  const [chargeId] = await registered();

  clock.advance(SWEEP_MS);
  await runCron(deps);

  expect(await registered()).toEqual([chargeId, chargeId]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "waiting_payment" }]);
});

it("the sweep skips a create whose lease is held", async () => {
  const { company, deps, registered } = await givenCrash({ on: CLAIM, when: "after" });

  await runCron(deps);

  expect(await registered()).toEqual([]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "creating" }]);
});

it("the sweep skips a stuck create that a retry has claimed", async () => {
  const { clock, company, bank, deps, registered, retry } = await givenCrash({
    on: CLAIM,
    when: "after",
  });
  const accept = bank.onCreate;
  // The retry steals the lease 50 s after the crash; its bank is still working when the sweep is
  // due.
  clock.advance(50_000);
  bank.onCreate = async (order) => {
    bank.onCreate = accept;
    clock.advance(10_000);
    await runCron(deps);
    return accept(order);
  };

  expect((await retry()).status).toBe(200);

  expect(await registered()).toHaveLength(1);
  expect(await transactionsOf(company)).toMatchObject([{ status: "waiting_payment" }]);
});

it("a bank without a response is asked again at once under the same charge id", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const accept = bank.onCreate;
  bank.onCreate = async () => ({ kind: "unknown" });
  const deps = cronDeps(clock, bank);

  const first = await createTransaction(company, {}, { key: "tx_1", deps });
  expect(first.status).toBe(503);
  expect(first.body.code).toBe("PROVIDER_UNAVAILABLE");
  bank.onCreate = accept;
  const second = await createTransaction(company, {}, { key: "tx_1", deps });

  expect(second.status).toBe(200);
  expect(bank.createdCharges).toEqual([bank.createdCharges[0], bank.createdCharges[0]]);
  expect(await transactionsOf(company)).toHaveLength(1);
});

it("after a crash behind an announced rejection, the retry gets it without a second event", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  bank.onCreate = async () => ({ kind: "refused", message: "the payer is blocked" });
  const deps = cronDeps(clock, bank);
  const broken = injectFault({ on: ANSWER, when: "before", error: CRASH });
  const crashed = await createTransaction(
    company,
    {},
    { key: "tx_1", deps, env: withD1(env, broken.intercept) },
  );
  expect(crashed.status).toBeGreaterThanOrEqual(500);
  expect(broken.injections()).toBe(1);

  clock.advance(LEASE_MS);
  const retried = await createTransaction(company, {}, { key: "tx_1", deps });

  expect(retried.status).toBe(422);
  expect(retried.body.code).toBe("CHARGE_REFUSED");
  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.failed"]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "failed" }]);
});

it.each([
  ["the claim", CLAIM],
  ["the provider's answer", ANSWER],
])("a lost D1 response after the write of %s leads to one transaction", async (_what, on) => {
  const company = await givenCompany();
  const lost = injectFault({ on, when: "after", error: CONNECTION_LOST });

  const answer = await createTransaction(
    company,
    { amount: 2_500 },
    { env: withD1(env, lost.intercept) },
  );

  expect(lost.injections()).toBe(1);
  expect(answer.status).toBe(200);
  expect(await transactionsOf(company)).toMatchObject([
    { id: answer.body.data.id, status: "waiting_payment" },
  ]);
  await pay(company, answer.body.data.id);
  expect(await eventsOf(company)).toHaveLength(1);
});

const BOLETO = {
  paymentMethod: "BOLETO",
  customer: { name: "Maria da Silva", document: { type: "CPF", number: "52998224725" } },
};

/** A bank's result of a boleto, equal to the order except for `wrong`. */
function registers(wrong: Partial<BoletoCode> = {}): FakeBank["onCreate"] {
  return async (order) => {
    if (order.paymentMethod !== "BOLETO") return { kind: "unknown" };
    const { amount, boleto } = order;
    const code = { bank: "237", amount, dueDate: boleto.dueDate, freeField: "1".repeat(25) };
    const registered = encodeBoleto({ ...code, ...wrong });
    return { kind: "registered", boleto: { ...registered, ourNumber: "1", qrcode: null } };
  };
}

async function givenBoletoBank() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  bank.onCreate = registers();
  const deps = cronDeps(clock, bank);
  const create = (struck?: Fault) =>
    createTransaction(company, BOLETO, {
      key: "tx_1",
      deps,
      env: struck === undefined ? env : withD1(env, struck.intercept),
    });
  return { clock, company, bank, deps, create };
}

it.each([
  ["a retry", async () => undefined],
  ["the sweep", (deps: Dependencies) => runSweep(deps)],
])(
  "a boleto whose response was lost is requested again under its own id by %s and is one slip",
  async (_who, look) => {
    const { clock, company, bank, deps, create } = await givenBoletoBank();
    expect((await create(injectFault({ on: ANSWER, when: "before" }))).status).toBe(500);

    clock.advance(SWEEP_MS);
    await look(deps);
    const answer = await create();

    expect(answer.body.data.boleto).toMatchObject({ ourNumber: "1" });
    const [chargeId] = await chargeIdsOf(company);
    expect(bank.createdCharges).toEqual([chargeId, chargeId]);
    expect(await transactionsOf(company)).toMatchObject([{ status: "waiting_payment" }]);
  },
);

it.each<[string, Partial<BoletoCode>]>([
  ["another amount", { amount: 2_501 }],
  ["another due date", { dueDate: "2031-01-01" }],
  ["no due date", { dueDate: null }],
])(
  "a boleto that its bank made with %s is never shown: 503, loudly, until one fits",
  async (_what, wrong) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { clock, company, bank, deps, create } = await givenBoletoBank();
    bank.onCreate = registers(wrong);

    await expectProblem(await create(), {
      status: 503,
      code: "PROVIDER_UNAVAILABLE",
      retryAfter: true,
    });
    clock.advance(SWEEP_MS);
    await runSweep(deps);
    expect(
      said.mock.calls.filter(([line]) => String(line).includes("boleto_mismatch")),
    ).toHaveLength(2);
    const [row] = await transactionsOf(company);
    expect(row).toMatchObject({ status: "creating" });
    expect((await storedBoleto(row!.id))?.registered).toBeNull();
    said.mockRestore();
    bank.onCreate = registers();

    expect((await create()).body.data.boleto.barcode).toHaveLength(44);
    expect(bank.createdCharges).toHaveLength(3);
  },
);
