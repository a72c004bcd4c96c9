import { describe, expect, test } from "vitest";
import { systemRandom, type RandomSource } from "../../../../src/domain/shared/clock.ts";
import {
  companyIdOfTransactionId,
  payerUuidOf,
  MAX_COMPANY_ID,
  newTransactionId,
  newUuid,
  createdAtOfTransactionId,
} from "../../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { forAll, onlyBit } from "../../../support/builders/requests/property.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const LAST_MILLISECOND_OF_48_BITS = 2 ** 48 - 1;
const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** BACEN Pix API 2.9.0, `cob` and `cobv`. */
const TXID = /^[a-zA-Z0-9]{26,35}$/;

test("a transaction id is a UUID of version 8 that resolves to its company", () => {
  forAll(500, (random) => {
    const companyId = random.integer(1, MAX_COMPANY_ID);
    const id = newTransactionId(companyId, random.integer(0, LAST_MILLISECOND_OF_48_BITS), random);
    expect(id).toMatch(UUID_V8);
    expect(companyIdOfTransactionId(id)).toBe(companyId);
  });
});

test("an id can contain the smallest and the largest company number", () => {
  for (const companyId of [1, 255, 256, 65_535, 65_536, MAX_COMPANY_ID]) {
    expect(companyIdOfTransactionId(newTransactionId(companyId, NOW, systemRandom))).toBe(
      companyId,
    );
  }
});

test("rejects a company number that is too large for an id", () => {
  expect(() => newTransactionId(MAX_COMPANY_ID + 1, NOW, systemRandom)).toThrow();
});

test("an id contains its milliseconds, so that later ids sort after earlier ones", () => {
  forAll(500, (random) => {
    const earlier = random.integer(0, LAST_MILLISECOND_OF_48_BITS - 1);
    const later = random.integer(earlier + 1, LAST_MILLISECOND_OF_48_BITS);
    const id = newTransactionId(1, earlier, random);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(earlier);
    expect(id < newTransactionId(1, later, random)).toBe(true);
  });
});

test("fifty bits of an id are random", () => {
  expect(countFreeBits((random) => newTransactionId(1, NOW, random))).toBe(50);
});

test("a thousand ids of one company and one millisecond are all different", () => {
  const ids = Array.from({ length: 1_000 }, () => newTransactionId(1, NOW, systemRandom));
  expect(new Set(ids).size).toBe(1_000);
});

test("an id in upper case resolves to the same company", () => {
  const id = newTransactionId(0xab_cdef, NOW, systemRandom);
  expect(companyIdOfTransactionId(id.toUpperCase())).toBe(0xab_cdef);
});

describe("an id of another layout resolves to null", () => {
  const id = newTransactionId(7, NOW, systemRandom);
  test.each([
    ["nothing", ""],
    ["a word", "checkout"],
    ["an integer", "42"],
    ["the nil UUID", "00000000-0000-0000-0000-000000000000"],
    ["the max UUID", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    ["version 1", "123e4567-e12b-12d1-a456-426655440000"],
    ["version 4", "71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d"],
    ["version 7", "01890a5d-ac96-774b-bcce-b302099a8057"],
    ["version 8 of another variant", "01890a5d-ac96-874b-1cce-b302099a8057"],
    ["no hyphens", id.replaceAll("-", "")],
    ["braces", `{${id}}`],
    ["a URN", `urn:uuid:${id}`],
    ["one digit less", id.slice(0, -1)],
    ["one digit more", `${id}0`],
    ["a line end", `${id}\n`],
    ["a leading space", ` ${id}`],
    ["a letter beyond hex digits", `${id.slice(0, -1)}g`],
    ["full-width digits", id.replace(/^./, "０")],
  ])("%s", (_layout, text) => {
    expect(companyIdOfTransactionId(text)).toBeNull();
  });
});

test("the provider's id of a charge is a valid txid of the Pix API", () => {
  expect(providerChargeId(newTransactionId(1, NOW, systemRandom))).toMatch(TXID);
});

test("an id and its txid contain the creation time of the transaction", () => {
  for (const madeAt of [0, NOW, LAST_MILLISECOND_OF_48_BITS]) {
    const id = newTransactionId(1, madeAt, systemRandom);
    expect(createdAtOfTransactionId(id)).toBe(madeAt);
    expect(createdAtOfTransactionId(providerChargeId(id))).toBe(madeAt);
  }
});

test("other global ids are UUIDs of version 4 with all their 122 random bits", () => {
  expect(newUuid(systemRandom)).toMatch(UUID_V4);
  expect(countFreeBits(newUuid)).toBe(122);
});

/** How many of the source's 128 bits reach the id: sets each bit alone. */
function countFreeBits(make: (random: RandomSource) => string): number {
  const base = make({ bytes: (length) => new Uint8Array(length) });
  const ids = Array.from({ length: 128 }, (_, bit) => make(onlyBit(bit)));
  return new Set(ids.filter((id) => id !== base)).size;
}

test("a payer's UUID is of version 8 and unique across companies", () => {
  const numbers = [1, 255, 65_535, 65_536, 2 ** 32, 2 ** 40];
  const companies = [1, 255, 65_536, MAX_COMPANY_ID];
  const uuids = companies.flatMap((company) =>
    numbers.map((number) => payerUuidOf(company, number)),
  );
  for (const uuid of uuids) expect(uuid).toMatch(UUID_V8);
  expect(new Set(uuids).size).toBe(uuids.length);
});
