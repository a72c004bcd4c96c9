import { expect, it } from "vitest";
import { TestClock } from "../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { payoutOrder, pixOrder } from "../../support/builders/providers/provider-orders.ts";
import { idEnvioOf } from "../../../src/providers/pix-api/refunds-and-payouts.ts";

const URL = "https://psp.example.com";

function given() {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  return { clock, psp, bank: pspProvider(pspConfig(URL), psp.fetch, { clock }) };
}

it("the fake PSP's balance is the sum of payments, refunds, payouts and returned payouts", async () => {
  const { psp, bank } = given();
  psp.book.openingBalance = 500;
  const paid = psp.payKey("100.00");
  psp.refundExternally(paid, "10.00");
  psp.resolveDispute(paid, psp.dispute(paid, "20.00"), "lost");
  psp.resolveDispute(paid, psp.dispute(paid, "5.00"), "won");
  psp.dispute(paid, "1.00");
  const [gone, half, failed, returned] = [0, 0, 0, 0].map(() => payoutOrder());
  for (const order of [gone!, half!, failed!, returned!]) await bank.sendPayout(order);
  for (const order of [gone!, half!]) psp.settlePayout(idEnvioOf(order.payoutId), "REALIZADO");
  psp.returnPayout(idEnvioOf(half!.payoutId), "4.00");
  psp.settlePayout(idEnvioOf(failed!.payoutId), "NAO_REALIZADO");
  psp.settlePayout(idEnvioOf(returned!.payoutId), "DEVOLVIDO");
  psp.payOutExternally("3.00");

  expect(psp.book.balance()).toBe(500 + 10_000 - 1_000 - 2_000 - 1_000 - (1_000 - 400) - 300);
  expect(() => psp.refundExternally(paid, "100.00")).toThrow("more than is left");
});

it("the fake PSP returns an outdated record while its views are frozen, and no hidden record", async () => {
  const { psp, bank } = given();
  const order = pixOrder();
  await bank.createCharge(order);
  const paymentId = psp.pay(order.chargeId);
  const disputes = async () => {
    const report = await bank.findCharge(order.chargeId);
    return report.kind === "known" ? report.disputes.length : report.kind;
  };

  psp.freezeViews(paymentId);
  psp.dispute(paymentId);
  expect(await disputes()).toBe(0);
  psp.refreshViews();
  expect(await disputes()).toBe(1);
  psp.book.views.hide(order.chargeId, "look_up");
  expect(await disputes()).toBe("not_found");
  psp.book.views.reveal(order.chargeId);
  expect(await disputes()).toBe(1);
});

it("the fake PSP loses, duplicates or delays callbacks", () => {
  const { psp } = given();
  const [lost, twice, late] = [psp.payKey("1.00"), psp.payKey("2.00"), psp.payKey("3.00")];
  const owed = () => psp.callbacks.map((body: any) => body.pix[0].endToEndId);

  psp.scheduleCallbacks((_body, index) => (["lost", "twice", "late"] as const)[index]!);
  expect(owed()).toEqual([twice, twice]);
  psp.releaseDelayedCallbacks();
  expect(owed()).toEqual([twice, twice, late]);
  expect(owed()).not.toContain(lost);
});
