import { describe, expect, test } from "vitest";
import { timingSafeEqual, sha256Hex } from "../../../src/lib/hash.ts";

/** FIPS 180-4, the example of SHA-256. */
const DIGEST_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("sha256Hex", () => {
  test("gives the digest of the standard's example", async () => {
    expect(await sha256Hex("abc")).toBe(DIGEST_OF_ABC);
  });

  test("keeps leading zeros, so that every digest has 64 digits", async () => {
    expect(await sha256Hex("886")).toMatch(/^000f[0-9a-f]{60}$/);
  });

  test("digests the UTF-8 bytes of a text", async () => {
    expect(await sha256Hex("é")).toBe(
      "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c",
    );
  });
});

describe("timingSafeEqual", () => {
  test("accepts equal digests", () => {
    expect(timingSafeEqual(DIGEST_OF_ABC, DIGEST_OF_ABC)).toBe(true);
  });

  test("rejects a digest that differs in any digit", () => {
    for (let at = 0; at < DIGEST_OF_ABC.length; at++) {
      const digit = DIGEST_OF_ABC[at] === "0" ? "1" : "0";
      const other = DIGEST_OF_ABC.slice(0, at) + digit + DIGEST_OF_ABC.slice(at + 1);
      expect(timingSafeEqual(DIGEST_OF_ABC, other), `digit ${at}`).toBe(false);
    }
  });

  test.each([
    ["shorter", DIGEST_OF_ABC.slice(0, -1)],
    ["longer", `${DIGEST_OF_ABC}0`],
    ["empty", ""],
  ])("rejects a %s digest", (_length, other) => {
    expect(timingSafeEqual(DIGEST_OF_ABC, other)).toBe(false);
    expect(timingSafeEqual(other, DIGEST_OF_ABC)).toBe(false);
  });
});
