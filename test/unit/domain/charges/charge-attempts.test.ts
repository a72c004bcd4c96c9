import { expect, it } from "vitest";
import {
  ATTEMPTS_MAX,
  providerChargeId,
  transactionOfCharge,
} from "../../../../src/domain/charges/transaction.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  createdAtOfTransactionId,
  newTransactionId,
  newUuid,
} from "../../../../src/domain/shared/ids.ts";

const NOW = Date.parse("2026-11-29T12:00:00Z");

it("each attempt has an id of its own, which names its transaction, company and time", () => {
  const id = newTransactionId(77, NOW, systemRandom);
  const attempts = Array.from({ length: ATTEMPTS_MAX }, (_, index) => index + 1);
  const chargeIds = attempts.map((attempt) => providerChargeId(id, attempt));
  expect(new Set(chargeIds).size).toBe(ATTEMPTS_MAX);
  expect(chargeIds[0]).toBe(id.replaceAll("-", ""));
  for (const [index, chargeId] of chargeIds.entries()) {
    expect(chargeId).toMatch(/^[0-9a-f]{32}$/);
    expect(transactionOfCharge(chargeId)).toEqual({ id, companyId: 77, attempt: index + 1 });
    expect(createdAtOfTransactionId(chargeId)).toBe(NOW);
  }
});

it("no refund's id, and no other text, names a charge", () => {
  const refundId = newUuid(systemRandom).replaceAll("-", "");
  for (const text of [refundId, "", "x".repeat(32), "0".repeat(32)])
    expect(transactionOfCharge(text)).toBeNull();
});
