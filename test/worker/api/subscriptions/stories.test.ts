import { expect, it } from "vitest";
import {
  AMOUNT,
  chargesOf,
  decide,
  givenApproved,
  givenSubscription,
  liveUntil,
  openShop,
  play,
  skipUntil,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const lastEvent = async (shop: Shop) => (await eventsOf(shop.company)).at(-1);
const typesOf = async (shop: Shop) => (await eventsOf(shop.company)).map(({ type }) => type);

it("a payer approves by the code, and each month is debited on its day", async () => {
  const shop = await openShop();
  const made = await givenSubscription(shop);
  expect(made).toMatchObject({
    status: "pending_approval",
    pix: { journey: "QR", qrcode: expect.stringContaining("br.gov.bcb.pix") },
    nextCharges: [
      { dueDate: "2026-12-10", amount: AMOUNT },
      { dueDate: "2027-01-10", amount: AMOUNT },
      { dueDate: "2027-02-10", amount: AMOUNT },
    ],
  });
  expect(await play(shop, made.id, "approve")).toMatchObject({ status: "active" });

  const ran = await liveUntil(shop, "2026-12-06");
  expect(ran).toContainEqual({ at: "2026-12-05T03:00:00.000Z", kind: "debit", id: made.id });
  const [scheduled] = await chargesOf(shop, made.id);
  expect(scheduled).toMatchObject({
    cycle: 1,
    dueDate: "2026-12-10",
    status: "open",
    attempts: [{ at: "2026-12-10", kind: "due", status: "scheduled", code: null }],
  });
  expect(await transactionOf(shop, scheduled.transactionId)).toMatchObject({
    status: "WAITING_PAYMENT",
    amount: AMOUNT,
    subscriptionId: made.id,
    pix: { kind: "AUTOMATIC", dueDate: "2026-12-10" },
  });

  await liveUntil(shop, "2027-01-12");
  const charges = await chargesOf(shop, made.id);
  expect(charges.map(({ status, dueDate }) => [dueDate, status])).toEqual([
    ["2027-01-10", "paid"],
    ["2026-12-10", "paid"],
  ]);
  const paid = await transactionOf(shop, scheduled.transactionId);
  expect(paid).toMatchObject({ status: "PAID", paidAt: "2026-12-10T09:00:00.000Z" });
  expect(await typesOf(shop)).toEqual([
    "subscription.created",
    "subscription.approved",
    "subscription.charge_scheduled",
    "transaction.paid",
    "subscription.charge_scheduled",
    "transaction.paid",
  ]);
});

it("a debit without a balance is tried again by the policy, and then paid", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "no_balance");

  const ran = await liveUntil(shop, "2026-12-12");

  const retries = ran.filter(({ kind }) => kind === "retry");
  expect(retries).toEqual([{ at: "2026-12-11T11:30:00.000Z", kind: "retry", id }]);
  const [charge] = await chargesOf(shop, id);
  expect(charge).toMatchObject({
    status: "paid",
    attempts: [
      { at: "2026-12-10", kind: "due", status: "failed", code: "NO_BALANCE", action: "retry" },
      { at: "2026-12-11", kind: "retry", status: "paid" },
    ],
  });
  expect(await transactionOf(shop, transactionId)).toMatchObject({
    status: "PAID",
    pix: { kind: "AUTOMATIC" },
    attempts: [
      { at: "2026-12-10", kind: "due", status: "failed", code: "NO_BALANCE", action: "retry" },
      { at: "2026-12-11", kind: "retry", status: "paid" },
    ],
  });
  const { items } = (await shop.send("/api/v1/transactions", { method: "GET" })).body;
  expect(items).toMatchObject([{ providerTxId: transactionId, subscriptionId: id }]);
  expect(await typesOf(shop)).toEqual([
    "subscription.created",
    "subscription.approved",
    "subscription.charge_scheduled",
    "subscription.charge_attempt_failed",
    "subscription.charge_scheduled",
    "transaction.paid",
  ]);
});

it("a debit above the payer's limit is past due, until a retry of the merchant's is paid", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "over_limit");
  await liveUntil(shop, "2026-12-10");

  expect(await subscriptionOf(shop, id)).toMatchObject({ status: "past_due" });
  const [failed] = await chargesOf(shop, id);
  expect(failed).toMatchObject({
    status: "open",
    attempts: [{ status: "failed", code: "PAYER_LIMIT", action: "tell_payer_offer_link" }],
  });
  const retry = `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/retry`;
  const weekend = await shop.send(retry, { body: { date: "2026-12-12" } });
  expect(weekend.status).toBe(400);
  expect(weekend.body.errors.date[0]).toContain("business day");
  expect(weekend.body.source).toContain("Pix API");
  const ordered = await shop.send(retry, { body: { date: "2026-12-14" } });
  expect(ordered.status, ordered.text).toBe(200);
  const twice = await shop.send(retry, { body: { date: "2026-12-15" } });
  expect([twice.status, twice.body.code]).toEqual([400, "VALIDATION_FAILED"]);

  await liveUntil(shop, "2026-12-14");

  expect(await subscriptionOf(shop, id)).toMatchObject({ status: "active" });
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid" });
  expect(await typesOf(shop)).toContain("subscription.past_due");
});

it("a debit that is never paid fails after its last retry, and its charge with it", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  for (const day of ["2026-12-10", "2026-12-11", "2026-12-14"]) {
    await decide(shop, transactionId, "no_balance");
    await shop.live({ set: `${day}T23:00:00-03:00` });
  }
  await liveUntil(shop, "2026-12-18");

  const [charge] = await chargesOf(shop, id);
  expect(charge.status).toBe("failed");
  expect(charge.attempts.map(({ at, kind }: any) => [at, kind])).toEqual([
    ["2026-12-10", "due"],
    ["2026-12-11", "retry"],
    ["2026-12-14", "retry"],
  ]);
  expect(await subscriptionOf(shop, id)).toMatchObject({ status: "past_due" });
  expect(await transactionOf(shop, transactionId)).toMatchObject({
    status: "FAILED",
    failureReason: { code: "DEBIT_FAILED" },
  });
});

it("a payer who cancels in the bank's app ends the subscription and the debit of tomorrow", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-09");

  expect(await play(shop, id, "payer-cancel")).toMatchObject({
    status: "cancelled",
    mandate: { status: "cancelled", reason: "PAYER_CANCELLED" },
    nextCharges: [],
  });
  await liveUntil(shop, "2027-02-12");

  const [charge, ...others] = await chargesOf(shop, id);
  expect(others).toEqual([]);
  expect(charge).toMatchObject({ status: "cancelled", attempts: [{ status: "cancelled" }] });
  expect(await transactionOf(shop, charge.transactionId)).toMatchObject({ status: "CANCELLED" });
});

it("a subscription with an end is completed after its last cycle", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, { period: "WEEKLY", endDate: "2026-12-18" });
  await liveUntil(shop, "2026-12-19");

  expect(await subscriptionOf(shop, id)).toMatchObject({ status: "completed", nextCharges: [] });
  expect((await chargesOf(shop, id)).map(({ status }) => status)).toEqual(["paid", "paid"]);
  expect((await typesOf(shop)).at(-1)).toBe("subscription.completed");
});

it("a payer refuses, and one who never answers has the subscription expire", async () => {
  const shop = await openShop();
  const account = { ispb: "00000000", branch: "1", account: "12345" };
  const asked = { journey: "REQUEST", payerAccount: account };
  const refused = await givenSubscription(shop, asked);
  expect(refused.pix).toEqual({ qrcode: null, journey: "REQUEST" });
  expect(await play(shop, refused.id, "reject")).toMatchObject({
    status: "rejected",
    mandate: { reason: "PAYER_REFUSED" },
  });
  expect(await lastEvent(shop)).toMatchObject({
    type: "subscription.rejected",
    body: {
      data: { id: refused.id, status: "rejected", mandate: { reason: "PAYER_REFUSED" } },
    },
  });
  const silent = await givenSubscription(shop, { ...asked, firstDueDate: "2026-12-03" });
  await liveUntil(shop, "2026-12-03");

  expect(await subscriptionOf(shop, silent.id)).toMatchObject({
    status: "expired",
    mandate: { status: "cancelled" },
  });
});

it("what its merchant pauses and resumes is told once, and debited again", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  const act = async (name: string) => (await shop.send(`${SUBSCRIPTIONS}/${id}/${name}`)).status;
  expect([await act("pause"), await act("resume"), await act("resume")]).toEqual([200, 200, 200]);

  expect(await lastEvent(shop)).toMatchObject({
    type: "subscription.resumed",
    body: { data: { id, status: "active" } },
  });
  await liveUntil(shop, "2026-12-11");

  expect((await chargesOf(shop, id))[0]).toMatchObject({ dueDate: "2026-12-10", status: "paid" });
  expect(await typesOf(shop)).toEqual([
    "subscription.created",
    "subscription.approved",
    "subscription.paused",
    "subscription.resumed",
    "subscription.charge_scheduled",
    "transaction.paid",
  ]);
});

it("a payer pays at once while he approves, and the next month is debited", async () => {
  const shop = await openShop();
  const body = { journey: "QR_AND_PAY", firstPayment: { amount: 1_000 } };
  const { id } = await givenSubscription(shop, body);
  const [first] = await chargesOf(shop, id);
  expect(first).toMatchObject({ cycle: 1, amount: 1_000, status: "open", attempts: [] });
  expect(await play(shop, id, "approve")).toMatchObject({ status: "active" });
  expect(await transactionOf(shop, first.transactionId)).toMatchObject({
    status: "PAID",
    subscriptionId: id,
  });
  await skipUntil(shop, "2027-01-04");
  await liveUntil(shop, "2027-01-12");

  const charges = await chargesOf(shop, id);
  expect(charges.map(({ cycle, amount, status }) => [cycle, amount, status])).toEqual([
    [2, AMOUNT, "paid"],
    [1, 1_000, "paid"],
  ]);
});

it("a payment by hand ends the debit of tomorrow; one of the day itself does not", async () => {
  const shop = await openShop();
  await liveUntil(shop, "2026-12-07");
  const { id } = await givenApproved(shop, { period: "WEEKLY" });
  await liveUntil(shop, "2026-12-08");
  const [{ transactionId }] = await chargesOf(shop, id);
  await shop.send(`/api/v1/sandbox/transactions/${transactionId}/pay`);
  await liveUntil(shop, "2026-12-11");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "cancelled" }],
  });
  const unexpected = "/api/v1/payments/unexpected";
  expect((await shop.send(unexpected, { method: "GET" })).body.items).toEqual([]);

  await shop.live({ set: "2026-12-17T01:00:00-03:00" });
  const [{ transactionId: next }] = await chargesOf(shop, id);
  await shop.send(`/api/v1/sandbox/transactions/${next}/pay`);
  await liveUntil(shop, "2026-12-18");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "paid" }],
  });
  const { items } = (await shop.send(unexpected, { method: "GET" })).body;
  expect(items).toMatchObject([{ reason: "SECOND_PAYMENT", transactionId: next }]);
});
