import { assert as always, integer, property } from "fast-check";
import { expect, it } from "vitest";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  companyIdOfTransactionId,
  MAX_COMPANY_ID,
  newPayoutId,
  newUuid,
  parsePayoutId,
} from "../../../../src/domain/shared/ids.ts";

const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it("a payout's id is a UUID of version 8 that resolves to its withdraw, with or without hyphens", () => {
  always(
    property(
      integer({ min: 1, max: MAX_COMPANY_ID }),
      integer({ min: 1, max: 2 ** 38 - 1 }),
      (companyId, withdrawId) => {
        const id = newPayoutId(companyId, withdrawId, systemRandom);
        expect(id).toMatch(UUID_8);
        expect(parsePayoutId(id)).toEqual({ companyId, withdrawId });
        expect(parsePayoutId(id.replaceAll("-", ""))).toEqual({ companyId, withdrawId });
        expect(companyIdOfTransactionId(id)).toBe(companyId);
      },
    ),
  );
});

it("two payouts of one withdraw never share an id", () => {
  const ids = Array.from({ length: 1_000 }, () => newPayoutId(1, 1, systemRandom));
  expect(new Set(ids).size).toBe(1_000);
});

it("an id that is not a payout's resolves to null", () => {
  for (const id of ["", "none", "0".repeat(32), newUuid(systemRandom)]) {
    expect(parsePayoutId(id)).toBeNull();
  }
});

it("rejects a withdraw number that is too large for an id", () => {
  for (const number of [0, -1, 2 ** 38]) {
    expect(() => newPayoutId(1, number, systemRandom)).toThrow(RangeError);
  }
});
