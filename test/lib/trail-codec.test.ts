import { expect, test } from "vitest";
import { packTrail, unpackTrail, type TrailRow } from "../../src/company/trail-codec.ts";
import type { TrailEntry } from "../../src/domain/trail.ts";

const PAID_AT = 1_795_302_086_850;
const END_TO_END_ID = "E00000000202611212301pyq8djnbirg";

const PAID_ROW: TrailRow = {
  status: "paid",
  updatedAt: PAID_AT + 17,
  paidAt: PAID_AT,
  paidAmount: 2_500,
  endToEndId: END_TO_END_ID,
  paymentId: null,
};

const PAID: TrailEntry = {
  at: PAID_AT + 17,
  from: "waiting_payment",
  to: "paid",
  cause: { kind: "payment", id: END_TO_END_ID, amount: 2_500, paidAt: PAID_AT, expected: true },
  movement: 41,
  event: { type: "transaction.paid", companySequence: 43, sequence: 1 },
};

const EXPIRED: TrailEntry = {
  at: PAID_AT - 60_000,
  from: "waiting_payment",
  to: "cancelled",
  cause: { kind: "expiry" },
  movement: 0,
  event: { type: "transaction.cancelled", companySequence: 2, sequence: 1 },
};

const REFUND: TrailEntry = {
  at: PAID_AT + 90_000,
  from: "paid",
  to: "refunded",
  cause: { kind: "refund", id: "r-1", amount: 2_500, status: "DONE", reason: null },
  movement: 60,
  event: { type: "transaction.refunded", companySequence: 77, sequence: 2 },
};

test("of a charge that was paid once the trail says only the movement and the event", () => {
  expect(packTrail([PAID], PAID_ROW)).toBe("[[41,43]]");
});

test("of a charge that expired it adds why", () => {
  const row: TrailRow = {
    ...PAID_ROW,
    status: "cancelled",
    updatedAt: EXPIRED.at,
    paidAt: null,
    paidAmount: 0,
    endToEndId: null,
  };

  expect(packTrail([EXPIRED], row)).toBe('[[0,2,{"cause":{"kind":"expiry"}}]]');
});

test.each<[string, TrailRow, TrailEntry[]]>([
  ["nothing", PAID_ROW, []],
  ["a first payment", PAID_ROW, [PAID]],
  [
    "a card, which is paid by a sale",
    { ...PAID_ROW, endToEndId: null, paymentId: "sale-1" },
    [
      { ...EXPIRED, to: "authorized", cause: { kind: "authorization" }, event: null },
      {
        ...PAID,
        from: "authorized",
        cause: { ...PAID.cause, id: "sale-1" } as TrailEntry["cause"],
      },
    ],
  ],
  [
    "a payment that came late, a second one set aside and a refund in parts",
    { ...PAID_ROW, status: "refunded", updatedAt: REFUND.at },
    [
      EXPIRED,
      { ...PAID, from: "cancelled", event: { ...PAID.event!, sequence: 2 } },
      {
        ...PAID,
        from: "paid",
        at: PAID_AT + 20,
        cause: { ...PAID.cause, id: "E2", expected: false } as TrailEntry["cause"],
        event: null,
      },
      {
        ...REFUND,
        at: REFUND.at - 1,
        to: "paid",
        event: { type: "transaction.partially_refunded", companySequence: 76, sequence: 3 },
      },
      { ...REFUND, event: { ...REFUND.event!, sequence: 4 } },
    ],
  ],
  [
    "a charge that had events before trails were kept",
    { ...PAID_ROW, status: "refunded", updatedAt: REFUND.at },
    [REFUND],
  ],
])("the trail of %s comes back as it was", (_what, row, trail) => {
  expect(unpackTrail(packTrail(trail, row), row)).toEqual(trail);
});

test("entries in full, as older rows hold them, read as themselves", () => {
  const later = { ...PAID_ROW, status: "refunded" as const, updatedAt: REFUND.at };

  expect(unpackTrail(JSON.stringify([PAID, REFUND]), later)).toEqual([PAID, REFUND]);
  expect(packTrail([PAID, REFUND], later).length).toBeLessThan(
    JSON.stringify([PAID, REFUND]).length / 2,
  );
});
