import { expect, it } from "vitest";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { FakeEfi } from "../../support/fakes/efi-cobrancas/efi.ts";
import { PSP_KEY } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { FakePagarMe } from "../../support/fakes/pagarme/house.ts";
import { housesAgreementProblems, type Houses } from "../houses/check-houses-agreement.ts";
import type { Movement } from "../lib/observe.ts";
import type { Dispute } from "../psp/check-bank-agreement.ts";
import { observedOf } from "./observed.ts";

const PIX = "01a1fda4-5e00-8d2c-9f31-6b1f0c000001";
const CARD = "01a1fda4-5e00-8d2c-9f31-6b1f0d000001";
const CARD_CODE = providerChargeId(CARD);

interface World {
  houses: Houses;
  movements: Movement[];
  disputes: Dispute[];
}

/** A correct state: a PIX of 25.00, and a card of 90.00 at Efí of which 30.00 were given back. */
function given(): World {
  const houses = { psp: new FakePsp(), efi: new FakeEfi(), pagarme: new FakePagarMe() };
  const txid = providerChargeId(PIX);
  houses.psp.book.putCob("cob", txid, { chave: PSP_KEY, valor: { original: "25.00" } });
  houses.psp.pay(txid);
  sellByCard(houses.efi);
  houses.efi.pay(CARD_CODE);
  houses.efi.book.refund(houses.efi.charge(CARD_CODE), 3_000);
  houses.efi.giveBack(CARD_CODE);
  const movements = [
    movement("charge_paid", PIX, { fees: 10, available: 2_490 }),
    movement("charge_paid", CARD, { fees: 100, awaiting: 8_900 }),
    movement("refund_requested", CARD, { awaiting: -3_000, blocked: 3_000 }),
    movement("refund_done", CARD, { blocked: -3_000 }),
  ];
  return { houses, movements, disputes: [] };
}

/** An order of 90.00, and its card. */
function sellByCard({ book }: FakeEfi): void {
  const items = [{ name: crypto.randomUUID(), value: 9_000, amount: 1 }];
  const charge = book.create({ items, metadata: { custom_id: CARD_CODE } });
  const token = crypto.randomUUID().replaceAll("-", "").padEnd(40, "0");
  const customer = { name: "Maria da Silva", cpf: "52998224725" };
  const card = { customer, payment_token: `a${token.slice(1)}` };
  book.definePayment(charge, { payment: { credit_card: card } });
}

function movement(type: string, id: string, postings: Movement["postings"]): Movement {
  return { type, transactionId: id, withdrawId: null, postings };
}

function problemsIn({ houses, movements, disputes }: World): string[] {
  const stored = { disputes, openRefunds: new Map([["one", "one"]]) };
  return housesAgreementProblems(houses, observedOf(movements), stored).problems;
}

function change(world: World, type: string, times: number): World {
  const movements = world.movements.flatMap((one) =>
    one.type === type ? Array.from({ length: times }, () => one) : [one],
  );
  return { ...world, movements };
}

it("books that agree with the bank and both houses have no problem", () => {
  expect(problemsIn(given())).toEqual([]);
});

it.each([
  ["payments that are not booked", "charge_paid", 0, `lost: ${PIX}: its house has 2500 of it`],
  [
    "payments booked twice",
    "charge_paid",
    2,
    `lost: ${CARD}: its house has 6000 of it, we have 15`,
  ],
  ["a refund without its end", "refund_done", 0, "wrong: 3000 are blocked (one)"],
  ["a refund that ended twice", "refund_done", 2, `lost: ${CARD}: its house has 6000 of it, we`],
])("%s are found", (_name, type, times, symptom) => {
  expect(problemsIn(change(given(), type, times)).join("\n")).toContain(symptom);
});

it("a card that was charged twice is found, also where the second one is booked", () => {
  const world = given();
  sellByCard(world.houses.efi);
  const second = movement("charge_paid", CARD, { fees: 100, awaiting: 8_900 });
  const problems = problemsIn({ ...world, movements: [...world.movements, second] });
  expect(problems).toEqual([`doubled: ${CARD} was made 2 times`]);
});

it.each([
  ["all of it is named", 9_000, []],
  ["more than is named is lost", 8_999, [expect.stringContaining(`lost: ${CARD}`)]],
])("a difference that a contradiction names: %s", (_name, amount, expected) => {
  const world = given();
  sellByCard(world.houses.efi);
  const object = `charge:${CARD_CODE}`;
  const disputes = [{ object, text: "paid", amount }];
  const problems = problemsIn({ ...world, disputes });
  expect(problems.filter((problem) => !problem.startsWith("doubled"))).toEqual(expected);
});
