import { expect, it } from "vitest";
import { PSP_PROFILES } from "../../../../src/domain/psp/profiles/psp-profiles.ts";
import { isTestAddress } from "../../../../src/domain/psp/test-addresses.ts";

it("a house's address for tests is told from its live one", () => {
  for (const { test, production, payouts } of Object.values(PSP_PROFILES)) {
    if (test !== null) expect(isTestAddress(test.value.baseUrl)).toBe(true);
    if (payouts !== null) expect(isTestAddress(payouts.value.test)).toBe(true);
    for (const live of [production.value.baseUrl, production.value.tokenUrl])
      expect(isTestAddress(live), live).toBe(false);
    if (payouts !== null) expect(isTestAddress(payouts.value.production)).toBe(false);
  }
  expect(isTestAddress("https://cobrancas-h.api.efipay.com.br")).toBe(true);
  expect(isTestAddress("https://cobrancas.api.efipay.com.br")).toBe(false);
  expect(isTestAddress("https://api.pagar.me/core/v5")).toBe(false);
  expect(isTestAddress("no address")).toBe(false);
});
