import { describe, expect, it } from "vitest";
import {
  endToEndKey,
  isEndToEndId,
  isOtherPixKey,
  isSameRefundId,
  isSameTxid,
  ourChargeId,
  ourPayoutId,
  ourRefundId,
  nextTwin,
} from "../../../../src/domain/psp/psp-ids.ts";

const OURS = "0199a3b4c5d67e8f90a1b2c3d4e5f607";
const UUID = "0199a3b4-c5d6-7e8f-90a1-b2c3d4e5f607";
const E2E = "E12345678202611211200aBcdEfGhIjK";

describe("our own ids", () => {
  it("are found in any letter case, because a PSP may change it", () => {
    for (const written of [OURS, OURS.toUpperCase()]) {
      expect(ourChargeId(written)).toBe(OURS);
      expect(ourRefundId(written)).toBe(OURS);
      expect(ourPayoutId(written)).toBe(UUID);
      expect(isSameTxid(written, OURS)).toBe(true);
      expect(isSameRefundId(OURS, written)).toBe(true);
    }
  });

  it("are not found in ids of another layout", () => {
    for (const other of ["", "D1", UUID, OURS.slice(1), `${OURS}0`, OURS.replace("a", "g")]) {
      expect([ourChargeId(other), ourRefundId(other), ourPayoutId(other)]).toEqual([
        null,
        null,
        null,
      ]);
    }
  });
});

it("ids of others are told apart by letter case, as BACEN's patterns allow", () => {
  expect(isSameTxid("PedidoA1", "PedidoA1")).toBe(true);
  expect(isSameTxid("PedidoA1", "pedidoa1")).toBe(false);
  expect(isSameRefundId("D1a", "D1A")).toBe(false);
});

it("an end-to-end id has letters and digits", () => {
  expect([E2E, "E1", "x".repeat(64)].map(isEndToEndId)).toEqual([true, true, true]);
  expect(["", "E-1", "E/1", "é", "x".repeat(65)].map(isEndToEndId)).toEqual(Array(5).fill(false));
});

it("twins of an end-to-end id share their key", () => {
  expect(endToEndKey(E2E)).toBe(endToEndKey(E2E.toUpperCase()));
});

it.each([
  ["", "E1A"],
  ["A", "E1A"],
  ["E0z", "E1A"],
  ["E1", "E1A"],
  ["E1A", "E1a"],
  ["E1AZ", "E1a"],
  ["E1a", "e1A"],
  ["E2", "e1A"],
  ["e1A", "e1a"],
  ["e1a", null],
  ["past", null],
])("the next twin of e1A after %j is %j", (after, twin) => {
  expect(nextTwin("e1A", after)).toBe(twin);
});

it("the twins of an id follow each other in the order of bytes", () => {
  const twins: string[] = [];
  for (let twin = nextTwin("aB1c", ""); twin !== null; twin = nextTwin("aB1c", twin))
    twins.push(twin);
  expect(twins).toEqual(["AB1C", "AB1c", "Ab1C", "Ab1c", "aB1C", "aB1c", "ab1C", "ab1c"]);
});

it("a PIX key is the same in another case and punctuation", () => {
  expect(isOtherPixKey("11.222.333/0001-81", "11222333000181")).toBe(false);
  expect(isOtherPixKey("CAIXA@loja.com", "caixa@loja.com")).toBe(false);
  expect(isOtherPixKey("", "caixa@loja.com")).toBe(false);
  expect(isOtherPixKey("outra@loja.com", "caixa@loja.com")).toBe(true);
});
