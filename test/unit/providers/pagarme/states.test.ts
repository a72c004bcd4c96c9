import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakePagarMe } from "../../../support/fakes/pagarme/house.ts";
import {
  pagarMeBoleto,
  pagarMeCard,
  pagarMeProvider,
} from "../../../support/fakes/pagarme/provider.ts";

const DAY_MS = 86_400_000;

function given(kind: "psp" | "gateway" = "psp") {
  const clock = new TestClock();
  const house = new FakePagarMe(clock, kind);
  return { clock, house, provider: pagarMeProvider(house.fetch, { clock, config: { kind } }) };
}

it("a card that its acquirer did not answer is unknown until it is decided", async () => {
  const { house, provider } = given();
  const order = pagarMeCard(house);
  house.lieOnce("with_error");

  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
  expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
  house.decideCard(order.chargeId, "approved");

  expect(await provider.findCharge(order.chargeId)).toMatchObject({
    payments: [{ method: "CREDIT_CARD", amount: order.amount }],
  });
});

it("a refused card is an answer of 200, with its reason and the acquirer's numbers", async () => {
  const { house, provider } = given();

  const outcome = await provider.createCharge(pagarMeCard(house, { cvv: "612" }));

  expect(outcome).toMatchObject({
    kind: "decided",
    charge: {
      status: "refused",
      payments: [],
      card: {
        card: {
          brand: "visa",
          firstDigits: "411111",
          lastDigits: "1111",
          holderName: "MARIA DA CONCEICAO",
          authorizationCode: null,
        },
        nsu: expect.stringMatching(/^\d{9}$/),
        refusedReason: { code: "INSUFFICIENT_FUNDS", retryable: true },
      },
    },
  });
});

it("a card in review is open, and asked again until the antifraud has decided", async () => {
  const { house, provider } = given();
  const order = { ...pagarMeCard(house), amount: 2_545 };

  expect(await provider.createCharge(order)).toMatchObject({ charge: { status: "open" } });
  house.decideCard(order.chargeId, "not_authorized");

  expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "refused" });
});

it("a word that nobody knows is open without money, and unknown with some", async () => {
  const { house, provider } = given();
  const order = pagarMeBoleto();
  await provider.createCharge(order);
  const charge = house.book.chargeOf(order.chargeId);

  charge.status = "novo_status";
  expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "open" });
  charge.paid_amount = 2_500;

  expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
  const page = await provider.list("charges", { from: 0, to: Date.now() + DAY_MS }, 0);
  expect(page).toMatchObject({ records: [], unreadable: [{ fault: "status: Unknown value" }] });
});

it("a boleto that is paid after its cancel is paid, by a text as by a number", async () => {
  const { house, provider } = given();
  const order = pagarMeBoleto();
  await provider.createCharge(order);
  expect(await provider.cancelCharge(order.chargeId)).toEqual({ kind: "cancelled" });
  house.payBoleto(order.chargeId, 2_400);
  delete house.book.chargeOf(order.chargeId).paid_amount;

  expect(await provider.findCharge(order.chargeId)).toMatchObject({
    payments: [{ amount: 2_400, paidAt: expect.any(Number) }],
  });
});

it("a time without its offset, and a payment without its time, are unknown", async () => {
  const { house, provider } = given();
  const order = pagarMeBoleto();
  await provider.createCharge(order);
  const charge = house.payBoleto(order.chargeId, 2_500);

  charge.paid_at = "2026-11-21T12:00:00";
  expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
  delete charge.paid_at;
  delete charge.last_transaction.paid_at;

  expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
});

it("a chargeback is lost over the whole amount, and only where Pagar.me acquires", async () => {
  for (const kind of ["psp", "gateway"] as const) {
    const { house, provider } = given(kind);
    const order = pagarMeCard(house);
    await provider.createCharge(order);
    house.chargeBack(order.chargeId);
    // Whatever it counts as cancelled then is the chargeback's, and no refund.
    house.book.chargeOf(order.chargeId).canceled_amount = order.amount;

    const report = await provider.findCharge(order.chargeId);

    const lost = { kind: "CHARGEBACK", status: "LOST", amount: order.amount, isOfRest: true };
    if (kind === "psp") expect(report).toMatchObject({ disputes: [lost], refunds: [] });
    else expect(report).toEqual({ kind: "unknown" });
  }
});

it("what a partial capture releases is no refund", async () => {
  const { house, provider } = given();
  const order = pagarMeCard(house, { capture: false });
  await provider.createCharge(order);

  expect(await provider.captureCharge(order.chargeId, 2_501)).toEqual({
    kind: "refused",
    reason: "The amount is more than was authorized.",
  });
  expect(await provider.captureCharge(order.chargeId, 1_000)).toEqual({ kind: "captured" });

  expect(house.book.chargeOf(order.chargeId).canceled_amount).toBe(1_500);
  expect(await provider.findCharge(order.chargeId)).toMatchObject({
    payments: [{ amount: 1_000 }],
    refunds: [],
  });
});

it("an authorization that the house captures no more is refused in its words", async () => {
  const { clock, house, provider } = given();
  const order = pagarMeCard(house, { capture: false });
  await provider.createCharge(order);
  clock.advance(6 * DAY_MS);

  expect(await provider.captureCharge(order.chargeId, order.amount)).toEqual({
    kind: "refused",
    reason: "This charge can not be captured.",
  });
});

it("a lost capture is captured once it is asked again", async () => {
  const { house, provider } = given();
  const order = pagarMeCard(house, { capture: false });
  await provider.createCharge(order);
  house.faultAlways("reset");
  expect(await provider.captureCharge(order.chargeId, 2_000)).toEqual({ kind: "unknown" });
  house.clearFaults();
  house.faultAlways("reset", /^POST/);

  expect(await provider.captureCharge(order.chargeId, 2_000)).toEqual({ kind: "captured" });
});

it("a notice names a charge of ours and says nothing; others' and strange ones are told apart", async () => {
  const { house, provider } = given();
  const order = pagarMeBoleto();
  await provider.createCharge(order);
  house.payBoleto(order.chargeId, 2_500);
  const subject = [{ kind: "subject", chargeId: order.chargeId }];

  for (const notice of house.notices) expect(provider.readCallback(notice)).toEqual(subject);
  const ofOrder = { type: "order.paid", data: { code: order.chargeId } };
  expect(provider.readCallback(ofOrder)).toEqual(subject);
  expect(provider.readCallback({ type: "charge.paid", data: { code: "LOJA-1" } })).toEqual([]);
  for (const strange of [null, "x", {}, { data: 1 }]) {
    expect(provider.readCallback(strange)).toMatchObject([{ kind: "unreadable" }]);
  }
});

it("a payment of a charge that others made is none of ours", async () => {
  const { house, provider } = given();
  const order = pagarMeCard(house);
  await provider.createCharge(order);
  const [stored] = house.book.orders;

  const paymentId = `pgm:${stored.charges[0].id}`;
  expect(await provider.findPayment(paymentId)).toMatchObject({
    payment: { chargeId: order.chargeId },
  });
  stored.code = "LOJA-1";

  expect(await provider.findPayment(paymentId)).toEqual({ kind: "not_found" });
});

it.each(["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])(
  "money of the time %s is nothing that is known, told by its list, and read once its time can be",
  async (paidAt) => {
    const { house, clock } = given();
    const provider = pagarMeProvider(house.fetch, { clock, createdAt: clock.now() });
    const order = pagarMeCard(house);
    await provider.createCharge(order);
    const charge = house.book.chargeOf(order.chargeId);
    const rightTime: string = charge.paid_at;
    charge.paid_at = paidAt;

    expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
    expect(await provider.findPayment(`pgm:${charge.id}`)).toEqual({ kind: "unknown" });
    expect(await provider.cancelCharge(order.chargeId)).toEqual({ kind: "unknown" });
    const window = { from: 0, to: clock.now() + DAY_MS };
    expect(await provider.list("charges", window, 0)).toMatchObject({
      records: [],
      unreadable: [{ fault: "paid_at: Missing or impossible" }],
    });
    charge.paid_at = rightTime;
    expect(await provider.list("charges", window, 0)).toMatchObject({
      records: [{ charge: { payments: [{ amount: order.amount }] } }],
      unreadable: [],
    });
  },
);

it.each([
  [{ transaction_limit: 3, transaction_date_limit: "2027-01-05T03:00:00Z" }, { attemptsLeft: 3 }],
  [
    { transaction_limit: "0", transaction_date_limit: "2027-01-05T03:00:00Z" },
    { attemptsLeft: 0, retryable: true, retryNotBefore: "2027-01-05T03:00:00.000Z" },
  ],
  [{ transaction_limit: 0 }, { attemptsLeft: 0, retryable: false }],
  [{ transaction_limit: "?", transaction_date_limit: "?" }, { retryable: true }],
])("an acquirer that says %o of further attempts is passed on", async (retryInfo, expected) => {
  const { house, provider } = given("gateway");
  house.book.issuerSays = { code: "51", retryInfo };

  const outcome = await provider.createCharge(pagarMeCard(house));

  expect(outcome).toMatchObject({ charge: { card: { refusedReason: expected } } });
});
