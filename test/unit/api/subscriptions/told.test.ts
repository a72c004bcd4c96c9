import { expect, it } from "vitest";
import { toldDebit } from "../../../../src/api/subscriptions/told.ts";
import type { DebitDetails } from "../../../../src/providers/mandate-provider.ts";

const END = {
  kind: "rejected",
  by: "payer_bank",
  providerCode: "AC05",
  message: null,
} as const satisfies DebitDetails["end"];

it("a debit that lasts has no end, whatever its provider says of an attempt there", () => {
  expect(toldDebit({ status: "active", attempts: [], end: END })).not.toHaveProperty("end");
  expect(toldDebit({ status: "rejected", attempts: [], end: END })).toMatchObject({
    end: { providerCode: "AC05" },
  });
});
