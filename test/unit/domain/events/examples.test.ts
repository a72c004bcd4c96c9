import { expect, it } from "vitest";
import { EXAMPLE_TRANSACTION } from "../../../../src/domain/events/api-examples.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";

it("the example transaction shows its own BR Code", () => {
  const { id, amount, pix } = EXAMPLE_TRANSACTION;
  const location = `pix.sandbox.example/v2/${providerChargeId(id)}`;
  const merchant = { merchantName: "Loja Exemplo", merchantCity: "SAO PAULO" };
  expect(pix?.qrcode).toBe(encodeBrCode({ target: { location }, ...merchant, amount }));
});
