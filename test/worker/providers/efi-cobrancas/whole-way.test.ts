import { afterEach, describe, expect, it, vi } from "vitest";
import { refresh } from "../../../../src/api/provider-callbacks/service.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { depsOfCompany } from "../../../../src/http/context.ts";
import { processOperation } from "../../../../src/api/transactions/operations.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import {
  env,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { decideByTwo } from "../../../support/builders/operations/decide.ts";
import { cancel, changeDueDate, refund } from "../../../support/builders/operations/refund.ts";
import { decide } from "../../../support/builders/reconciliation/decisions.ts";
import { heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { givenEfi } from "../../../support/builders/providers/efi.ts";
import { efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { reconcileDue } from "../../../support/builders/providers/psp.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { runSweep } from "../../../support/fakes/cron.ts";
import { restore } from "../../../support/faults/restore.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { contradictionsOf } from "../../../support/probes/contradictions/contradictions.ts";

const DAY_MS = 86_400_000;
const CUSTOMER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  document: { number: "12345678909" },
};

afterEach(() => vi.restoreAllMocks());

/** As `givenEfi`, with what the API says of a charge. */
async function given() {
  const world = await givenEfi();
  const { company, options } = world;
  const statusOf = async (id: string) =>
    (await call(`/api/Transaction/transactionByTransactionId/${id}`, { ...options, company })).body
      .enStatusTransaction;
  return { ...world, statusOf };
}

const chargeIdOf = ({ id }: { id: string }) => id.replaceAll("-", "");

it("a card is sold at once, and its credit changes nothing", async () => {
  const { efi, create, notify, statusOf } = await given();
  const { token } = efiCardOrder().card.source;
  const card = await create({
    amount: 2_500,
    paymentMethod: "CREDIT_CARD",
    customer: CUSTOMER,
    card: { token },
  });
  expect(card.status).toBe("PAID");
  efi.pay(chargeIdOf(card));

  expect(await notify()).toEqual(new Set([200]));

  expect(await statusOf(card.id)).toBe("Paid");
});

it("a card whose pay call a proxy answered is asked about at growing waits, and fails after ten minutes", async () => {
  const { efi, create, statusOf, clock, deps, env: live } = await given();
  const { token } = efiCardOrder().card.source;
  efi.faultOnce("page_502", /^POST \/v1\/charge\/\d+\/pay$/);
  const order = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer: CUSTOMER };
  const card = await create({ ...order, card: { token } });
  expect(card.status).toBe("WAITING_PAYMENT");
  const looks: number[] = [];
  for (let minute = 1; minute <= 10; minute++) {
    clock.advance(60_000);
    const before = efi.calls.length;
    await runSweep(deps, live);
    if (efi.calls.length > before) looks.push(minute);
  }
  expect(looks).toEqual([1, 2, 4, 8, 10]);
  expect(await statusOf(card.id)).toBe("Failed");
  expect([...efi.calls, ...efi.unanswered].filter((each) => each.endsWith("/pay"))).toHaveLength(1);
});

it("a card that is decided behind a lost answer is known at the next minute", async () => {
  const { efi, create, statusOf, clock, deps, env: live } = await given();
  const { token } = efiCardOrder().card.source;
  efi.faultAlways("page_502", /^GET \/v1\/charge\/\d+$/);
  efi.faultOnce("reset", /^POST \/v1\/charge\/\d+\/pay$/);
  const order = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer: CUSTOMER };
  const card = await create({ ...order, card: { token } });
  expect(card.status).toBe("WAITING_PAYMENT");
  efi.clearFaults();
  clock.advance(5_000);
  await runSweep(deps, live);
  expect(await statusOf(card.id)).toBe("Paid");
});

it.each([
  ["canceled", { kind: "payment_amount", amount: 2_500, held: 0 }],
  ["unpaid", { kind: "payment_amount", amount: 2_500, held: 0 }],
  ["settled", { kind: "record_unreadable", held: 0 }],
])(
  "a paid card that Efí calls %s, without money going back, is for a person",
  async (status, told) => {
    const { company, efi, create, notify, statusOf } = await given();
    const { token } = efiCardOrder().card.source;
    const order = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer: CUSTOMER };
    const card = await create({ ...order, card: { token } });
    await waitUntilDrained(company);
    efi.book.change(efi.charge(chargeIdOf(card)), status);

    expect(await notify()).toEqual(new Set([200]));
    expect(await notify()).toEqual(new Set());

    expect(await contradictionsOf(company)).toMatchObject([{ ...told, status: "open" }]);
    expect(await statusOf(card.id)).toBe("Paid");
  },
);

it("a paid card that Efí calls canceled is told by its list where no notice came", async () => {
  const { company, efi, create, ...world } = await given();
  const { token } = efiCardOrder().card.source;
  const order = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer: CUSTOMER };
  const card = await create({ ...order, card: { token } });
  await waitUntilDrained(company);
  efi.book.change(efi.charge(chargeIdOf(card)), "canceled");

  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS);
    await reconcileDue({ ...world, company });
  }

  expect(await contradictionsOf(company)).toMatchObject([
    { kind: "payment_amount", amount: 2_500 },
  ]);
});

/** The end of a chargeback before its beginning: what was archived in one moment has no order. */
async function disorderArchive({ id }: TestCompany): Promise<void> {
  const bucket = env.ARCHIVE!;
  const { objects } = await bucket.list({ prefix: `changes/${id}/` });
  const changes = await Promise.all(
    objects.map(async ({ key }) => (await bucket.get(key))!.text()),
  );
  const ordered = changes.toSorted((a, b) => Number(b.includes("WON")) - Number(a.includes("WON")));
  for (const [index, { key }] of objects.entries()) await bucket.put(key, ordered[index]!);
}

it("a chargeback after a restore of D1 is another one than the one that was won before, however its archive is ordered", async () => {
  const { company, efi, create, deps, ...world } = await given();
  const { token } = efiCardOrder().card.source;
  const order = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer: CUSTOMER };
  const { id } = await create({ ...order, card: { token } });
  const charge = efi.charge(chargeIdOf({ id }));
  const live = (await findCompany(world.env, company.id))!;
  const become = async (status: "paid" | "contested") => {
    efi.book.change(charge, status);
    const evidence = { report: null, account: "efi" };
    await refresh(world.env, depsOfCompany(deps, live), live, id, evidence);
  };
  for (const status of ["contested", "paid"] as const) {
    await become(status);
    await waitUntilDrained(company);
  }
  await disorderArchive(company);
  await env.DB.prepare("DELETE FROM provider_refs WHERE company_id = ? AND id LIKE 'seen:%'")
    .bind(company.id)
    .run();

  await restore(company);
  await become("contested");

  const first = `efi:${charge.id}:contested`;
  const object = callsTo(company.id);
  expect(await object.findDispute(first)).toMatchObject({ status: "WON" });
  expect(await object.findDispute(`${first}:2`)).toMatchObject({ status: "OPEN" });
});

it("a refund of all that may have left twice is held, where operators see it, until two of them decide", async () => {
  const { company, efi, create, deps, options, notify } = await given();
  const { token } = efiCardOrder().card.source;
  const order = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer: CUSTOMER };
  const card = await create({ ...order, card: { token } });
  const charge = efi.charge(chargeIdOf(card));
  efi.pay(chargeIdOf(card));
  expect((await refund(company, card.id, 2_500, options)).status).toBe(202);
  efi.contest(chargeIdOf(card));
  await notify();
  // Efí has one word for what a refund and what a chargeback took, and ours is forgotten.
  await env.DB.prepare("DELETE FROM provider_refs WHERE company_id = ? AND id LIKE 'refunds:%'")
    .bind(company.id)
    .run();
  efi.book.change(charge, "refunded");
  await notify();
  await processOperation(env, deps, company.id, 1);
  await waitUntilDrained(company);

  const id = `${company.id}-1`;
  const shown = await callAsOperator(`/contradictions/${id}`, options);
  expect(shown.body).toMatchObject({ kind: "dispute_status", held: 2_500, status: "open" });
  expect(await heldTotalOf(company)).toBe(2_500);
  expect((await decide(id, { action: "dismiss" }, options)).status).toBe(200);
  expect(await heldTotalOf(company)).toBe(0);
});

it.each(["reset", "page_502"] as const)(
  "another due date whose answer is lost (%s) is here what Efí has, and the boleto is paid once by its new line",
  async (fault) => {
    const { company, efi, clock, deps, options, create, notify, statusOf } = await given();
    const order = { amount: 2_500, paymentMethod: "BOLETO", customer: CUSTOMER };
    const { id, boleto } = await create(order);
    const dueDate = addDays(boleto.dueDate, 20);
    // Nobody hears of what Efí did, or did not do.
    efi.faultOnce(fault, /^PUT .*\/billet$/);
    efi.faultAlways("page_502", /^GET \/v1\/charge\/\d+$/);
    expect((await changeDueDate(company, id, dueDate, options)).status).toBe(202);
    efi.clearFaults();
    clock.advance(DAY_MS);

    await processOperation(env, deps, company.id, 1);

    const changed = efi.charge(chargeIdOf({ id })).payment.banking_billet.expire_at;
    await waitUntilDrained(company);
    const { body } = await call(`/api/v1/transactions/${id}`, { ...options, company });
    expect([changed, body.data.boleto.dueDate]).toEqual([dueDate, dueDate]);
    efi.pay(chargeIdOf({ id }));
    await notify();
    expect(await statusOf(id)).toBe("Paid");
    expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
  },
);

it("what Efí cannot carry out exactly is a 422 that stores and sends nothing", async () => {
  const { company, options, efi } = await given();

  const answer = await createTransaction(
    company,
    {
      amount: 2_500,
      paymentMethod: "BOLETO",
      customer: CUSTOMER,
      boleto: { interest: { value: 100 } },
    },
    options,
  );

  expect(answer).toMatchObject({
    status: 422,
    body: {
      code: "NOT_SUPPORTED_BY_PROVIDER",
      errors: { "boleto.interest.value": [expect.any(String)] },
    },
  });
  expect(efi.book.charges).toEqual([]);
});

/** A boleto with a Pix code, how its tellings come, and what is booked of it. */
async function givenBoleto() {
  const { company, efi, psp, create, notify, statusOf, ...world } = await given();
  const boleto = await create({ amount: 2_500, paymentMethod: "BOLETO", customer: CUSTOMER });
  const charge = efi.charge(chargeIdOf(boleto));
  const tellings = {
    "a posted notice": async () => void (await notify()),
    "a pass of the lists": async () => {
      world.clock.advance(DAY_MS);
      await reconcileDue({ ...world, company });
    },
  };
  return {
    /** At a bank, or by its Pix, which only Efí tells at first. */
    payAtEfi: (by: "bank" | "pix") => efi.pay(chargeIdOf(boleto), { by }),
    /** The PIX account of the company has it, too, and tells no callback of it. */
    payByPix: () => {
      psp.payStaticCode(efi.book.pixTxidOf(charge), "25.00");
      psp.callbacks.length = 0;
    },
    tell: async (order: (keyof typeof tellings)[]) => {
      for (const teller of order) {
        await tellings[teller]();
        await waitUntilDrained(company);
      }
    },
    books: async () => {
      const { available = 0, awaiting = 0, suspense = 0 } = await accountsOf(company);
      return { status: await statusOf(boleto.id), credited: available + awaiting, suspense };
    },
  };
}

describe.each([
  [["a posted notice", "a pass of the lists"]],
  [["a pass of the lists", "a posted notice"]],
] as const)("a boleto that is told by %j", (order) => {
  it("and was paid by its Pix is credited once, whoever has the Pix", async () => {
    const { payAtEfi, payByPix, tell, books } = await givenBoleto();
    payAtEfi("pix");
    payByPix();

    await tell([...order, ...order]);

    expect(await books()).toEqual({ status: "Paid", credited: 2_500, suspense: 0 });
  });

  it("and was paid at a bank and by its Pix has two payments, one unexpected", async () => {
    const { payAtEfi, payByPix, tell, books } = await givenBoleto();
    payAtEfi("bank");
    payByPix();

    await tell([...order, ...order]);

    expect(await books()).toEqual({ status: "Paid", credited: 2_500, suspense: 2_500 });
  });
});

/** A boleto whose change of due date is asked for, under which Efí keeps its line. */
async function givenUnshownChange() {
  const world = await given();
  const { company, efi, clock, deps, options, create } = world;
  const { id, boleto } = await create({
    amount: 2_500,
    paymentMethod: "BOLETO",
    customer: CUSTOMER,
  });
  efi.book.changesLines = false;
  const dueDate = addDays(boleto.dueDate, 20);
  expect((await changeDueDate(company, id, dueDate, options)).status).toBe(202);
  clock.advance(DAY_MS);
  await processOperation(env, deps, company.id, 1);
  return { ...world, id };
}

it("a change under which Efí keeps the line is ended by operators", async () => {
  const { company, clock, options, id } = await givenUnshownChange();
  clock.advance(DAY_MS);
  const [operation] = await operationsOf(company);
  const path = `/companies/${company.id}/operations/${operation!.operationId}/decide`;

  const done = await decideByTwo(path, { outcome: "done" }, options);
  expect(done.body.reason).toBe("decision_not_possible");
  expect((await decideByTwo(path, { outcome: "failed" }, options)).status).toBe(200);

  expect((await cancel(company, id, options)).status).toBe(200);
});

it("a boleto is cancelled at Efí although a change of its day was never shown", async () => {
  const { company, efi, options, id } = await givenUnshownChange();

  expect((await cancel(company, id, options)).body.data.status).toBe("CANCELLED");

  expect(efi.book.charges.map(({ status }) => status)).toEqual(["canceled"]);
});
