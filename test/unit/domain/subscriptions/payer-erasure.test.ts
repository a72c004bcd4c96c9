import { expect, test } from "vitest";
import { withoutPayer } from "../../../../src/domain/subscriptions/payer-erasure.ts";
import { SUBSCRIPTION } from "../../../support/builders/charges/subscription-state.ts";

test("a bank's sentence about a payer goes with him; its code stays", () => {
  const end = { by: "payer" as const, providerCode: "SLDB", providerMessage: "Maria cancelou" };
  const mandate = { ...SUBSCRIPTION.mandate, end };
  expect(withoutPayer({ ...SUBSCRIPTION, mandate }).mandate).toEqual({
    ...mandate,
    end: { ...end, providerMessage: null },
  });
  expect(withoutPayer(SUBSCRIPTION).mandate).toEqual(SUBSCRIPTION.mandate);
});
