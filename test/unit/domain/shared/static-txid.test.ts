import { expect, it } from "vitest";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  MAX_COMPANY_ID,
  newTransactionId,
  staticCodeOfTxid,
  staticTxidOf,
} from "../../../../src/domain/shared/ids.ts";

it.each([1, 4_242, MAX_COMPANY_ID])("a txid leads to its code and to company %i", (companyId) => {
  for (const nowMs of [0, 1_795_350_278_999, 2 ** 48 - 1]) {
    const id = newTransactionId(companyId, nowMs, systemRandom);
    const txid = staticTxidOf(id);
    expect(txid).toMatch(/^[0-9a-z]{25}$/);
    expect(staticCodeOfTxid(txid)).toEqual({ id, companyId });
    expect(staticCodeOfTxid(txid.toUpperCase())).toEqual({ id, companyId });
  }
});

it.each([
  ["empty", ""],
  ["too short", "03ka3iz6rmb8c3yx1f2bj1p3"],
  ["too long", "03ka3iz6rmb8c3yx1f2bj1p3ll"],
  ["beyond a UUID", "z".repeat(25)],
  ["not a UUID of version 8", "0".repeat(25)],
  ["another character", "03ka3iz6rmb8c3yx1f2bj1p3-"],
  ["a charge's txid", "019aa6c05e008d2c9f316b1f0c000001"],
])("no static code: %s", (_what, txid) => {
  expect(staticCodeOfTxid(txid)).toBeNull();
});
