import { afterAll, beforeAll, expect, it } from "vitest";
import { idEnvioOf } from "../../../src/providers/pix-api/refunds-and-payouts.ts";
import type { PixApiProvider } from "../../../src/providers/pix-api/provider.ts";
import { parsePix } from "../../../src/providers/pix-api/received-pix.ts";
import {
  PixApiProblem,
  Cob,
  CobState,
  Devolucao,
  entriesOf,
  Page,
} from "../../../src/providers/pix-api/wire.ts";
import { pspConfig, pspProvider } from "../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import {
  duePixOrder,
  MARIA,
  payoutOrder,
  pixOrder,
  refundOrder,
} from "../../support/builders/providers/provider-orders.ts";
import { openApiOperations, startPrismProxy, type Operations } from "./prism.ts";
import { servePsp, type Served } from "./server.ts";

const psp = new FakePsp();
let served: Served;
let prism: Served;
let operations: Operations;

beforeAll(async () => {
  served = await servePsp(psp);
  operations = await openApiOperations();
  prism = await startPrismProxy(served.url, operations);
});

afterAll(async () => {
  await prism.close();
  await served.close();
});

function provider(charge: "cob" | "cobv" = "cob"): PixApiProvider {
  const direct = pspConfig(served.url);
  const config = { ...direct, baseUrl: prism.url, charge };
  return pspProvider(config, (request) => fetch(request));
}

it.each([
  ["cob", "cob", () => pixOrder({ payer: MARIA })],
  ["cobv of a day", "cobv", () => pixOrder({ payer: MARIA })],
  ["cobv with a due date", "cob", duePixOrder],
] as const)(
  "a %s is registered, read, paid, refunded and cancelled by the central bank's OpenAPI document",
  async (name, config, orderOf: () => ReturnType<typeof pixOrder>) => {
    const kind = name.startsWith("cobv") ? "cobv" : "cob";
    const bank = provider(config);
    const order = orderOf();

    expect((await bank.createCharge(order)).kind).toBe("registered");
    expect(await bank.createCharge(order)).toEqual(await bank.createCharge(order));
    expect(psp.book.cobs.get(order.chargeId)?.kind).toBe(kind);
    expect(await bank.findCharge(order.chargeId)).toMatchObject({ status: "open", payments: [] });

    const paymentId = psp.pay(order.chargeId);
    const payment = { paymentId, method: "PIX", amount: 2_500, paidAt: expect.any(Number) };
    expect(await bank.findCharge(order.chargeId)).toMatchObject({ payments: [payment] });
    expect(await bank.findPayment(paymentId)).toMatchObject({
      payment: { ...payment, chargeId: order.chargeId },
    });
    expect((await bank.cancelCharge(order.chargeId)).kind).toBe("refused");

    const refund = refundOrder({ chargeId: order.chargeId, paymentId }, 700);
    expect(await bank.findRefund(refund)).toEqual({ kind: "not_found" });
    expect(await bank.sendRefund(refund)).toEqual({ kind: "processing" });
    psp.settleDevolucao(paymentId, refund.refundId, "DEVOLVIDO");
    expect(await bank.sendRefund(refund)).toEqual({ kind: "done" });
    expect(await bank.findRefund(refund)).toEqual({ kind: "done" });
    const tooMuch = refundOrder({ chargeId: order.chargeId, paymentId }, 2_000);
    expect((await bank.sendRefund(tooMuch)).kind).toBe("failed");

    const other = orderOf();
    await bank.createCharge(other);
    expect(await bank.cancelCharge(other.chargeId)).toEqual({ kind: "cancelled" });
    expect(await bank.cancelCharge(other.chargeId)).toEqual({ kind: "cancelled" });
    expect(await bank.findCharge(other.chargeId)).toMatchObject({ status: "cancelled" });
  },
);

it("a missing resource returns the API's own error, also through a proxy", async () => {
  const bank = provider();

  expect(await bank.findCharge(pixOrder().chargeId)).toEqual({ kind: "not_found" });
  expect(await bank.findPayment(psp.book.endToEndId())).toEqual({ kind: "not_found" });
});

it("a page of payments, the webhook and another company's key conform to the contract", async () => {
  const bank = provider();
  const from = Date.now() - 1_000;
  const paymentId = psp.payKey("12.34");

  const recent = await bank.list("payments", { from, to: Date.now() + 1_000 }, 0);
  expect(recent).toMatchObject({ kind: "known", hasMore: false });
  const listed = recent.kind === "known" ? recent.records : [];
  expect(listed).toContainEqual(
    expect.objectContaining({
      payment: expect.objectContaining({ paymentId, chargeId: null, amount: 1_234 }),
    }),
  );

  const hook = "http://127.0.0.1:9/callbacks/7";
  expect(await bank.registerWebhook(hook)).toEqual({ kind: "registered" });
  expect([...psp.book.webhooks.values()]).toEqual([hook]);
  const config = { ...pspConfig(served.url), baseUrl: prism.url, pixKey: "outra@example.com" };
  const stranger = pspProvider(config, (request) => fetch(request));
  expect(await stranger.registerWebhook(hook)).toMatchObject({ kind: "refused" });
  expect(await stranger.createCharge(pixOrder())).toMatchObject({ kind: "refused" });
});

it.each([
  ["cob", "charges"],
  ["cobv", "due_charges"],
] as const)(
  "a list of each %s, paid, refunded and open, conforms to the contract",
  async (kind, list) => {
    const bank = provider(kind);
    const from = Date.now() - 1_000;
    const [paid, open] = [pixOrder({ payer: MARIA }), pixOrder({ payer: MARIA })];
    for (const order of [paid, open]) await bank.createCharge(order);
    const paymentId = psp.pay(paid.chargeId);
    psp.refundExternally(paymentId, "1.00");
    psp.resolveDispute(paymentId, psp.dispute(paymentId, "2.00"), "lost");

    const listed = await bank.list(list, { from, to: Date.now() + 1_000 }, 0);
    const payments = await bank.list("payments", { from, to: Date.now() + 1_000 }, 0);

    const back = { refunds: [{ amount: 100, status: "DONE" }], disputes: [{ status: "LOST" }] };
    if (listed.kind === "unknown" || payments.kind === "unknown") throw new Error("refused");
    expect(listed.records).toContainEqual(
      expect.objectContaining({ chargeId: open.chargeId, charge: expect.anything() }),
    );
    const charge = listed.records.find(
      (each) => "chargeId" in each && each.chargeId === paid.chargeId,
    );
    expect(charge).toMatchObject({ charge: { payments: [{ paymentId }], ...back } });
    expect(payments.records).toContainEqual({
      kind: "payment",
      payment: expect.objectContaining({ paymentId, chargeId: paid.chargeId }),
    });
  },
);

it("Prism rejects a request and a response that break the contract", async () => {
  const token = await fetch(`${served.url}/oauth/token`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa("client-7:s3cret:with/colon")}` },
    body: JSON.stringify({ grant_type: "client_credentials" }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const put = (body: unknown) =>
    fetch(`${prism.url}/cob/${pixOrder().chargeId}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const request = { calendario: { expiracao: 60 }, valor: { original: "1.00" }, chave: "k" };

  expect((await put({ ...request, valor: { original: 1 } })).status).toBe(422);
  psp.faultOnce("new_status");
  expect((await put({ ...request, chave: pspConfig("x").pixKey })).status).toBe(500);
});

it("payouts and the balance, which the contract lacks, are read from the PSP itself", async () => {
  const bank = provider();
  const order = payoutOrder();

  expect(await bank.findPayout(order.payoutId)).toEqual({ kind: "not_found" });
  expect(await bank.sendPayout(order)).toEqual({ kind: "processing" });
  psp.settlePayout(idEnvioOf(order.payoutId), "REALIZADO");
  expect(await bank.findPayout(order.payoutId)).toMatchObject({ kind: "paid" });
  const window = { from: Date.now() - 60_000, to: Date.now() + 1_000 };
  expect(await bank.list("payouts", window, 0)).toMatchObject({
    records: [{ payoutId: order.payoutId, outcome: { kind: "paid" } }],
  });
  expect(await bank.balance()).toEqual({ kind: "known", balance: psp.book.balance() });
});

const SCHEMAS = new Map<string, (example: unknown) => boolean>(
  Object.entries({
    "/cob/{txid}": (example: unknown) => Cob.safeParse(example).success && canParse(example),
    "/cobv/{txid}": (example: unknown) => Cob.safeParse(example).success && canParse(example),
    "get /cob": (example: unknown) => itemsOf(Page.parse(example).cobs).every(canParse),
    "get /cobv": (example: unknown) => itemsOf(Page.parse(example).cobs).every(canParse),
    "/pix/{e2eid}": canParsePix,
    "get /pix": (example: unknown) => itemsOf(Page.parse(example).pix).every(canParsePix),
    "/pix/{e2eid}/devolucao/{id}": (example: unknown) => Devolucao.safeParse(example).success,
  }),
);

/** In the examples of lists each item is inside an `allOf`. */
function itemsOf(list: unknown): unknown[] {
  return entriesOf(list).flatMap((item) => (item as { allOf: unknown[] }).allOf);
}

/** A charge for which the Worker parses both state and payments. */
function canParse(example: unknown): boolean {
  const cob = CobState.parse(example);
  return cob.status !== null && cob.calendario !== null && entriesOf(cob.pix).every(canParsePix);
}

function canParsePix(example: unknown): boolean {
  const pix = parsePix(example, { since: 0, nowMs: Date.now() });
  return pix.kind === "read" && pix.unreadable.length === 0;
}

it("every example response of the central bank is parsed", () => {
  let understood = 0;
  for (const { method, path, responses } of operations) {
    const isUnderstood = SCHEMAS.get(`${method} ${path}`) ?? SCHEMAS.get(path);
    if (isUnderstood === undefined) continue;
    for (const { code, contents = [] } of responses) {
      for (const example of contents.flatMap(({ examples = [] }) => examples)) {
        const content = "value" in example ? example.value : undefined;
        const read = code.startsWith("2")
          ? isUnderstood(content)
          : PixApiProblem.safeParse(content).success;
        expect.soft(read, `${method} ${path} ${code} ${example.key}`).toBe(true);
        understood += 1;
      }
    }
  }
  expect(understood).toBeGreaterThan(40);
});
