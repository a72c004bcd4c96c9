import { assert as always, property, string, stringMatching } from "fast-check";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../src/domain/hex.ts";
import { packEndToEndId, unpackEndToEndId } from "../../src/domain/end-to-end-id.ts";

it("is kept as 17 bytes and comes back, whatever its digits and letters", () => {
  const ids = stringMatching(/^E[0-9]{20}[0-9A-Za-z]{11}$/);
  always(
    property(ids, (id) => {
      const packed = packEndToEndId(id);
      expect(packed).toHaveLength(17);
      expect(unpackEndToEndId(packed)).toBe(id);
    }),
  );
  for (const id of [`E${"0".repeat(31)}`, `E${"9".repeat(20)}${"z".repeat(11)}`]) {
    expect(unpackEndToEndId(packEndToEndId(id))).toBe(id);
  }
});

it("of another layout is kept as it is, of any length", () => {
  const printable = string({ unit: "grapheme-ascii", maxLength: 40 });
  always(
    property(printable, (text) => {
      expect(unpackEndToEndId(packEndToEndId(text))).toBe(text);
    }),
  );
  expect(packEndToEndId("E9")).toEqual(Uint8Array.of(0x45, 0x39));
});

it("is read as older rows have it: as text", () => {
  const id = "E00000000202611212301pyq8djnbirg";
  expect(unpackEndToEndId(new TextEncoder().encode(id))).toBe(id);
});

it("is always read as it is read today", () => {
  const stored = bytesOfHex("000000008512e2e532eba267ea7d9bfeb8");
  expect(unpackEndToEndId(stored)).toBe("E00000000202611212301pyq8djnbirg");
});

it("that begins with a control character is refused: it could be read as another", () => {
  expect(() => packEndToEndId("\u0001 seventeen chars")).toThrow(RangeError);
});
