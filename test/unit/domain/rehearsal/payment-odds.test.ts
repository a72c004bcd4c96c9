import { expect, it } from "vitest";
import {
  ENOUGH_ENDED,
  paymentOdds,
  type EndedCharges,
  type OpenCharges,
} from "../../../../src/domain/rehearsal/payment-odds.ts";

const METHOD = "BOLETO";

/** Open charges of these amounts. */
const open = (...amounts: number[]): OpenCharges => ({
  paymentMethod: METHOD,
  lastDay: "2026-12-10",
  isDue: true,
  fees: 0,
  gross: amounts.reduce((sum, amount) => sum + amount, 0),
  squares: amounts.reduce((sum, amount) => sum + amount ** 2, 0),
});

const many = open(...Array.from({ length: 1_000 }, () => 5_000));

it(`says that fewer than ${ENOUGH_ENDED} charges are too few, and takes the whole range`, () => {
  const past = [
    { daysEarly: 2, count: ENOUGH_ENDED - 2 },
    { daysEarly: null, count: 1 },
  ];
  expect(paymentOdds(METHOD, past, [many])).toEqual({
    paymentMethod: METHOD,
    ended: ENOUGH_ENDED - 1,
    paid: ENOUGH_ENDED - 2,
    isEnough: false,
    worst: { share: 0, daysEarly: 0 },
    expected: { share: 0, daysEarly: 0 },
    best: { share: 1, daysEarly: null },
  });
  expect(paymentOdds(METHOD, [], [])).toMatchObject({ ended: 0, paid: 0, isEnough: false });
});

it("expects the share that was paid, on the day in the middle", () => {
  const past = [
    { daysEarly: 6, count: 8 },
    { daysEarly: 1, count: 45 },
    { daysEarly: -2, count: 27 },
    { daysEarly: null, count: 20 },
  ];
  const odds = paymentOdds(METHOD, past, [many]);
  expect(odds).toMatchObject({ ended: 100, paid: 80, isEnough: true });
  expect(odds.expected).toEqual({ share: 0.8, daysEarly: 1 });
  // Wilson's interval of 80 of 100: 0.711 to 0.867.
  expect(odds.worst.share).toBeCloseTo(0.711, 3);
  expect(odds.best.share).toBeCloseTo(0.867, 3);
  expect([odds.best.daysEarly, odds.worst.daysEarly]).toEqual([6, -2]);
});

it.each<[name: string, charges: OpenCharges[], low: number, high: number]>([
  ["many equal ones: the past alone is unsure", [many], 0.771, 0.826],
  ["ten equal ones", [open(...Array.from({ length: 10 }, () => 900))], 0.49, 0.943],
  ["one", [open(5_000)], 0.132, 0.991],
  [
    "one large and many small ones are hardly more than one",
    [open(100_000_000), many],
    0.144,
    0.99,
  ],
  ["none", [], 0.771, 0.826],
])("widens the range for few open charges: %s", (_name, charges, low, high) => {
  const past = [
    { daysEarly: 0, count: 640 },
    { daysEarly: null, count: 160 },
  ];
  const { worst, expected, best } = paymentOdds(METHOD, past, charges);
  expect(expected.share).toBe(0.8);
  expect(worst.share).toBeCloseTo(low, 2);
  expect(best.share).toBeCloseTo(high, 2);
});

it.each<[name: string, past: EndedCharges[], share: number]>([
  ["everybody paid", [{ daysEarly: 0, count: 50 }], 1],
  ["nobody paid", [{ daysEarly: null, count: 50 }], 0],
])("keeps the shares within 0 and 1 where %s", (_name, past, share) => {
  const { worst, expected, best } = paymentOdds(METHOD, past, [many]);
  expect(expected.share).toBe(share);
  expect(worst.share).toBeGreaterThanOrEqual(0);
  expect(worst.share).toBeLessThanOrEqual(share);
  expect(best.share).toBeGreaterThanOrEqual(share);
  expect(best.share).toBeLessThanOrEqual(1);
});
