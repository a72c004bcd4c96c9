import { expect, it } from "vitest";
import { chargebackNumberOf, EfiRefs } from "../../../../src/providers/efi-cobrancas/refs.ts";
import { MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";

const CHARGE = "01a22b0175d68345a8e5cd3290000002";

it("a create that comes second keeps the Pix code that the first has read of the charge", async () => {
  const refs = new EfiRefs(new MemoryRefs());
  const ref = { method: "BOLETO", amount: 2_500, firstAt: 0 } as const;
  const first = await refs.settle(CHARGE, { ...ref, efiId: 1 });
  await refs.savePixOf(CHARGE, { ...first, pixTxid: "a".repeat(26) });

  const second = await refs.settle(CHARGE, { ...ref, efiId: 2 });

  expect(second).toEqual({ ...ref, efiId: 1, pixTxid: "a".repeat(26) });
  expect(await refs.charge(CHARGE)).toEqual(second);
});

it("a chargeback that is remembered anew leaves a later one, and how its payment was made", async () => {
  const refs = new EfiRefs(new MemoryRefs());
  await refs.addSeen(CHARGE, { paidBy: "pix" });
  await refs.rememberChargeback(CHARGE, 2, false);
  await refs.rememberChargeback(CHARGE, 1, true);

  expect(await refs.seen(CHARGE)).toEqual({ paidBy: "pix", chargebacks: 2, won: false });
  await refs.rememberChargeback(CHARGE, 2, true);
  expect(await refs.seen(CHARGE)).toMatchObject({ chargebacks: 2, won: true });
});

it.each([
  ["efi:7:contested", 1],
  ["efi:7:contested:2", 2],
  ["efi:7", null],
  ["ch_1:chargeback", null],
])("the number of the chargeback %s is %s", (id, number) => {
  expect(chargebackNumberOf(id)).toBe(number);
});
