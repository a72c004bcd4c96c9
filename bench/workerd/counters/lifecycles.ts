import type { CreateUsage, LifecycleUsage, Usage } from "../../lib/counted.ts";
import { countLogLines } from "./console.ts";
import {
  CARD_REQUEST,
  BOLETO_REQUEST,
} from "../../../test/support/builders/requests/full-request.ts";
import type { Meter } from "../../../test/support/probes/database/meter.ts";
import { ScriptedProvider, registerCharge } from "../../../test/support/fakes/provider.ts";
import { postCallback } from "../../../test/support/builders/providers/psp.ts";
import { createTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { refund } from "../../../test/support/builders/operations/refund.ts";
import { hyphenateUuid } from "../../../src/domain/shared/ids.ts";
import { requestWithdraw, runPayout } from "../../../test/support/builders/withdraws/withdraw.ts";
import { deliverAll, givenLiveShop, givenShop, type LiveShop, type Shop } from "./world.ts";

/** A typical payer. */
export const PAYER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  phone: "+5511987654321",
  document: { number: "52998224725", type: "CPF" },
};

interface Create {
  body: Record<string, unknown>;
  /** The measured create is the payer's first. */
  newPayer?: true;
  /** Uses the sandbox bank; otherwise the provider costs nothing. */
  sandboxBank?: true;
}

const PIX = { amount: 25_000, paymentMethod: "PIX", customer: PAYER };

const CREATES: Record<string, Create> = {
  "create PIX, known payer": { body: PIX },
  "create PIX, new payer": { body: PIX, newPayer: true },
  "create PIX, with externalRef": { body: { ...PIX, externalRef: "order-77" } },
  "create boleto": { body: BOLETO_REQUEST, sandboxBank: true },
  "create card": { body: CARD_REQUEST, sandboxBank: true },
};

/** The sandbox sends a withdraw after the time in which it can be cancelled. */
const CANCEL_WINDOW_MS = 5_000;
/** Centavos of the measured refund: a part of its payment. */
const REFUNDED = 1_000;
/** Gives each withdraw another amount, because the duplicate guard refuses equal ones. */
let withdraws = 0;

/** Measures each kind of create with an idempotency key on a warm isolate. */
export async function measureCreates(): Promise<Record<string, CreateUsage>> {
  const spent: Record<string, CreateUsage> = {};
  for (const [name, create] of Object.entries(CREATES)) spent[name] = await measureCreate(create);
  return spent;
}

async function measureCreate(create: Create): Promise<CreateUsage> {
  const shop = await givenShop();
  const { company, meter, options } = shop;
  let before = 0;
  const bank = new ScriptedProvider((order) => {
    before = meter.roundTrips.length;
    return registerCharge(order);
  });
  const deps = create.sandboxBank === true ? options.deps : { ...options.deps, ...bank.deps };
  const send = (key: string, body: Record<string, unknown>) =>
    createTransaction(company, body, { ...options, deps, key });
  await requireSuccess(send("first", create.newPayer === true ? { amount: 1 } : create.body));
  await meter.takeUsage();
  const spent = await usageOf(meter, () => requireSuccess(send("second", create.body)));
  return { ...spent, roundTripsBefore: before, roundTripsAfter: spent.roundTrips - before };
}

/** Measures a PIX over a live company's PSP: created, paid and called back, delivered. */
export async function measureLivePix(): Promise<LifecycleUsage> {
  const shop = await givenLiveShop();
  await livePix(shop, "first");
  return livePix(shop, "second");
}

/** The object's mean work time for one PIX lifecycle over a PSP, ms. */
export async function measureObjectMs(lifecycles: number): Promise<number> {
  const shop = await givenLiveShop();
  await livePix(shop, "first");
  let busyMs = 0;
  for (let number = 0; number < lifecycles; number++) {
    for (const { objectMs } of Object.values(await livePix(shop, `lifecycle-${number}`)))
      busyMs += objectMs;
  }
  return busyMs / lifecycles;
}

async function livePix(shop: LiveShop, key: string): Promise<LifecycleUsage> {
  const { company, meter, world, options } = shop;
  const create = await usageOf(meter, () =>
    requireSuccess(createTransaction(company, PIX, { ...options, key })),
  );
  const [txid] = [...world.psp.book.cobs.keys()].slice(-1);
  world.psp.pay(txid ?? "");
  const paid = await usageOf(meter, () => deliverCallbacks(shop));
  const delivered = await usageOf(meter, () => deliverAll(shop));
  return { create, paid, delivered };
}

/** Measures a PIX in the sandbox. The bank's rows are counted separately. */
export async function measureSandboxPix(): Promise<LifecycleUsage> {
  const shop = await givenShop();
  await sandboxPix(shop, "first");
  return sandboxPix(shop, "second");
}

async function sandboxPix(shop: Shop, key: string): Promise<LifecycleUsage> {
  const { company, meter, options } = shop;
  let id = "";
  const create = await usageOf(meter, async () => {
    const answer = await requireSuccess(createTransaction(company, PIX, { ...options, key }));
    id = answer.body.data.id;
  });
  const paid = await usageOf(meter, () => requireSuccess(pay(company, id, undefined, options)));
  const delivered = await usageOf(meter, () => deliverAll(shop));
  return { create, paid, delivered };
}

/** Measures a withdraw that the sandbox bank pays at once, until its last webhook is delivered. */
export async function measureWithdraw(): Promise<LifecycleUsage> {
  const shop = await givenShop(100_000);
  await sandboxWithdraw(shop);
  return sandboxWithdraw(shop);
}

async function sandboxWithdraw(shop: Shop): Promise<LifecycleUsage> {
  const { company, meter, options, clock } = shop;
  const { id, request } = await requested(shop);
  clock.advance(CANCEL_WINDOW_MS);
  const banks = options.deps.providers(meter.env);
  const paid = await usageOf(meter, () => runPayout(company, id, banks, meter.env));
  const delivered = await usageOf(meter, () => deliverAll(shop));
  return { request, paid, delivered };
}

/** Measures a withdraw over a live company's PSP, which confirms it by a callback. */
export async function measureLiveWithdraw(): Promise<LifecycleUsage> {
  const shop = await givenLiveShop();
  await livePix(shop, "money");
  await liveWithdraw(shop);
  return liveWithdraw(shop);
}

async function liveWithdraw(shop: LiveShop): Promise<LifecycleUsage> {
  const { company, meter, world, options } = shop;
  const { id, request } = await requested(shop);
  const banks = options.deps.providers(meter.env);
  const sent = await usageOf(meter, () => runPayout(company, id, banks, meter.env));
  const [payoutId] = [...world.psp.book.envios.keys()].slice(-1);
  world.psp.settlePayout(payoutId ?? "", "REALIZADO");
  const paid = await usageOf(meter, () => deliverCallbacks(shop));
  const delivered = await usageOf(meter, () => deliverAll(shop));
  return { request, sent, paid, delivered };
}

/** Measures a refund over a live company's PSP, which confirms it by a callback. */
export async function measureLiveRefund(): Promise<LifecycleUsage> {
  const shop = await givenLiveShop();
  await liveRefund(shop, "first");
  return liveRefund(shop, "second");
}

async function liveRefund(shop: LiveShop, key: string): Promise<LifecycleUsage> {
  const { company, meter, world, options } = shop;
  await livePix(shop, key);
  const paid = world.psp.book.received.at(-1);
  const transactionId = hyphenateUuid(paid?.txid ?? "");
  await meter.takeUsage();
  const request = await usageOf(meter, () =>
    requireSuccess(refund(company, transactionId, REFUNDED, { ...options, key: `refund-${key}` })),
  );
  const endToEndId = paid?.endToEndId ?? "";
  const refundId = world.psp.book.pix(endToEndId)?.devolucoes.at(-1)?.id ?? "";
  world.psp.settleDevolucao(endToEndId, refundId, "DEVOLVIDO");
  const done = await usageOf(meter, () => deliverCallbacks(shop));
  const delivered = await usageOf(meter, () => deliverAll(shop));
  return { request, done, delivered };
}

async function requested({
  company,
  meter,
  options,
}: Shop): Promise<{ id: number; request: Usage }> {
  const amount = 1_000 + (withdraws += 1);
  let id = 0;
  const request = await usageOf(meter, async () => {
    const answer = await requireSuccess(requestWithdraw(company, { amount }, options));
    id = answer.body.id;
  });
  return { id, request };
}

async function deliverCallbacks({ world }: LiveShop): Promise<void> {
  await world.psp.deliverCallbacks(async (url, body) => {
    const { status } = await postCallback(world, url, body);
    if (status !== 200) throw new Error(`the callback returned ${status}`);
  });
}

/** The cost of a step, the object's background work included. */
export async function usageOf(meter: Meter, step: () => Promise<unknown>): Promise<Usage> {
  const { answer, logLines } = await countLogLines(async () => {
    await step();
    return meter.takeUsage();
  });
  return { ...answer, logLines };
}

/** Throws for an error status. */
export async function requireSuccess<Answer extends { status: number; text: string }>(
  request: Promise<Answer>,
): Promise<Answer> {
  const answer = await request;
  if (answer.status >= 300)
    throw new Error(`the request returned ${answer.status}: ${answer.text}`);
  return answer;
}
