import { describe, expect, it } from "vitest";
import { CHARGE_STATUSES } from "../../../../src/domain/charges/charge-status.ts";
import {
  erasureStep,
  hasEnded,
  type ErasableCharge,
} from "../../../../src/domain/charges/payer-erasure.ts";

const DAY_MS = 24 * 60 * 60_000;
const NOW = 1_000 * DAY_MS;
const MINUTE_MS = 60_000;

const ended: ErasableCharge = {
  status: "paid",
  answeredAt: 1,
  updatedAt: NOW - 10 * DAY_MS,
  refunds: [],
  dispute: null,
};
const refund = { id: "r", amount: 1, createdAt: 1 };
const dispute = { id: "d", amount: 1, createdAt: 1 };

describe("a charge has ended", () => {
  it.each(CHARGE_STATUSES)("in the status %s, or not", (status) => {
    const isOpen = ["creating", "waiting_payment", "authorized"].includes(status);
    expect(hasEnded({ ...ended, status })).toBe(!isOpen);
  });

  it("not while its create runs", () => {
    expect(hasEnded({ ...ended, status: "failed", answeredAt: null })).toBe(false);
  });

  it("not while a refund is under way", () => {
    expect(hasEnded({ ...ended, refunds: [{ ...refund, status: "PENDING" }] })).toBe(false);
    expect(hasEnded({ ...ended, refunds: [{ ...refund, status: "DONE" }] })).toBe(true);
  });

  it("not while a dispute is open", () => {
    expect(hasEnded({ ...ended, dispute: { ...dispute, status: "OPEN" } })).toBe(false);
    expect(hasEnded({ ...ended, dispute: { ...dispute, status: "LOST" } })).toBe(true);
  });
});

describe("a due erasure", () => {
  const request = { reason: "request", erasedAt: null } as const;
  const retention = { reason: "retention", erasedAt: null } as const;
  const open: ErasableCharge = { ...ended, status: "waiting_payment" };

  it("is done, and again ten minutes later for what was in flight", () => {
    expect(erasureStep(request, ended, null, NOW)).toEqual({
      kind: "erase",
      again: NOW + 10 * MINUTE_MS,
    });
    expect(erasureStep({ ...request, erasedAt: NOW }, ended, null, NOW)).toEqual({
      kind: "erase",
      again: null,
    });
  });

  it("waits for the charge's end", () => {
    expect(erasureStep(request, open, null, NOW)).toEqual({
      kind: "wait",
      until: NOW + 60 * MINUTE_MS,
    });
    expect(erasureStep(retention, open, 120, NOW)).toEqual({ kind: "wait", until: NOW + DAY_MS });
  });

  it("of the retention waits for its days after the end", () => {
    expect(erasureStep(retention, ended, 120, NOW)).toEqual({
      kind: "wait",
      until: ended.updatedAt + 120 * DAY_MS,
    });
    expect(erasureStep(retention, ended, 10, NOW)).toMatchObject({ kind: "erase" });
  });

  it("of the retention is dropped when the setting was taken back", () => {
    expect(erasureStep(retention, ended, null, NOW)).toEqual({ kind: "drop" });
  });
});
