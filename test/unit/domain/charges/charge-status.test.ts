import { describe, expect, test } from "vitest";
import {
  canTransitionCharge,
  CHARGE_STATUSES,
  CREATE_STATUSES,
  toCreateStatus,
  DETAIL_STATUSES,
  toDetailStatus,
  LIST_STATUSES,
  toListStatus,
  toPaymentSystem,
  type ChargeStatus,
} from "../../../../src/domain/charges/charge-status.ts";

/** The transitions of docs/states.md, written out again: all others are forbidden. */
const ALLOWED_TRANSITIONS = new Set([
  "creating -> waiting_payment",
  "creating -> authorized",
  "creating -> paid",
  "creating -> refused",
  "creating -> failed",
  "waiting_payment -> paid",
  "waiting_payment -> authorized",
  "waiting_payment -> refused",
  "waiting_payment -> cancelled",
  "waiting_payment -> failed",
  "authorized -> paid",
  "authorized -> cancelled",
  "paid -> refunded",
  "cancelled -> paid",
  "failed -> paid",
]);

const EVERY_PAIR = CHARGE_STATUSES.flatMap((from) =>
  CHARGE_STATUSES.map((to) => ({ from, to, allowed: ALLOWED_TRANSITIONS.has(`${from} -> ${to}`) })),
);

describe("a charge follows the transition table", () => {
  test.each(EVERY_PAIR.filter((pair) => pair.allowed))("$from may become $to", ({ from, to }) => {
    expect(canTransitionCharge(from, to)).toBe(true);
  });

  test.each(EVERY_PAIR.filter((pair) => !pair.allowed))(
    "$from never becomes $to",
    ({ from, to }) => {
      expect(canTransitionCharge(from, to)).toBe(false);
    },
  );

  test("every allowed transition is between known statuses", () => {
    expect(EVERY_PAIR.filter((pair) => pair.allowed)).toHaveLength(ALLOWED_TRANSITIONS.size);
  });
});

describe("each view of the contract has its own status names", () => {
  test.each<[ChargeStatus, string, string, string]>([
    ["creating", "WAITING_PAYMENT", "PENDING", "Awaiting"],
    ["waiting_payment", "WAITING_PAYMENT", "PENDING", "Awaiting"],
    ["authorized", "AUTHORIZED", "PENDING", "Awaiting"],
    ["paid", "PAID", "PAID", "Paid"],
    ["refused", "REFUSED", "FAILED", "Failed"],
    ["failed", "FAILED", "FAILED", "Failed"],
    ["cancelled", "CANCELLED", "CANCELLED", "Cancelled"],
    ["refunded", "REFUNDED", "REFUNDED", "Refunded"],
  ])("%s is %s, %s in lists and %s in the detail", (status, creation, list, detail) => {
    expect([toCreateStatus(status), toListStatus(status), toDetailStatus(status)]).toEqual([
      creation,
      list,
      detail,
    ]);
  });

  test("each view shows every status that it declares", () => {
    expect(shownStatuses(toCreateStatus)).toEqual(new Set(CREATE_STATUSES));
    expect(shownStatuses(toListStatus)).toEqual(new Set(LIST_STATUSES));
    expect(shownStatuses(toDetailStatus)).toEqual(new Set(DETAIL_STATUSES));
  });
});

test.each([
  ["PIX", "Pix"],
  ["BOLETO", "Boleto"],
  ["CREDIT_CARD", "CreditCard"],
] as const)("the detail record names %s %s", (method, word) => {
  expect(toPaymentSystem(method)).toBe(word);
});

function shownStatuses(vocabulary: (status: ChargeStatus) => string): Set<string> {
  return new Set(CHARGE_STATUSES.map(vocabulary));
}
