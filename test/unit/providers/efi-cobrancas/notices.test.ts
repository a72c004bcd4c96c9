import { expect, it } from "vitest";
import { efiBoletoOrder, efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider } from "../../../support/fakes/efi-cobrancas/provider.ts";

async function given(url = "https://notices.efi.test") {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const provider = efiProvider(url, efi.fetch, { clock });
  const order = efiBoletoOrder();
  await provider.createCharge(order);
  return { efi, provider, chargeId: order.chargeId, charge: efi.charge(order.chargeId) };
}

it("a notice is believed of the charge that was registered, and of no other of the same order", async () => {
  const { efi, provider, chargeId, charge } = await given();
  efi.pay(chargeId);
  expect(await provider.readNotice(charge.token)).toEqual({
    kind: "known",
    charges: [{ chargeId, isOpen: false }],
  });

  for (const { identifiers } of charge.changes) identifiers.charge_id += 1;

  expect(await provider.readNotice(charge.token)).toEqual({ kind: "not_found" });
});

it("a token that nobody gave is of nothing; one that cannot be read is unknown, and asked again", async () => {
  const { efi, provider, chargeId, charge } = await given();
  expect(await provider.readNotice(crypto.randomUUID())).toEqual({ kind: "not_found" });
  for (const fault of ["error_200", "page_502", "reset"] as const) {
    efi.faultOnce(fault, /^GET \/v1\/notification/);
    expect(await provider.readNotice(charge.token)).toEqual({ kind: "unknown" });
  }

  expect(await provider.readNotice(charge.token)).toEqual({
    kind: "known",
    charges: [{ chargeId, isOpen: true }],
  });
});

it.each([
  ["unpaid", true, false],
  ["identified", true, true],
  ["contested", false, false],
])("what is %s last leaves a boleto open: %s, a card: %s", async (current, ofBoleto, ofCard) => {
  const { efi, provider, chargeId, charge } = await given();
  const card = efiCardOrder();
  await provider.createCharge(card);
  efi.book.change(charge, current);
  efi.book.change(efi.charge(card.chargeId), current);
  expect(await provider.readNotice(charge.token)).toEqual({
    kind: "known",
    charges: [{ chargeId, isOpen: ofBoleto }],
  });
  expect(await provider.readNotice(efi.charge(card.chargeId).token)).toEqual({
    kind: "known",
    charges: [{ chargeId: card.chargeId, isOpen: ofCard }],
  });
});
