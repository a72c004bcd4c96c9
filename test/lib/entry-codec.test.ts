import { expect, test } from "vitest";
import {
  packEntry,
  unpackEntry,
  type Elsewhere,
  type EntryRow,
} from "../../src/company/entry-codec.ts";
import type { TransactionEntry } from "../../src/domain/outbox.ts";
import { initialChargeState } from "../../src/domain/transaction.ts";

const NOW = 1_795_302_086_867;
const ID = "01a20057-d8b3-8381-bdb8-2f0180000001";
const CREDIT = {
  paidAt: NOW - 17,
  paidAmount: 2_500,
  endToEndId: "E00000000202611212301pyq8djnbirg",
};
const ROW: EntryRow = { createdAt: NOW, transactionId: ID, withdrawId: null, events: 41 };
const NOTE: EntryRow = { ...ROW, transactionId: null };

const PAID: TransactionEntry = {
  kind: "transaction",
  transactionId: ID,
  state: { ...initialChargeState(NOW), status: "paid", version: 1, ...CREDIT },
  event: {
    type: "transaction.paid",
    companySequence: 41,
    sequence: 1,
    previousStatus: "waiting_payment",
    timestamp: NOW,
  },
};

/** An object in which the charge has its credit by now. */
const credited: Elsewhere = {
  creditOf: () => ({ ...CREDIT }),
  withdrawOf: () => expect.unreachable("it is not about a withdraw"),
};

test("of a first payment nothing is left that its row and its charge do not say", () => {
  expect(packEntry(PAID, ROW)).toBe("{}");
});

test.each<[string, TransactionEntry, EntryRow]>([
  ["a first payment", PAID, ROW],
  ["one that nobody is told of", { ...PAID, event: null }, ROW],
  ["one that is noted apart from its movement", PAID, NOTE],
  [
    "a refund",
    {
      ...PAID,
      state: { ...PAID.state, status: "refunded", version: 2, refundedAmount: 2_500 },
      event: { ...PAID.event!, type: "transaction.refunded", sequence: 2, previousStatus: "paid" },
    },
    ROW,
  ],
  [
    "a cancel whose charge was paid before D1 was told",
    {
      ...PAID,
      state: { ...initialChargeState(NOW), status: "cancelled", cancelReason: "EXPIRED" },
      event: { ...PAID.event!, type: "transaction.cancelled" },
    },
    NOTE,
  ],
])("the entry of %s comes back as it was", (_what, entry, row) => {
  expect(unpackEntry(packEntry(entry, row), row, credited)).toEqual(entry);
});

test("an entry that says its credit itself, as older rows do, reads as before", () => {
  const stored = JSON.stringify({ state: CREDIT, event: {} });

  expect(unpackEntry(stored, ROW, credited)).toEqual(PAID);
});
