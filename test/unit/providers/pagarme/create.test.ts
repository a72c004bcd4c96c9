import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";
import { refusal } from "../../../support/fakes/pagarme/book.ts";
import { FakePagarMe } from "../../../support/fakes/pagarme/house.ts";
import {
  PAGARME_PAYER,
  pagarMeBoleto,
  pagarMeCard,
  pagarMeProvider,
} from "../../../support/fakes/pagarme/provider.ts";

const POST = /^POST \/orders/;

function given(kind: "psp" | "gateway" = "psp") {
  const clock = new TestClock();
  const house = new FakePagarMe(clock, kind);
  const refs = new MemoryRefs();
  const make = (config = {}) =>
    pagarMeProvider(house.fetch, { clock, refs, config: { kind, ...config } });
  return { clock, house, refs, make, provider: make() };
}

it("a boleto that the house refuses although it has made it is registered", async () => {
  const { house, provider } = given();
  house.lieOnce("refuses_what_it_made");

  expect(await provider.createCharge(pagarMeBoleto())).toMatchObject({ kind: "registered" });

  expect(house.book.orders).toHaveLength(1);
});

it("a boleto is bound to the house before its order, and not made where that is refused", async () => {
  const { house, provider } = given();
  const order = pagarMeBoleto();
  const bound: number[] = [];
  const bind = async (answer: boolean) => {
    bound.push(house.book.orders.length);
    return answer;
  };
  expect(await provider.createCharge(order, () => bind(false))).toEqual({ kind: "unknown" });
  expect(house.book.orders).toEqual([]);

  expect(await provider.createCharge(order, () => bind(true))).toMatchObject({
    kind: "registered",
  });

  expect(house.book.orders).toHaveLength(1);
  expect(bound).toEqual([0, 0]);
});

it("a token that has expired is refused as that, in the house's words and without its echo", async () => {
  const { clock, house, provider } = given();
  const order = pagarMeCard(house);
  clock.advance(61_000);

  const outcome = await provider.createCharge(order);

  expect(outcome).toEqual({
    kind: "refused",
    message: "The card token is invalid or has expired.",
    code: "CARD_TOKEN_EXPIRED",
  });
});

it("a token that was used before is refused as that", async () => {
  const { house, provider } = given();
  const [first, second] = [pagarMeCard(house), pagarMeCard(house)];
  await provider.createCharge(first);

  const outcome = await provider.createCharge({ ...second, card: first.card });

  expect(outcome).toMatchObject({ kind: "refused", code: "CARD_TOKEN_EXPIRED" });
  expect(house.book.orders).toHaveLength(1);
});

it("a card that is charged although the house refuses its order with 412 is charged", async () => {
  const { house, provider } = given();
  house.lieOnce("refuses_what_it_made");

  expect(await provider.createCharge(pagarMeCard(house))).toMatchObject({
    kind: "decided",
    charge: { payments: [{ amount: 2_500 }] },
  });
});

it("a card by token that the house refuses with 412 for another rule is no ended token", async () => {
  const { house, provider } = given();
  house.lieOnce("refuses_the_card");

  expect(await provider.createCharge(pagarMeCard(house))).toEqual({
    kind: "refused",
    message: "Could not create credit card. The card verification failed.",
    code: "PROVIDER_REFUSED",
  });
});

it("an order without a token that the house refuses with 412 for one is no ended token", async () => {
  const { house, provider } = given();
  house.book.createOrder = () => refusal(412, "The card token is invalid.");

  expect(await provider.createCharge(pagarMeBoleto())).toMatchObject({ code: "PROVIDER_REFUSED" });
});

it("a refused token whose order cannot be looked up is nothing that is known", async () => {
  const { clock, house, provider } = given();
  const order = pagarMeCard(house);
  clock.advance(61_000);
  house.faultAlways("unavailable", /^GET/);

  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
});

it("an order that is wrong, and a rule about a boleto, say nothing of a token", async () => {
  const { house, provider } = given();
  const wrong = pagarMeCard(house);
  const card = { ...wrong.card, installments: 13 };

  expect(await provider.createCharge({ ...wrong, card })).toMatchObject({
    kind: "refused",
    code: "PROVIDER_REFUSED",
  });
  house.book.createOrder = () => refusal(422, "The request is invalid.", { card_token: ["wrong"] });
  expect(await provider.createCharge(pagarMeCard(house))).toMatchObject({
    kind: "refused",
    code: "PROVIDER_REFUSED",
  });
  house.book.createOrder = () => refusal(412, "No agreement.");
  expect(await provider.createCharge(pagarMeBoleto())).toMatchObject({
    kind: "refused",
    code: "PROVIDER_REFUSED",
  });
});

it("a lost create is looked up by our code, and never made a second time", async () => {
  const { clock, house, make } = given();
  const order = pagarMeBoleto();
  house.faultAlways("reset", POST);
  expect(await make().createCharge(order)).toEqual({ kind: "unknown" });
  house.clearFaults();
  // The key is forgotten, and with it the first outcome.
  clock.advance(25 * 60 * 60_000);

  expect(await make().createCharge(order)).toMatchObject({ kind: "registered" });

  expect(house.book.orders).toHaveLength(1);
});

it("two orders of one code are no charge of either, and in a list only the known one is read", async () => {
  const { house, provider, make } = given();
  const [lost, known] = [pagarMeBoleto(), pagarMeBoleto()];
  house.faultAlways("reset", POST);
  await provider.createCharge(lost);
  house.clearFaults();
  await provider.createCharge(known);
  for (const { chargeId } of [lost, known]) house.repeatOrder(chargeId);

  expect(await make().findCharge(lost.chargeId)).toEqual({ kind: "unknown" });
  const page = await make().list("charges", { from: 0, to: Date.now() + 60_000 }, 0);

  expect(page).toMatchObject({ kind: "known", records: [{ chargeId: known.chargeId }] });
  if (page.kind !== "known") throw new Error("a page");
  expect(page.unreadable.map(({ fault }) => fault)).toEqual(
    Array.from({ length: 3 }, () => "code: Another order has it"),
  );
  expect(JSON.stringify(page.unreadable)).not.toContain(PAGARME_PAYER.email);
});

it("an answer about another amount or another code is unknown", async () => {
  const { house, provider } = given();
  const order = pagarMeBoleto();
  await provider.createCharge(order);
  const [stored] = house.book.orders;

  stored.amount += 1;
  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
  stored.code = "0".repeat(32);
  expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "unknown" });
});

it("a boleto asks for what its bank registers, and refuses terms that nobody has proved", () => {
  const { make } = given();
  const order = pagarMeBoleto();
  const boleto = {
    ...order.boleto,
    instructions: "x".repeat(257),
    documentNumber: "x".repeat(17),
    fine: { type: "PERCENTAGE", value: 200 },
    interest: { value: 100 },
    discount: { type: "FIXED", value: 100, untilDate: order.boleto.dueDate },
  } as const;
  const payer = { ...PAGARME_PAYER, email: "", phone: "987", address: {} };

  expect(make().orderFaults(order)).toEqual({});
  expect(Object.keys(make().orderFaults({ ...order, boleto, payer })).toSorted()).toEqual([
    "boleto.discount",
    "boleto.documentNumber",
    "boleto.fine",
    "boleto.instructions",
    "boleto.interest",
    "customer.email",
    "customer.phone",
    "shipping.address.city",
    "shipping.address.state",
    "shipping.address.street",
    "shipping.address.zipCode",
  ]);
  const proved = make({ termsProven: true }).orderFaults({ ...order, boleto });
  expect(Object.keys(proved)).not.toContain("boleto.fine");
});

it("the order names the payer, one item and one payment, due at noon of its day", async () => {
  const { house, make } = given();
  const order = pagarMeBoleto();
  const { dueDate } = order.boleto;
  const fine = { type: "PERCENTAGE", value: 250 } as const;
  const terms = { ...order, boleto: { ...order.boleto, fine, interest: { value: 100 } } };

  await make({ termsProven: true }).createCharge(terms);

  const [{ request }] = house.seen as any[];
  expect(request).toMatchObject({
    code: order.chargeId,
    closed: true,
    items: [{ amount: 2_500, quantity: 1 }],
    customer: {
      type: "individual",
      document: "12345678909",
      phones: { mobile_phone: { country_code: "55", area_code: "11", number: "987654321" } },
      address: { line_1: "12, Rua das Flores", zip_code: "01310100", country: "BR" },
    },
    payments: [
      {
        amount: 2_500,
        payment_method: "boleto",
        boleto: {
          due_at: `${dueDate}T15:00:00Z`,
          fine: { days: 1, type: "percentage", amount: 2.5 },
          interest: { days: 1, type: "percentage", amount: 1 },
        },
      },
    ],
  });
});

it.each([
  ["01046010", 2_499],
  ["57400000", 2_501],
  ["01310100", 2_500],
])("a boleto of the postal code %s is paid with %d centavos", async (zipCode, amount) => {
  const { house, provider } = given("gateway");
  const order = pagarMeBoleto();
  const address = { ...PAGARME_PAYER.address, zipCode };
  await provider.createCharge({ ...order, payer: { ...PAGARME_PAYER, address } });

  house.payBoleto(order.chargeId);

  expect(await provider.findCharge(order.chargeId)).toMatchObject({
    payments: [{ method: "BOLETO", amount }],
  });
});

it("an order that a restore has made forgotten is found by our code, also once its key is", async () => {
  const { clock, house, refs, provider } = given();
  const order = pagarMeBoleto();
  const first = await provider.createCharge(order);
  refs.refs.clear();
  clock.advance(25 * 60 * 60_000);

  expect(await provider.createCharge(order)).toEqual(first);

  expect(house.book.orders).toHaveLength(1);
});

it("what is remembered of a page's orders is read in one trip, however many they are", async () => {
  const { clock, house, refs, provider } = given();
  const orders = [pagarMeBoleto(), pagarMeCard(house), pagarMeCard(house)];
  for (const order of orders) await provider.createCharge(order);
  refs.reads = 0;

  const page = await provider.list("charges", { from: 0, to: clock.now() + 60_000 }, 0);

  expect(page).toMatchObject({ records: { length: 3 } });

  expect(refs.reads).toBe(1);
});
