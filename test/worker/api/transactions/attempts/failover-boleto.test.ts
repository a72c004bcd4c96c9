import { afterEach, describe, expect, it, vi } from "vitest";
import { endShadowCharges } from "../../../../../src/api/transactions/attempts/shadows.ts";
import { providerChargeId } from "../../../../../src/domain/charges/transaction.ts";
import {
  createBoleto,
  EFI_FIRST,
  EFI_SECOND,
  givenTwoHouses,
  notifyOfEfi,
  notifyOfPagarMe,
  payableBoletos,
  type TwoHouses,
} from "../../../../support/builders/providers/two-houses.ts";
import {
  boundRows,
  chargeRows,
  shadowRows,
} from "../../../../support/builders/providers/two-banks.ts";
import { waitUntilDrained } from "../../../../support/builders/companies/company.ts";
import { newestUnexpected } from "../../../../support/builders/charges/unexpected.ts";
import { runSweep } from "../../../../support/fakes/cron.ts";
import type { FaultName } from "../../../../support/fakes/fake-psp/faults.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const AMOUNT = 2_500;
const MINUTE = 60_000;
const UNAVAILABLE = { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true } as const;

afterEach(() => vi.restoreAllMocks());

/** A boleto of Pagar.me, which was asked because Efí lost its answer about the charge that nobody can pay. */
async function givenMovedBoleto() {
  const world = await givenTwoHouses();
  world.efi.faultAlways("error_500");
  const answer = await createBoleto(world);
  world.efi.clearFaults();
  expect(answer.status, answer.text).toBe(200);
  const id: string = answer.body.data.id;
  return { world, id, inert: providerChargeId(id), shown: providerChargeId(id, 2) };
}

/** Waits that end when they are told to, by their length. */
function holdWaits() {
  const waiting: { ms: number; end: () => void }[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation(
    (ms) => new Promise((resolve) => waiting.push({ ms, end: () => resolve(undefined) })),
  );
  return (length: number) => {
    for (const { ms, end } of waiting.splice(0)) if (ms === length) end();
  };
}

/** Efí does what the next call that matches asks, and its answer waits. */
function holdAnswer({ efi }: TwoHouses, on: RegExp) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const answer = efi.answer.bind(efi);
  efi.answer = async (request) => {
    if (!on.test(`${request.method} ${new URL(request.url).pathname}`)) return answer(request);
    efi.answer = answer;
    const said = await answer(request);
    asked.resolve();
    await gate.promise;
    return said;
  };
  return { asked: asked.promise, goOn: () => gate.resolve() };
}

const pays = ({ efi }: TwoHouses) => efi.calls.filter((call) => EFI_SECOND.test(call)).length;

describe("Efí silent before it was told to make a boleto", () => {
  it.each<[FaultName, RegExp]>([
    ["error_500", EFI_FIRST],
    ["unavailable", EFI_FIRST],
    ["reset", EFI_FIRST],
    ["unavailable", /^POST \/v1\/authorize$/],
  ])("(%s at %s) leads to the next house's boleto", async (fault, on) => {
    const world = await givenTwoHouses();
    world.efi.faultAlways(fault, on);

    const answer = await createBoleto(world);

    expect(answer.status, answer.text).toBe(200);
    const { id } = answer.body.data;
    expect(await chargeRows(world.company)).toMatchObject([
      { id, status: "waiting_payment", account: "pagarme", attempt: 2 },
    ]);
    expect(payableBoletos(world, id)).toEqual([providerChargeId(id, 2)]);
    expect(pays(world)).toBe(0);
  });

  it("is waited for two seconds; what it says later makes no boleto", async () => {
    const world = await givenTwoHouses();
    const end = holdWaits();
    const efi = holdAnswer(world, EFI_FIRST);
    const created = createBoleto(world);
    await efi.asked;
    end(2_000);
    const answer = await created;
    expect(answer.status, answer.text).toBe(200);

    efi.goOn();

    await vi.waitFor(() => expect(world.efi.book.charges).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pays(world)).toBe(0);
    expect(await boundRows(world.company)).toEqual([]);
    const { id } = answer.body.data;
    expect(payableBoletos(world, id)).toEqual([providerChargeId(id, 2)]);
  });

  it("makes no boleto either while the next one has not answered", async () => {
    const world = await givenTwoHouses();
    const end = holdWaits();
    const efi = holdAnswer(world, EFI_FIRST);
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const answer = world.pagarme.answer.bind(world.pagarme);
    world.pagarme.answer = async (request) => {
      asked.resolve();
      await gate.promise;
      return answer(request);
    };
    const created = createBoleto(world);
    await efi.asked;
    end(2_000);
    await asked.promise;

    efi.goOn();

    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pays(world)).toBe(0);
    gate.resolve();
    const { id } = (await created).body.data;
    expect(payableBoletos(world, id)).toEqual([providerChargeId(id, 2)]);
  });

  it("leaves a charge that nobody can pay, which is cancelled and then forgotten", async () => {
    const { world, id, shown } = await givenMovedBoleto();
    expect(await shadowRows(world.company)).toMatchObject([{ attempt: 1, account: "efi" }]);
    world.clock.advance(2 * MINUTE);

    await endShadowCharges(world.env, world.deps);

    expect(await shadowRows(world.company)).toEqual([]);
    expect(world.efi.book.charges.map(({ status }) => status)).toEqual(["canceled"]);
    expect(payableBoletos(world, id)).toEqual([shown]);
  });

  it("leads to the same boleto again under its key", async () => {
    const world = await givenTwoHouses();
    world.efi.faultOnce("error_500", EFI_FIRST);
    const first = await createBoleto(world, { key: "order-1" });
    const again = await createBoleto(world, { key: "order-1" });
    expect(again.body.data.boleto).toEqual(first.body.data.boleto);
    expect(payableBoletos(world, first.body.data.id)).toHaveLength(1);
  });
});

describe("a house that was told to make a boleto is not left", () => {
  it("where the answer of Efí's second call is lost: the boleto is found by its key's repeat", async () => {
    const world = await givenTwoHouses();
    world.efi.faultAlways("error_500", /^(POST \/v1\/charge\/\d+\/pay|GET \/v1\/charge\/\d+)$/);
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    expect(world.pagarme.seen).toEqual([]);
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    world.efi.clearFaults();

    const answer = await createBoleto(world, { key: "order-1" });

    expect(answer.status, answer.text).toBe(200);
    const { id } = answer.body.data;
    expect(payableBoletos(world, id)).toEqual([providerChargeId(id)]);
    expect(await chargeRows(world.company)).toMatchObject([{ account: "efi", attempt: 1 }]);
    expect(world.pagarme.seen).toEqual([]);
  });

  it("where Efí takes longer than two seconds with its second call", async () => {
    const world = await givenTwoHouses();
    const end = holdWaits();
    const efi = holdAnswer(world, EFI_SECOND);
    const created = createBoleto(world);
    await efi.asked;
    end(2_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(world.pagarme.seen).toEqual([]);

    efi.goOn();

    const answer = await created;
    expect(answer.status, answer.text).toBe(200);
    expect(payableBoletos(world, answer.body.data.id)).toHaveLength(1);
    expect(await chargeRows(world.company)).toMatchObject([{ account: "efi", attempt: 1 }]);
  });

  it("by a second request of the key while the first one waits for Efí's second call", async () => {
    const world = await givenTwoHouses();
    holdWaits();
    const efi = holdAnswer(world, EFI_SECOND);
    const slow = createBoleto(world, { key: "order-1" });
    await efi.asked;
    world.clock.advance(MINUTE);
    world.efi.faultAlways("unavailable");
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    expect(world.pagarme.seen).toEqual([]);
    world.efi.clearFaults();

    efi.goOn();

    expect((await slow).status).toBe(200);
    expect(payableBoletos(world, (await slow).body.data.id)).toHaveLength(1);
  });

  it.each<[FaultName, number]>([
    ["error_500", 1],
    ["unavailable", 0],
  ])("where Pagar.me, whose one call makes it, is silent (%s)", async (fault, made) => {
    const world = await givenTwoHouses("pagarme");
    world.pagarme.faultOnce(fault, /^POST \/orders$/);
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    expect(world.pagarme.book.orders).toHaveLength(made);

    const answer = await createBoleto(world, { key: "order-1" });

    expect(answer.status, answer.text).toBe(200);
    expect(world.efi.calls).toEqual([]);
    expect(payableBoletos(world, answer.body.data.id)).toHaveLength(1);
  });

  it("where both are silent and the other one is there again first", async () => {
    const world = await givenTwoHouses("pagarme");
    world.pagarme.faultAlways("unavailable");
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    world.clock.advance(MINUTE);
    await runSweep(world.deps, world.env);
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    expect(world.efi.calls).toEqual([]);
    expect(await chargeRows(world.company)).toMatchObject([{ account: "pagarme", attempt: 1 }]);
  });

  it("where it was the second one", async () => {
    const world = await givenTwoHouses();
    world.efi.faultOnce("unavailable", EFI_FIRST);
    world.pagarme.faultAlways("error_500");
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    await expectProblem(await createBoleto(world, { key: "order-1" }), UNAVAILABLE);
    expect(world.efi.book.charges).toEqual([]);
    world.pagarme.clearFaults();

    const answer = await createBoleto(world, { key: "order-1" });

    expect(answer.status, answer.text).toBe(200);
    const { id } = answer.body.data;
    expect(payableBoletos(world, id)).toEqual([providerChargeId(id, 2)]);
  });
});

it("no other house is asked after a refusal", async () => {
  const world = await givenTwoHouses();
  world.efi.book.amountMax = 1_000;
  await expectProblem(await createBoleto(world), { status: 422, code: "CHARGE_REFUSED" });
  expect(world.pagarme.seen).toEqual([]);
});

it("a request that was overtaken before Efí's second call makes no boleto there", async () => {
  const world = await givenTwoHouses();
  holdWaits();
  const efi = holdAnswer(world, EFI_FIRST);
  const late = createBoleto(world, { key: "order-1" });
  await efi.asked;
  world.clock.advance(MINUTE);
  world.efi.faultAlways("unavailable");
  const second = await createBoleto(world, { key: "order-1" });
  expect(second.status, second.text).toBe(200);
  world.efi.clearFaults();

  efi.goOn();

  await late;
  expect(pays(world)).toBe(0);
  const { id } = second.body.data;
  expect(payableBoletos(world, id)).toEqual([providerChargeId(id, 2)]);
  const again = await createBoleto(world, { key: "order-1" });
  expect(again.body.data.boleto).toEqual(second.body.data.boleto);
});

it("the charge that nobody saw, made payable by hand and paid, is the charge's; the shown one is a second payment", async () => {
  const { world, id, inert, shown } = await givenMovedBoleto();
  const charge = world.efi.charge(inert);
  const customer = { name: "Maria", cpf: "12345678909" };
  const configurations = { fine: 0, interest: { value: 0, type: "daily" }, days_to_write_off: 0 };
  const billet = { customer, expire_at: world.efi.book.today(), configurations };
  world.efi.book.definePayment(charge, { payment: { banking_billet: billet } });
  world.efi.pay(inert);

  expect(await notifyOfEfi(world)).toEqual(new Set([200]));
  await notifyOfEfi(world);

  expect(await chargeRows(world.company)).toMatchObject([
    { id, status: "paid", paidAmount: AMOUNT },
  ]);
  expect(await accountsOf(world.company)).toMatchObject({ awaiting: AMOUNT, provider: -AMOUNT });

  world.pagarme.payBoleto(shown, AMOUNT);
  expect(await notifyOfPagarMe(world)).toEqual(new Set([200]));

  expect(await accountsOf(world.company)).toMatchObject({ awaiting: AMOUNT, suspense: AMOUNT });
  await waitUntilDrained(world.company);
  expect((await eventsOf(world.company)).map(({ type }) => type)).toEqual([
    "transaction.paid",
    "payment.unexpected",
  ]);
  expect(await newestUnexpected(world.company)).toMatchObject({
    reason: "SECOND_PAYMENT",
    transactionId: id,
  });
});
