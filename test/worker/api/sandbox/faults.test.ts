import { describe, expect, it } from "vitest";
import { isoTime } from "../../../../src/domain/shared/clock.ts";
import {
  givenClockedShop,
  live,
  type ClockedShop,
} from "../../../support/builders/companies/clocked-shop.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import {
  attemptsOf,
  deliveriesOf,
  eventsOf,
} from "../../../support/probes/webhooks/webhook-rows.ts";

const PATH = "/api/v1/sandbox/faults";
const DAY_MS = 86_400_000;

/** A shop whose bank or receiver fails. */
async function givenFaulty(...items: object[]): Promise<ClockedShop> {
  const shop = await givenClockedShop();
  const { company, deps } = shop;
  expect((await call(PATH, { method: "PUT", company, deps, body: { items } })).status).toBe(200);
  return shop;
}

const charge = ({ company, deps }: ClockedShop, body: object = {}) =>
  givenTransaction(company, { amount: 5_000, ...body }, { deps });

const statusOf = async ({ company, deps }: ClockedShop, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company, deps })).body.data.status;

const balanceOf = async ({ company, deps }: ClockedShop) =>
  (await call("/api/v1/balance?currency=BRL", { company, deps })).body.data;

const typesOf = async ({ company }: ClockedShop) =>
  (await eventsOf(company)).map(({ type }) => type);

async function payIt({ company, deps }: ClockedShop, id: string) {
  const answer = await pay(company, id, undefined, { deps });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

async function withdraw({ company, deps }: ClockedShop, amount: number, key = "wd_1") {
  const headers = { "Idempotency-Key": key };
  return call("/api/Withdraw/request", { company, deps, body: { amount }, headers });
}

async function payoutOf({ company, deps }: ClockedShop, id: number) {
  const answer = await call(`/api/Withdraw/${id}`, { company, deps });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.enTransaction;
}

it("shows the faults as they were set, by the company's time, and an empty list ends them", async () => {
  const shop = await givenClockedShop();
  const { clock, company, deps } = shop;
  const now = clock.now();
  const until = new Date(now + 9 * DAY_MS).toISOString();
  const items = [
    { kind: "bank_silent", from: "P3D", until: "P5D" },
    { kind: "bank_late", until, by: "PT12H" },
  ];
  const put = await call(PATH, { method: "PUT", company, deps, body: { items } });
  await expectDocumented(`PUT ${PATH}`, put);
  expect(put.body.data.items).toEqual([
    {
      kind: "bank_silent",
      from: isoTime(now + 3 * DAY_MS),
      until: isoTime(now + 5 * DAY_MS),
      by: null,
    },
    { kind: "bank_late", from: isoTime(now), until, by: "PT43200S" },
  ]);
  const shown = await call(PATH, { company, deps });
  await expectDocumented(`GET ${PATH}`, shown);
  expect(shown.body).toEqual(put.body);
  const ended = await call(PATH, { method: "PUT", company, deps, body: { items: [] } });
  expect(ended.body.data.items).toEqual([]);
});

describe("a refused request keeps the faults", () => {
  it.each([
    ["a kind that is none", [{ kind: "bank_gone", until: "P1D" }], "items.0.kind"],
    ["no end", [{ kind: "bank_silent" }], "items.0.until"],
    ["a time that is none", [{ kind: "bank_silent", until: "soon" }], "items.0.until"],
    [
      "an end before the beginning",
      [{ kind: "bank_silent", from: "P2D", until: "P1D" }],
      "items.0.until",
    ],
    [
      "a delay of a bank that has none",
      [{ kind: "bank_silent", until: "P1D", by: "P1D" }],
      "items.0.by",
    ],
    ["an end beyond all years", [{ kind: "bank_silent", until: "P9999Y" }], "items.0.until"],
    [
      "an end that no text of four digits can name",
      [{ kind: "bank_silent", until: "9999-12-31T23:59:59-12:00" }],
      "items.0.until",
    ],
    ["no delay at all", [{ kind: "bank_slow", until: "P1D", by: "PT0S" }], "items.0.by"],
    ["a delay that is none", [{ kind: "bank_late", until: "P1D", by: "1 day" }], "items.0.by"],
    [
      "more than twenty",
      Array.from({ length: 21 }, () => ({ kind: "bank_silent", until: "P1D" })),
      "items",
    ],
  ])("VALIDATION_FAILED: %s", async (_what, items, field) => {
    const company = await givenCompany();
    const one = { items: [{ kind: "receiver_down", until: "P1D" }] };
    await call(PATH, { method: "PUT", company, body: one });
    const answer = await call(PATH, { method: "PUT", company, body: { items } });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    expect((await call(PATH, { company })).body.data.items).toHaveLength(1);
  });

  it("FORBIDDEN: a live company may neither set nor read them", async () => {
    const company = await givenCompany({ mode: "live" });
    const body = { items: [{ kind: "bank_silent", until: "P1D" }] };
    for (const answer of [
      await call(PATH, { method: "PUT", company, body }),
      await call(PATH, { company }),
    ]) {
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    }
  });
});

it("bank_silent: what was paid and ordered in silence is known after it, once", async () => {
  const shop = await givenClockedShop();
  const { company, deps } = shop;
  const funds = await charge(shop, { amount: 50_000 });
  await payIt(shop, funds.id);
  const open = await charge(shop, { pix: { expiresInSeconds: 604_800 } });
  const body = { items: [{ kind: "bank_silent", until: "PT6H" }] };
  await call(PATH, { method: "PUT", company, deps, body });

  const card = await charge(shop, { ...CARD_REQUEST, installments: 1 });
  expect((await payIt(shop, open.id)).status).toBe("WAITING_PAYMENT");
  const asked = await withdraw(shop, 10_000);
  expect(asked.status).toBeLessThan(300);
  await live(shop, { advance: "PT5H" });
  expect(await statusOf(shop, open.id)).toBe("WAITING_PAYMENT");
  expect(await statusOf(shop, card.id)).toBe("WAITING_PAYMENT");
  expect(await payoutOf(shop, asked.body.id)).toBe("Processing");

  await live(shop, { advance: "P1D" });
  expect(await statusOf(shop, open.id)).toBe("PAID");
  expect(await statusOf(shop, card.id)).toBe("PAID");
  expect(await payoutOf(shop, asked.body.id)).toBe("Paid");
  const types = await typesOf(shop);
  expect(types.filter((type) => type === "transaction.paid")).toHaveLength(3);
  expect(types.filter((type) => type === "withdraw.paid")).toHaveLength(1);
});

it("bank_slow: orders are answered when the delay has passed, and done once", async () => {
  const shop = await givenClockedShop();
  const { company, deps } = shop;
  const funds = await charge(shop, { amount: 50_000 });
  await payIt(shop, funds.id);
  const body = { items: [{ kind: "bank_slow", until: "PT1H", by: "PT6H" }] };
  await call(PATH, { method: "PUT", company, deps, body });

  const create = () => createTransaction(company, {}, { deps, key: "order_1" });
  await expectProblem(await create(), { status: 503, code: "PROVIDER_UNAVAILABLE" });
  const asked = await withdraw(shop, 10_000);
  expect(asked.status, asked.text).toBeLessThan(300);
  const refund = await call(`/api/v1/transactions/${funds.id}/refund`, {
    company,
    deps,
    body: { amount: 5_000 },
    headers: { "Idempotency-Key": "rf_1" },
  });
  expect(refund.status).toBe(202);
  await live(shop, { advance: "PT5H" });
  await expectProblem(await create(), { status: 503, code: "PROVIDER_UNAVAILABLE" });
  expect(await payoutOf(shop, asked.body.id)).toBe("Processing");
  expect(await typesOf(shop)).not.toContain("transaction.refunded");

  await live(shop, { advance: "P1D" });
  expect((await create()).status).toBe(200);
  expect(await payoutOf(shop, asked.body.id)).toBe("Paid");
  expect((await balanceOf(shop)).availableCents).toBe(35_000);
  expect(await typesOf(shop)).toEqual([
    "transaction.paid",
    "withdraw.processing",
    "transaction.partially_refunded",
    "withdraw.paid",
    "transaction.cancelled",
  ]);
});

it("bank_doubled: a payment and a chargeback that are reported twice are booked once", async () => {
  const shop = await givenFaulty({ kind: "bank_doubled", until: "P9D" });
  const { company, deps } = shop;
  const { id } = await charge(shop);
  const other = await charge(shop, { ...CARD_REQUEST, installments: 1 });
  await payIt(shop, id);
  await live(shop, { advance: "P1D" });
  expect(await typesOf(shop)).toEqual(["transaction.paid", "transaction.paid"]);
  expect((await balanceOf(shop)).availableCents).toBe(5_000);
  const path = `/api/v1/sandbox/transactions/${other.id}/chargeback`;
  expect((await call(path, { method: "POST", company, deps })).status).toBe(200);
  await live(shop, { advance: "P1D" });
  expect(await typesOf(shop)).toEqual([
    "transaction.paid",
    "transaction.paid",
    "dispute.lost",
    "transaction.refunded",
  ]);
  expect(await balanceOf(shop)).toMatchObject({ availableCents: 5_000, owedCents: 0 });
});

it("bank_late: a payment is heard of days later, with the time at which it was made", async () => {
  const shop = await givenFaulty({ kind: "bank_late", until: "PT1H", by: "P3D" });
  const { clock, company, deps } = shop;
  const { id } = await charge(shop, { pix: { expiresInSeconds: 604_800 } });
  expect((await payIt(shop, id)).status).toBe("WAITING_PAYMENT");
  const paidAt = new Date(clock.now()).toISOString();
  await live(shop, { advance: "P2D" });
  expect(await statusOf(shop, id)).toBe("WAITING_PAYMENT");
  await live(shop, { advance: "P2D" });
  expect(await statusOf(shop, id)).toBe("PAID");
  const { body } = await call(`/api/v1/transactions/${id}`, { company, deps });
  expect(body.data.paidAt).toBe(paidAt);
});

it("bank_late: a PIX whose payment is heard of after it expired is not lost", async () => {
  const shop = await givenFaulty({ kind: "bank_late", until: "PT1H", by: "P3D" });
  const { id } = await charge(shop, { pix: { expiresInSeconds: 3_600 } });
  await payIt(shop, id);
  await live(shop, { advance: "P2D" });
  expect(await statusOf(shop, id)).toBe("CANCELLED");
  await live(shop, { advance: "P2D" });
  expect(await statusOf(shop, id)).toBe("PAID");
  expect((await balanceOf(shop)).availableCents).toBe(5_000);
});

it("receiver_down: nothing is sent for 60 hours, each attempt counts, and then all arrives once", async () => {
  const shop = await givenFaulty({ kind: "receiver_down", until: "PT60H" });
  const { company, sink } = shop;
  const { id } = await charge(shop);
  await payIt(shop, id);
  await live(shop, { advance: "PT59H" });
  expect(sink.received).toEqual([]);
  const attempts = await attemptsOf(company);
  expect(new Set(attempts.map(({ fault }) => fault))).toEqual(new Set(["receiver_down"]));
  expect(attempts.length).toBeGreaterThan(7);
  await live(shop, { advance: "P1D" });
  expect(sink.types()).toEqual(["transaction.paid"]);
  expect((await deliveriesOf(company)).map(({ status }) => status)).toEqual(["delivered"]);
});
