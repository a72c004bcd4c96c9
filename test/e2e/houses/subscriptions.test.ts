import { afterAll, beforeAll, expect, it } from "vitest";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { endOfDay, saoPauloDay } from "../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../src/domain/shared/calendar-day.ts";
import {
  earliestDueDate,
  instructionWindow,
} from "../../../src/domain/subscriptions/debit-window.ts";
import { netExternalAmount, statementProblems } from "../../kill/lib/checks/check-statement.ts";
import { observe, verify } from "../../kill/lib/observe.ts";
import type { DebitFate } from "../../support/fakes/fake-psp/automatic/debit-book.ts";
import { moneyAtPsp } from "../../support/fakes/house-money.ts";
import { openApiOperations, startPrismProxy } from "../pix-api/prism.ts";
import { servePsp, type Served } from "../pix-api/server.ts";
import { LiveShop } from "./live-shop.ts";

const AMOUNT = 4_990;
const FIRST_AMOUNT = 1_500;
/** São Paulo, where the fake's payers live. */
const TOWN = "3550308";
/** Whatever the day is, and also after midnight. */
const DUE_DATE = earliestDueDate(addDays(saoPauloDay(Date.now()), 1), TOWN);
/** The last retry is before it. */
const AFTER_RETRIES = endOfDay(addDays(DUE_DATE, 7));

const TERMS = {
  customer: { name: "Maria da Silva", document: { number: "52998224725" } },
  description: "Clube do livro",
  amount: AMOUNT,
  period: "MONTHLY",
  firstDueDate: DUE_DATE,
  retry: [1, 3],
};

let shop: LiveShop;

/** Calls that passed the central bank's contract by Prism, and what it says of those that did not. */
const passed: string[] = [];
const breaches: string[] = [];
let judge: Served;

/** Prism before a PSP, whose words are written down. */
async function startJudge(pspUrl: string): Promise<Served> {
  const prism = await startPrismProxy(pspUrl, await openApiOperations());
  const front = await servePsp({
    answer: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "GET" ? null : await request.text();
      const answer = await fetch(`${prism.url}${pathname}${search}`, {
        method,
        headers,
        ...(body === null || body === "" ? {} : { body }),
      });
      const text = await answer.text();
      const isBreach = text.includes("stoplight.io/prism/errors");
      if (isBreach) breaches.push(`${method} ${pathname}: ${text}`);
      else passed.push(`${method} ${pathname.replaceAll(/\/(?=\w*\d)[\w-]+/g, "/:id")}`);
      const type = answer.headers.get("Content-Type") ?? "application/json";
      return new Response(text, { status: answer.status, headers: { "Content-Type": type } });
    },
  });
  const close = async () => {
    await front.close();
    await prism.close();
  };
  return { url: front.url, close };
}

beforeAll(async () => {
  shop = await LiveShop.open(async (url) => (judge = await startJudge(url)));
});

afterAll(() => shop.close());

const txidOf = (id: string) => providerChargeId(id);

/** The one mandate of a subscription at its PSP. */
function mandateOf({ id }: { id: string }): string {
  const made = [...shop.psp.mandates.mandates.values()].filter(
    ({ body }) => body.vinculo.contrato === txidOf(id),
  );
  expect(made).toHaveLength(1);
  const [mandate] = made;
  return mandate?.idRec ?? "";
}

const debitOf = (id: string) => shop.psp.debits.debits.get(txidOf(id));

/** Waits for a status of a subscription; answers the last one. */
async function status(id: string, expected: string): Promise<string> {
  const read = async () => (await shop.subscription(id)).status;
  return shop.until<string>(read, (seen) => seen === expected);
}

/** Waits for a status of a cycle's charge; answers the charge. */
async function cycle(id: string, expected: string): Promise<any> {
  const read = async () => (await shop.chargesOf(id)).at(-1);
  return shop.until(read, (charge) => charge?.status === expected);
}

/** Sells one that its payer approves. */
async function approved(more: object): Promise<any> {
  const sold = await shop.subscribe({ ...TERMS, ...more });
  shop.psp.mandates.approve(mandateOf(sold), { codMun: TOWN });
  expect(await status(sold.id, "active")).toBe("active");
  return sold;
}

/** The first cycle: opened by itself where the day of its order has come, else by its merchant. */
async function opened(id: string): Promise<any> {
  const { sendOn } = instructionWindow(DUE_DATE, TOWN);
  if (sendOn > saoPauloDay(Date.now())) return shop.openCycle(id, DUE_DATE);
  const read = async () => (await shop.chargesOf(id)).at(-1);
  return shop.until(read, (charge) => charge !== undefined);
}

/** The first cycle, with its debit at the payer's bank, where its attempts end so. */
async function debited(id: string, ...fates: DebitFate[]): Promise<string> {
  const { transactionId } = await opened(id);
  const read = async () => debitOf(transactionId)?.status;
  expect(await shop.until(read, (seen) => seen === "ATIVA")).toBe("ATIVA");
  shop.psp.debits.decide(txidOf(transactionId), ...fates);
  return transactionId;
}

it("a mandate by a code is approved, and its debit is paid, credited once", async () => {
  const { id, pix } = await approved({ journey: "QR" });
  expect(pix.qrcode).toContain("br.gov.bcb.pix");
  const transactionId = await debited(id);
  shop.psp.runBanks(endOfDay(DUE_DATE));
  expect(await cycle(id, "paid")).toMatchObject({
    status: "paid",
    attempts: [{ kind: "due", status: "paid" }],
  });
  expect(await shop.charge(transactionId)).toMatchObject({ status: "PAID", paidAmount: AMOUNT });
});

it("a mandate that the payer's bank asks for is approved, its debit fails, and its retry is paid", async () => {
  const payerAccount = { ispb: "60701190", branch: "0001", account: "1234567" };
  const { id } = await approved({ journey: "REQUEST", payerAccount });
  const transactionId = await debited(id, "no_balance");
  shop.psp.runBanks(endOfDay(DUE_DATE));
  const tried = async () => debitOf(transactionId)?.attempts.length;
  expect(await shop.until(tried, (count) => count === 2)).toBe(2);
  expect((await shop.subscription(id)).status).toBe("active");
  shop.psp.runBanks(AFTER_RETRIES);
  expect(await cycle(id, "paid")).toMatchObject({
    attempts: [
      { kind: "due", status: "failed" },
      { kind: "retry", status: "paid" },
    ],
  });
});

it("an account that is closed ends the cycle, and no retry is ordered", async () => {
  const { id } = await approved({ journey: "QR" });
  const transactionId = await debited(id, "closed");
  shop.psp.runBanks(endOfDay(DUE_DATE));
  expect(await cycle(id, "failed")).toMatchObject({
    status: "failed",
    attempts: [{ kind: "due", status: "failed", code: "PAYER_ACCOUNT_CLOSED" }],
  });
  expect(await status(id, "past_due")).toBe("past_due");
  expect(debitOf(transactionId)?.attempts).toHaveLength(1);
});

it("a payment with the approval is credited, and the payer ends the mandate at his bank", async () => {
  const firstPayment = { amount: FIRST_AMOUNT };
  const sold = await shop.subscribe({ ...TERMS, journey: "QR_AND_PAY", firstPayment });
  const [{ transactionId }] = await shop.chargesOf(sold.id);
  shop.psp.pay(txidOf(transactionId));
  shop.psp.mandates.approve(mandateOf(sold), { codMun: TOWN });
  expect(await status(sold.id, "active")).toBe("active");
  expect(await cycle(sold.id, "paid")).toMatchObject({ status: "paid", amount: FIRST_AMOUNT });

  shop.psp.mandates.cancelByPayer(mandateOf(sold));
  expect(await status(sold.id, "cancelled")).toBe("cancelled");
});

it("a charge with a due date is paid and its mandate approved, which the merchant ends", async () => {
  const sold = await shop.subscribe({ ...TERMS, journey: "QR_ON_DUE" });
  const [{ transactionId }] = await shop.chargesOf(sold.id);
  shop.psp.mandates.approve(mandateOf(sold), { codMun: TOWN, journey: "JORNADA_4" });
  shop.psp.pay(txidOf(transactionId));
  expect(await cycle(sold.id, "paid")).toMatchObject({ status: "paid", amount: AMOUNT });
  expect(await status(sold.id, "active")).toBe("active");

  expect((await shop.cancelSubscription(sold.id)).status).toBe("cancelled");
  const read = async () => shop.psp.mandates.mandates.get(mandateOf(sold))?.status;
  expect(await shop.until(read, (seen) => seen === "CANCELADA")).toBe("CANCELADA");
});

it("a payer who refuses is heard of", async () => {
  const sold = await shop.subscribe({ ...TERMS, journey: "QR" });
  shop.psp.mandates.refuse(mandateOf(sold));
  expect(await status(sold.id, "rejected")).toBe("rejected");
});

it("a debit of a mandate that its payer ends is never paid", async () => {
  const sold = await approved({ journey: "QR" });
  const transactionId = await debited(sold.id);
  shop.psp.mandates.cancelByPayer(mandateOf(sold));
  shop.psp.runBanks();
  expect(await cycle(sold.id, "cancelled")).toMatchObject({ status: "cancelled" });
  expect(debitOf(transactionId)?.status).toBe("CANCELADA");
});

it("ledger, D1 and PSP agree to the centavo in the end", async () => {
  const observed = await observe(shop.callers, shop.companyId);
  const booked = new Map<string, number>();
  for (const movement of observed.movements) {
    const id = movement.transactionId ?? "none";
    booked.set(id, (booked.get(id) ?? 0) + netExternalAmount(movement));
  }
  const money = moneyAtPsp(shop.psp.book);
  const ids = observed.transactions.map(({ id }) => id);
  expect(ids).toHaveLength(6);
  expect(ids.map((id) => [id, booked.get(id) ?? 0])).toEqual(
    ids.map((id) => [id, money.get(txidOf(id)) ?? 0]),
  );
  expect(observed.balance.available).toBe(3 * AMOUNT + FIRST_AMOUNT);
  expect(booked.has("none")).toBe(false);
  expect(statementProblems(observed)).toEqual([]);
  expect(await verify(shop.callers, shop.companyId)).toEqual([]);
});

it("each request of a sold subscription passes the central bank's contract, and each answer", async () => {
  expect(breaches).toEqual([]);
  expect([...new Set(passed)]).toEqual(
    expect.arrayContaining([
      "POST /locrec",
      "POST /rec",
      "GET /rec/:id",
      "PATCH /rec/:id",
      "POST /solicrec",
      "PUT /cobr/:id",
      "GET /cobr/:id",
      "POST /cobr/:id/retentativa/:id",
      "PUT /cob/:id",
      "PUT /cobv/:id",
    ]),
  );

  expect((await fetch(`${judge.url}/rec/unheard-of`)).ok).toBe(false);
  expect(breaches).toEqual([expect.stringContaining("GET /rec/unheard-of")]);
});
