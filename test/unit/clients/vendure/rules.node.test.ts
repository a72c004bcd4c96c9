import { describe, expect, test } from "vitest";
import { KeyedQueue } from "../../../../clients/vendure/src/queue.ts";
import { refusalOf, type Facts } from "../../../../clients/vendure/src/rules.ts";
import { reais, sayToShopper } from "../../../../clients/vendure/src/texts.ts";

const DUE = { orderCode: "P1", amount: 2_500, currencyCode: "BRL" };
const PAID: Facts = {
  status: "PAID",
  paidAmount: 2_500,
  refundedAmount: 0,
  currency: "BRL",
  externalRef: "P1",
};

describe("what pays an order", () => {
  test("all of the amount, in reais, for this order, with nothing given back", () => {
    expect(refusalOf(PAID, DUE)).toBeNull();
  });

  const REFUSED: [string, Partial<Facts>, string][] = [
    ["another order's", { externalRef: "P2" }, "otherOrder"],
    ["no order's", { externalRef: "" }, "otherOrder"],
    ["unpaid", { status: "WAITING_PAYMENT", paidAmount: null }, "notPaid"],
    ["authorized", { status: "AUTHORIZED", paidAmount: null }, "notPaid"],
    ["cancelled", { status: "CANCELLED", paidAmount: null }, "notPaid"],
    ["one centavo less", { paidAmount: 2_499 }, "partlyPaid"],
    ["one centavo more", { paidAmount: 2_501 }, "wrongAmount"],
    ["refunded", { status: "REFUNDED", refundedAmount: 2_500 }, "refunded"],
    ["refunded in part", { refundedAmount: 1 }, "refunded"],
    ["in dollars", { currency: "USD" }, "currency"],
  ];
  test.each(REFUSED)("not a transaction that is %s", (_name, change, refusal) => {
    expect(refusalOf({ ...PAID, ...change }, DUE)).toBe(refusal);
  });

  test("not an order in another currency, whose cents are not centavos", () => {
    expect(refusalOf(PAID, { ...DUE, currencyCode: "USD" })).toBe("currency");
  });
});

test("a shopper reads Portuguese or English", () => {
  expect(sayToShopper("pt_BR", "notPaid")).toBe("O pagamento ainda não chegou.");
  expect(sayToShopper("de", "notPaid")).toBe("The payment has not arrived yet.");
  expect(reais(123_456)).toBe("R$ 1.234,56");
});

test("work for one order is done one after the other, whatever fails", async () => {
  const queue = new KeyedQueue();
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const first = queue.run("a", async () => {
    await slow.promise;
    done.push("first");
    throw new Error("first");
  });
  const second = queue.run("a", async () => void done.push("second"));
  await queue.run("b", async () => void done.push("other"));
  expect(done).toEqual(["other"]);
  slow.resolve();
  await expect(first).rejects.toThrow("first");
  await second;
  expect(done).toEqual(["other", "first", "second"]);
});
