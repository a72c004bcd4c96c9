import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";
import { FakePagarMe } from "../../../support/fakes/pagarme/house.ts";
import { pagarMeCard, pagarMeProvider } from "../../../support/fakes/pagarme/provider.ts";
import { ANONYMOUS_PAYER } from "../../../support/builders/providers/provider-orders.ts";

function given() {
  const clock = new TestClock();
  const house = new FakePagarMe(clock);
  const provider = pagarMeProvider(house.fetch, { clock, refs: new MemoryRefs() });
  return { house, provider };
}
type World = ReturnType<typeof given>;

/** Charges a card by a token; answers what the house gave for it. */
async function givenSaved({ house, provider }: World, sent = {}): Promise<string> {
  const order = pagarMeCard(house, sent);
  const made = await provider.createCharge({ ...order, card: { ...order.card, save: true } });
  const savedCard = made.kind === "decided" ? made.charge.card?.savedCard : undefined;
  return savedCard ?? "";
}

/** An order for a saved card, of a payer without e-mail or phone. */
function again(house: FakePagarMe, savedCard: string, by: object = {}) {
  const { card, ...order } = pagarMeCard(house);
  const source = { savedCard };
  return { ...order, payer: ANONYMOUS_PAYER, card: { ...card, source, ...by } };
}

const lastOrder = (house: FakePagarMe) =>
  house.seen.findLast(({ call }) => call === "POST /orders")?.request;
const cardsOf = ({ book }: FakePagarMe) =>
  [...book.wallets.values()].flatMap((each) => Array.from(each));

it("the payer's next order names the customer and the card in place of the payer's data", async () => {
  const world = given();
  const { house, provider } = world;
  const savedCard = await givenSaved(world);
  const order = again(house, savedCard);

  expect(provider.orderFaults(order)).toEqual({});
  expect(await provider.createCharge(order)).toMatchObject({ charge: { payments: [{}] } });

  const [{ customer, charges }] = house.book.orders;
  const asked = lastOrder(house);
  expect(asked).toMatchObject({ customer_id: customer.id });
  expect(asked).not.toHaveProperty("customer");
  expect(asked.payments[0].credit_card).toEqual({
    operation_type: "auth_and_capture",
    installments: 1,
    card_id: charges[0].last_transaction.card.id,
  });
  expect(cardsOf(house)).toHaveLength(1);
});

it("a repeat by the merchant says so, and names the charge that saved the card", async () => {
  const world = given();
  const { house, provider } = world;
  const savedCard = await givenSaved(world);

  await provider.createCharge(again(house, savedCard, { initiatedBy: "merchant" }));

  expect(lastOrder(house).payments[0].credit_card).toMatchObject({
    recurrence: true,
    payment_origin: { charge_id: house.book.orders[0].charges[0].id },
  });
});

it("a lost answer makes no second customer and no second card", async () => {
  const { house, provider } = given();
  const order = pagarMeCard(house);
  house.faultAlways("reset", /^POST/);
  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
  house.clearFaults();

  const found = await provider.findCharge(order.chargeId);
  const made = await provider.createCharge(order);

  const saved = found.kind === "known" ? found.card?.savedCard : undefined;
  expect(saved).toMatch(/"cardId":"card_/);
  expect(made).toMatchObject({ charge: { card: { savedCard: saved } } });
  expect(cardsOf(house)).toHaveLength(1);
});

it("a refused card, one in review and one whose customer the house does not name are not saved", async () => {
  const world = given();
  const { house, provider } = world;
  expect(await givenSaved(world, { cvv: "612" })).toBe("");
  const order = { ...pagarMeCard(house), amount: 1_045 };
  expect(await provider.createCharge(order)).toMatchObject({ charge: { status: "open" } });
  expect(await provider.findCharge(order.chargeId)).not.toHaveProperty("card.savedCard");

  const named = pagarMeCard(house);
  await provider.createCharge(named);
  delete house.book.orders.at(-1).customer;
  expect(await provider.findCharge(named.chargeId)).not.toHaveProperty("card.savedCard");
});

it("a card is deleted at the house, once, and not while it is still saved", async () => {
  const world = given();
  const { house, provider } = world;
  const first = await givenSaved(world);
  const second = await givenSaved(world);
  const twin = JSON.stringify({ ...JSON.parse(first), chargeId: "ch_later" });

  expect(await provider.deleteCard(first, [second, twin])).toEqual({ kind: "deleted" });
  expect(cardsOf(house)).toHaveLength(2);
  house.faultAlways("reset", /^DELETE/);
  expect(await provider.deleteCard(first, [second])).toEqual({ kind: "unknown" });
  house.clearFaults();
  expect(await provider.deleteCard(first, [second])).toEqual({ kind: "deleted" });
  expect(await provider.deleteCard(first, [second])).toEqual({ kind: "deleted" });

  expect(cardsOf(house)).toHaveLength(1);
  expect(await provider.createCharge(again(house, first))).toMatchObject({ kind: "refused" });
});
