import { describe, expect, test } from "vitest";
import { CHARGE_STATUSES, type ChargeStatus } from "../../../src/domain/charges/charge-status.ts";
import { EXAMPLE_TRANSACTION } from "../../../src/domain/events/api-examples.ts";
import type { TransactionRecord } from "../../../src/domain/charges/transaction.ts";
import { withExpiryApplied } from "../../../src/methods/expired-view.ts";
import { checkoutView, detailView, listItemView } from "../../../src/methods/transaction-view.ts";

const EXPIRES_AT = Date.parse("2026-11-22T12:00:00.000Z");
const CREATED_AT = EXPIRES_AT - 86_400_000;

function charge(overrides: Partial<TransactionRecord> = {}): TransactionRecord {
  return {
    ...EXAMPLE_TRANSACTION,
    status: "waiting_payment",
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
    ...overrides,
  };
}

const OPEN: ChargeStatus[] = ["creating", "waiting_payment"];

describe("a charge in a view", () => {
  test.each(OPEN)("is open (%s) until the millisecond before its expiry", (status) => {
    const record = charge({ status });
    for (const now of [CREATED_AT - 1, CREATED_AT, EXPIRES_AT - 1]) {
      expect(withExpiryApplied(record, now)).toBe(record);
    }
  });

  test.each(OPEN)("is cancelled (%s) from its expiry on, with reason EXPIRED", (status) => {
    const record = charge({ status });
    for (const now of [EXPIRES_AT, EXPIRES_AT + 1, EXPIRES_AT * 2]) {
      expect(withExpiryApplied(record, now)).toStrictEqual({
        ...record,
        status: "cancelled",
        cancelReason: "EXPIRED",
        updatedAt: EXPIRES_AT,
      });
    }
  });

  test("was never changed before its last change", () => {
    const record = charge({ updatedAt: EXPIRES_AT + 5 });
    expect(withExpiryApplied(record, EXPIRES_AT + 10).updatedAt).toBe(EXPIRES_AT + 5);
  });

  test("is always open without an expiry", () => {
    const record = charge({ expiresAt: null });
    expect(withExpiryApplied(record, Number.MAX_SAFE_INTEGER)).toBe(record);
  });

  test.each(CHARGE_STATUSES.filter((status) => !OPEN.includes(status)))(
    "no longer expires when it is %s",
    (status) => {
      const record = charge({ status, cancelReason: status === "cancelled" ? "REQUESTED" : null });
      expect(withExpiryApplied(record, EXPIRES_AT * 2)).toBe(record);
    },
  );

  test("leaves the stored charge unchanged", () => {
    const record = Object.freeze(charge());
    withExpiryApplied(record, EXPIRES_AT);
    expect(record.status).toBe("waiting_payment");
  });

  test("past its expiry has the cancelled status of every view", () => {
    const shown = withExpiryApplied(charge(), EXPIRES_AT);
    expect(detailView(shown)).toMatchObject({
      enStatusTransaction: "Cancelled",
      updateDate: "2026-11-22T12:00:00.000+00:00",
    });
    expect(listItemView(shown)).toMatchObject({
      status: "CANCELLED",
      updatedAt: "2026-11-22T12:00:00.000Z",
    });
    expect(checkoutView(shown)).toMatchObject({
      status: "CANCELLED",
      expiresAt: "2026-11-22T12:00:00.000Z",
      paidAt: null,
    });
  });
});
