import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";
import { pixOrder } from "../../../support/builders/providers/provider-orders.ts";

function given() {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const bank = pspProvider(pspConfig("https://psp.example.com"), psp.fetch, { clock });
  return { clock, psp, bank };
}

it("a cancel whose response was lost is looked up, and a cancel after a payment is rejected", async () => {
  const { psp, bank } = given();
  const [lost, undone, paid] = [pixOrder(), pixOrder(), pixOrder()];
  for (const order of [lost, undone, paid]) await bank.createCharge(order);

  psp.faultOnce("reset", /^PATCH/);
  expect(await bank.cancelCharge(lost.chargeId)).toEqual({ kind: "cancelled" });
  psp.faultOnce("unavailable", /^PATCH/);
  expect(await bank.cancelCharge(undone.chargeId)).toEqual({ kind: "unknown" });
  expect(await bank.findCharge(undone.chargeId)).toMatchObject({ status: "open" });
  psp.pay(paid.chargeId);
  expect(await bank.cancelCharge(paid.chargeId)).toEqual({
    kind: "refused",
    reason: "The charge was paid.",
  });
  expect(await bank.cancelCharge(pixOrder().chargeId)).toMatchObject({ kind: "refused" });
});

it("a charge that is paid while it is cancelled is a paid one, although the PSP says that it is removed", async () => {
  const { clock, psp } = given();
  const order = pixOrder();
  const fetcher = async (request: Request) => {
    const answer = await psp.fetch(request);
    if (request.method !== "PATCH") return answer;
    const endToEndId = psp.pay(order.chargeId);
    const body = await answer.json<object>();
    const pix = [{ endToEndId, txid: order.chargeId, valor: "25.00", horario: clock.now() }];
    return Response.json({ ...body, pix }, { status: answer.status });
  };
  const bank = pspProvider(pspConfig("https://psp.example.com"), fetcher, { clock });
  await bank.createCharge(order);

  expect(await bank.cancelCharge(order.chargeId)).toEqual({
    kind: "refused",
    reason: "The charge was paid.",
  });
});
