import { afterAll, beforeAll, expect, it } from "vitest";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { netExternalAmount, statementProblems } from "../../kill/lib/checks/check-statement.ts";
import { observe, verify } from "../../kill/lib/observe.ts";
import { moneyAtEfi, moneyAtPagarMe, moneyAtPsp } from "../../support/fakes/house-money.ts";
import { faultsOfCall } from "../../support/fakes/pagarme/judge.ts";
import { faultsOf } from "../efi-cobrancas/judge.ts";
import { LiveShop, PAGARME_AMOUNT_TO } from "./live-shop.ts";

/** The issuer declines it (Pagar.me's simulator). */
const DECLINED_CVV = "612";

let shop: LiveShop;

beforeAll(async () => {
  shop = await LiveShop.open();
});

afterAll(() => shop.close());

const chargeIdOf = ({ id }: { id: string }) => providerChargeId(id);

/** Waits until a charge has given back so much; answers what it has. */
async function givenBack(id: string, expected: number): Promise<number> {
  const read = async () => (await shop.charge(id)).refundedAmount;
  return shop.until(read, (amount) => amount === expected);
}

it("a PIX is paid, refunded in part and then wholly", async () => {
  const pix = await shop.sell("PIX", 10_000);
  const endToEndId = shop.psp.pay(chargeIdOf(pix));
  expect(await shop.status(pix.id, "PAID")).toBe("PAID");
  for (const [amount, sum] of [
    [4_000, 4_000],
    [undefined, 10_000],
  ] as const) {
    await shop.order("refund", pix.id, amount);
    const open = shop.psp.book.pix(endToEndId)!.devolucoes.at(-1)!;
    shop.psp.settleDevolucao(endToEndId, open.id, "DEVOLVIDO");
    expect(await givenBack(pix.id, sum)).toBe(sum);
  }
});

it("a boleto at Efí is paid at a bank or by its Pix, and another one is cancelled there", async () => {
  const [atBank, byPix, unwanted] = await Promise.all([
    shop.sell("BOLETO", 8_000),
    shop.sell("BOLETO", 9_000),
    shop.sell("BOLETO", 7_000),
  ]);
  expect(atBank.boleto.digitableLine).toMatch(/^\d{47}$/);
  shop.efi.pay(chargeIdOf(atBank));
  shop.efi.pay(chargeIdOf(byPix), { by: "pix" });
  expect(await shop.status(atBank.id, "PAID")).toBe("PAID");
  expect(await shop.status(byPix.id, "PAID")).toBe("PAID");
  expect((await shop.order("cancel", unwanted.id)).status).toBe("CANCELLED");
  expect(shop.efi.charge(chargeIdOf(unwanted)).status).toBe("canceled");
});

it("a card at Pagar.me is paid, refunded in part and then wholly", async () => {
  const card = await shop.sellByCard(10_000, { token: shop.pagarMeToken(), account: "pagarme" });
  expect(card.status).toBe("PAID");
  await shop.order("refund", card.id, 2_500);
  expect(await givenBack(card.id, 2_500)).toBe(2_500);
  await shop.order("refund", card.id);
  expect(await givenBack(card.id, 10_000)).toBe(10_000);
  expect(shop.pagarme.book.chargeOf(chargeIdOf(card)).status).toBe("canceled");
});

it("a card at Pagar.me is authorised, and captured in part or released", async () => {
  const held = () => ({ token: shop.pagarMeToken(), account: "pagarme", capture: false });
  const [taken, released] = [
    await shop.sellByCard(10_000, held()),
    await shop.sellByCard(6_000, held()),
  ];
  expect([taken.status, released.status]).toEqual(["AUTHORIZED", "AUTHORIZED"]);
  expect(await shop.order("capture", taken.id, 7_000)).toMatchObject({
    status: "PAID",
    paidAmount: 7_000,
  });
  expect((await shop.order("cancel", released.id)).status).toBe("CANCELLED");
});

it("a chargeback at Pagar.me is lost, and its money is gone", async () => {
  const card = await shop.sellByCard(5_000, { token: shop.pagarMeToken(), account: "pagarme" });
  shop.pagarme.chargeBack(chargeIdOf(card));
  expect(await shop.status(card.id, "REFUNDED")).toBe("REFUNDED");
  expect(await shop.charge(card.id)).toMatchObject({ refundedAmount: 5_000 });
});

it("a card beyond an account's amount is charged at the next one, and given back once credited", async () => {
  const amount = PAGARME_AMOUNT_TO + 1;
  const wrong = { card: { token: shop.pagarMeToken(), account: "pagarme" } };
  await expect(shop.sell("CREDIT_CARD", amount, wrong)).rejects.toThrow("card.account");
  const card = await shop.sellByCard(amount, { token: shop.efiToken(), account: "efi" });
  expect(card.status).toBe("PAID");
  await shop.order("refund", card.id, 1_000);
  shop.efi.pay(chargeIdOf(card));
  await shop.until(
    async () => shop.efi.openRefunds(chargeIdOf(card)).length,
    (count) => count === 1,
  );
  shop.efi.giveBack(chargeIdOf(card));
  expect(await givenBack(card.id, 1_000)).toBe(1_000);
});

it("a card that is declined is refused with its reason, at each house", async () => {
  const atEfi = { token: shop.efiToken("d"), account: "efi" };
  const atPagarMe = { token: shop.pagarMeToken(DECLINED_CVV), account: "pagarme" };
  expect(await shop.sellByCard(PAGARME_AMOUNT_TO + 1, atEfi)).toMatchObject({
    status: "REFUSED",
    failureReason: { code: "CARD_DECLINED" },
  });
  expect(await shop.sellByCard(5_000, atPagarMe)).toMatchObject({
    status: "REFUSED",
    failureReason: { code: "INSUFFICIENT_FUNDS" },
  });
});

it("the company changes its houses with open charges, which end where they are", async () => {
  const [pix, boleto] = [await shop.sell("PIX", 3_000), await shop.sell("BOLETO", 4_000)];
  const held = { token: shop.pagarMeToken(), account: "pagarme", capture: false };
  const card = await shop.sellByCard(5_000, held);

  await shop.openOtherPsp();
  await shop.change("psp", { state: "draining" });
  await shop.change("efi", { methods: ["CREDIT_CARD"] });
  await shop.change("pagarme", { methods: ["BOLETO"] });
  const [newPix, newBoleto] = [await shop.sell("PIX", 3_100), await shop.sell("BOLETO", 4_100)];
  const newCard = await shop.sellByCard(5_100, { token: shop.efiToken(), account: "efi" });

  shop.psp.pay(chargeIdOf(pix));
  shop.efi.pay(chargeIdOf(boleto));
  expect((await shop.order("capture", card.id)).status).toBe("PAID");
  shop.otherPsp.pay(chargeIdOf(newPix));
  shop.pagarme.payBoleto(chargeIdOf(newBoleto));
  for (const { id } of [pix, boleto, newPix, newBoleto, newCard])
    expect(await shop.status(id, "PAID")).toBe("PAID");
});

it("ledger, D1 and houses agree to the centavo in the end, and each request was the houses' own", async () => {
  const observed = await observe(shop.callers, shop.companyId);
  const booked = new Map<string, number>();
  for (const movement of observed.movements) {
    const id = movement.transactionId ?? "none";
    booked.set(id, (booked.get(id) ?? 0) + netExternalAmount(movement));
  }
  const { psp, otherPsp, efi, pagarme } = shop;
  const houses = [
    moneyAtPsp(psp.book),
    moneyAtPsp(otherPsp.book),
    moneyAtEfi(efi.book),
    moneyAtPagarMe(pagarme.book),
  ];
  const atHouses = (id: string) =>
    houses.reduce((sum, money) => sum + (money.get(providerChargeId(id)) ?? 0), 0);
  const ids = observed.transactions.map(({ id }) => id);
  expect(ids.map((id) => [id, booked.get(id) ?? 0])).toEqual(ids.map((id) => [id, atHouses(id)]));
  expect(booked.has("none")).toBe(false);
  expect(statementProblems(observed)).toEqual([]);
  expect(await verify(shop.callers, shop.companyId)).toEqual([]);
  expect(efi.exchanges.flatMap(faultsOf)).toEqual([]);
  expect([...new Set(pagarme.seen.flatMap(faultsOfCall))]).toEqual([]);
});
