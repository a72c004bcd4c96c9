import { afterEach, expect, it, vi } from "vitest";
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
import { changeDueDate, refund } from "../../../support/builders/operations/refund.ts";
import { decide } from "../../../support/builders/reconciliation/decisions.ts";
import { heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { connectAccount, efiAccount } from "../../../support/builders/providers/accounts.ts";
import { efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { givenPsp, postCallback, reconcileDue } from "../../../support/builders/providers/psp.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { restore } from "../../../support/faults/restore.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { contradictionsOf } from "../../../support/probes/contradictions/contradictions.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";

const DAY_MS = 86_400_000;
const HOST = "cobrancas.banco-de-teste.com.br";
const CUSTOMER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  document: { number: "12345678909" },
};

afterEach(() => vi.restoreAllMocks());

/** A live company that sells by boleto and card at Efí, which the Worker reaches by HTTP. */
async function givenEfi() {
  const world = await givenPsp();
  const account = efiAccount(
    { payeeCode: `payee-${world.company.id}` },
    {
      methods: ["BOLETO", "CREDIT_CARD"],
    },
  );
  const { clientId } = account["settings"] as { clientId: string };
  const efi = new FakeEfi(world.clock, { clientId, clientSecret: "efi-s3cret" });
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).host === HOST ? efi.fetch(request) : real(request);
  });
  await connectAccount(world.company, "efi", account, world);
  const { company, options } = world;
  const create = async (body: object) => {
    const answer = await createTransaction(company, body as Record<string, unknown>, options);
    if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${answer.text}`);
    return answer.body.data;
  };
  /** Efí posts what has changed, each change five times. */
  const notify = async () => {
    const statuses: number[] = [];
    for (const { url, token } of efi.book.notices.splice(0)) {
      const body = new URLSearchParams({ notification: token });
      statuses.push((await postCallback(world, url, body)).status);
    }
    return new Set(statuses);
  };
  const statusOf = async (id: string) =>
    (await call(`/api/Transaction/transactionByTransactionId/${id}`, { ...options, company })).body
      .enStatusTransaction;
  return { ...world, efi, create, notify, statusOf };
}

const chargeIdOf = ({ id }: { id: string }) => id.replaceAll("-", "");

it("a card is sold at once, and its credit changes nothing", async () => {
  const { efi, create, notify, statusOf } = await givenEfi();
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

it.each([
  ["canceled", { kind: "payment_amount", amount: 2_500, held: 0 }],
  ["unpaid", { kind: "payment_amount", amount: 2_500, held: 0 }],
  ["settled", { kind: "record_unreadable", held: 0 }],
])(
  "a paid card that Efí calls %s, without money going back, is for a person",
  async (status, told) => {
    const { company, efi, create, notify, statusOf } = await givenEfi();
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
  const { company, efi, create, ...world } = await givenEfi();
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
  const { company, efi, create, deps, ...world } = await givenEfi();
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
  const { company, efi, create, deps, options, notify } = await givenEfi();
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
    const { company, efi, clock, deps, options, create, notify, statusOf } = await givenEfi();
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
  const { company, options, efi } = await givenEfi();

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
