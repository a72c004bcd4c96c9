import { expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { env, type TestCompany } from "../../../../support/builders/companies/company.ts";
import {
  deliverCallbacks,
  givenPsp,
  reconcile,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { runSweep } from "../../../../support/fakes/cron.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { parseBrCode } from "../../../../../src/methods/pix/br-code-parser.ts";
import { injectFault, withAccounts } from "../../../../support/faults/faulty-env.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const MINUTE_MS = 60_000;
const CUSTOMER = { name: "Ana Souza", document: { number: "12345678909" } };

const givenCode = async ({ company, options }: PspSetup, body: object = {}) =>
  (await call("/api/v1/pix/static-codes", { ...options, company, body })).body.data;
const paidEvents = async (company: TestCompany) =>
  (await eventsOf(company)).filter(({ type }) => type === "transaction.paid");

it("each payment of a code is one transaction, over callbacks and lists, twice and at once", async () => {
  const world = await givenPsp();
  const { company, psp, clock } = world;
  const code = await givenCode(world, { amount: 500 });
  psp.payStaticCode(code.txid.toUpperCase(), "5.00");
  psp.payStaticCode(code.txid, "7.00");
  await deliverCallbacks(world, (bodies) => [...bodies, ...bodies]);
  psp.payStaticCode(code.txid, "9.00");
  const late = psp.callbacks.splice(0);
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  psp.callbacks.push(...late);
  await Promise.all([deliverCallbacks(world), reconcile(world)]);

  expect((await transactionsOf(company)).map(({ status }) => status)).toEqual([
    "paid",
    "paid",
    "paid",
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_100 });
  expect(await paidEvents(company)).toHaveLength(3);
});

it.each(["the sweep", "the list", "the callback's repeat"])(
  "a payment whose transaction was made but not booked is booked by %s, once",
  async (by) => {
    const world = await givenPsp();
    const { company, psp, clock, deps } = world;
    const code = await givenCode(world);
    psp.payStaticCode(code.txid, "5.00");
    const [body] = psp.callbacks;
    const crash = injectFault({ on: /^settlePayment$/, when: "before" });
    const crashing = withAccounts(world.env, crash.intercept);
    await deliverCallbacks({ ...world, options: { ...world.options, env: crashing } });
    expect(crash.injections()).toBe(1);
    expect(await transactionsOf(company)).toMatchObject([{ status: "waiting_payment" }]);
    await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(company.id).run();

    clock.advance(2 * MINUTE_MS);
    if (by === "the sweep") await runSweep(deps, world.env);
    if (by === "the list") await reconcile(world);
    if (by === "the callback's repeat") {
      psp.callbacks.push(body);
      await deliverCallbacks(world);
    }

    expect(await transactionsOf(company)).toMatchObject([{ status: "paid", nextSweepAt: null }]);
    expect(await paidEvents(company)).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({ available: 500 });
  },
);

it("a code of a layout like ours that nobody made is a payment without a charge", async () => {
  const world = await givenPsp();
  const { company, psp } = world;
  const { txid } = await givenCode(world);
  await env.DB.prepare("DELETE FROM static_codes WHERE company_id = ?").bind(company.id).run();
  psp.payStaticCode(txid, "5.00");
  await deliverCallbacks(world);
  expect(await accountsOf(company)).toMatchObject({ suspense: 500 });
  expect(await transactionsOf(company)).toEqual([]);
});

it("a code of another company that shares the account is that company's", async () => {
  const world = await givenPsp();
  const other = await givenPsp();
  const { txid } = await givenCode(other);
  world.psp.payStaticCode(txid, "5.00");
  await deliverCallbacks(world);
  expect(await accountsOf(world.company)).not.toHaveProperty("suspense");
  expect(await transactionsOf(world.company)).toEqual([]);
});

it("a code that names another company's, but pays this company's key, is this company's money", async () => {
  const world = await givenPsp();
  const own = parseBrCode((await givenCode(world)).qrcode);
  const { txid } = await givenCode(await givenPsp());
  const paymentId = world.psp.payStaticCode(txid, "5.00");
  Object.assign(world.psp.book.pix(paymentId)!, { chave: own.valid ? own.content.key : "" });
  await deliverCallbacks(world);
  expect(await accountsOf(world.company)).toMatchObject({ suspense: 500 });
  expect(await transactionsOf(world.company)).toEqual([]);
});

it("a MED of a code's payment reaches its transaction", async () => {
  const world = await givenPsp();
  const { company, psp } = world;
  const code = await givenCode(world);
  const paymentId = psp.payStaticCode(code.txid, "5.00");
  await deliverCallbacks(world);
  const id = psp.dispute(paymentId);
  psp.resolveDispute(paymentId, id, "lost");
  await deliverCallbacks(world);
  expect(await transactionsOf(company)).toMatchObject([{ status: "refunded" }]);
});

it.each([
  ["a MED", (psp: PspSetup["psp"], id: string) => psp.dispute(id, "5.00")],
  [
    "a refund in the bank's app",
    (psp: PspSetup["psp"], id: string) => psp.refundExternally(id, "2.00"),
  ],
])("a rule returns no payment that comes together with %s", async (_what, ask) => {
  const world = await givenPsp();
  const { company, psp } = world;
  await call("/api/v1/company/settings", {
    ...world.options,
    method: "PUT",
    company,
    body: { unexpectedPayments: { NO_CHARGE: "return" } },
  });
  const id = psp.payKey("5.00");
  ask(psp, id);
  await deliverCallbacks(world);
  expect(psp.requests.filter((request) => request.startsWith("PUT /pix/"))).toEqual([]);
  expect(
    (await eventsOf(company)).map(({ type, body }) => [type, body["data"].status]),
  ).toContainEqual(["payment.unexpected", "kept"]);
});

const PAGADOR = { nome: "Ana Souza", cpf: "123.456.789-09", codigoBanco: "18236120" };
const MASKED = "***.456.789-**";

it.each([
  ["a whole document", PAGADOR, MASKED, "matches"],
  ["a masked document", { ...PAGADOR, cpf: MASKED }, MASKED, "matches"],
  ["another's document", { ...PAGADOR, cpf: "11144477735" }, "***.444.777-**", "differs"],
  ["a company's", { nome: "X", cnpj: "11222333000181" }, "**.222.333/****-**", "differs"],
  ["only a name", { nome: "Ana Souza" }, null, "unknown"],
])("the PSP tells of the payer: %s", async (_what, pagador, documentMasked, payerMatch) => {
  const world = await givenPsp();
  const { company, psp, options } = world;
  const { id } = await givenTransaction(company, { customer: CUSTOMER }, options);
  const paymentId = psp.pay(id.replaceAll("-", ""));
  psp.namePayer(paymentId, pagador);
  await deliverCallbacks(world);
  const [event] = await paidEvents(company);
  expect(event?.body["data"]).toMatchObject({
    payer: { name: pagador.nome, documentMasked, ispb: paymentId.slice(1, 9) },
    payerMatch,
  });
  expect(psp.requests).not.toContain(`GET /pix/${paymentId}`);
});

it("asks the PSP once for who paid, and books without an answer", async () => {
  const world = await givenPsp();
  const { company, psp, options } = world;
  const { id } = await givenTransaction(company, { customer: CUSTOMER }, options);
  const paymentId = psp.pay(id.replaceAll("-", ""));
  psp.faultOnce("unavailable", /^GET \/pix\/E/);
  await deliverCallbacks(world, (bodies) => [...bodies, ...bodies]);
  expect(await paidEvents(company)).toMatchObject([
    {
      body: {
        data: {
          payer: { name: null, documentMasked: null, ispb: paymentId.slice(1, 9) },
          payerMatch: "unknown",
        },
      },
    },
  ]);
  expect(psp.requests.filter((request) => request === `GET /pix/${paymentId}`)).toHaveLength(1);
});
