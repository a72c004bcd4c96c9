import { expect, test } from "vitest";
import {
  transactionEventType,
  withdrawEventType,
} from "../../../../src/domain/events/event-types.ts";

test.each([
  ["creating", null],
  ["waiting_payment", null],
  ["authorized", "transaction.authorized"],
  ["paid", "transaction.paid"],
  ["refused", "transaction.refused"],
  ["failed", "transaction.failed"],
  ["cancelled", "transaction.cancelled"],
  ["refunded", "transaction.refunded"],
] as const)("a transaction that becomes %s is announced as %s", (status, type) => {
  expect(transactionEventType(status)).toBe(type);
});

test.each([
  ["Awaiting", null],
  ["Processing", "withdraw.processing"],
  ["Paid", "withdraw.paid"],
  ["Failed", "withdraw.failed"],
  ["Cancelled", "withdraw.cancelled"],
  ["Returned", "withdraw.returned"],
] as const)("a withdraw that becomes %s is announced as %s", (status, type) => {
  expect(withdrawEventType(status)).toBe(type);
});
