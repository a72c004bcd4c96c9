import { expect, it } from "vitest";
import { pixOrder } from "../../../support/builders/providers/provider-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";

/** A PSP, whose answers about charges may be changed on their way. */
function given(change: (cob: any) => void = () => undefined) {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const bank = pspProvider(
    pspConfig("https://psp.example.com"),
    async (request) => {
      const answer = await psp.fetch(request);
      if (!request.url.includes("/cob/") || !answer.ok) return answer;
      const body = await answer.json();
      change(body);
      return Response.json(body, { status: answer.status });
    },
    { clock },
  );
  return { clock, psp, bank };
}

it("a charge is extended under its code, and one that ended, is unknown or does not say so is not", async () => {
  const { clock, psp, bank } = given();
  const order = { ...pixOrder(), expiresAt: clock.now() + 15 * 60_000 };
  const made = await bank.createCharge(order);
  expect(made).toMatchObject({ kind: "registered" });
  const until = clock.now() + 30 * 60_000;
  const extended = await bank.extendCharge(order.chargeId, until);
  expect(extended).toMatchObject({ kind: "extended" });
  if (extended.kind === "extended")
    expect(Math.abs(extended.expiresAt - until)).toBeLessThan(60_000);
  expect(psp.book.cobs.get(order.chargeId)!.requestBody.valor).toBeDefined();
  clock.advance(20 * 60_000);
  expect(await bank.findCharge(order.chargeId)).toMatchObject({ status: "open" });
  expect(await bank.cancelCharge(order.chargeId)).toEqual({ kind: "cancelled" });
  expect(await bank.extendCharge(order.chargeId, until)).toEqual({ kind: "refused" });
  expect(await bank.extendCharge(pixOrder().chargeId, until)).toEqual({ kind: "refused" });

  const deaf = given((cob) => (cob.calendario.expiracao = 900));
  const kept = { ...pixOrder(), expiresAt: deaf.clock.now() + 15 * 60_000 };
  await deaf.bank.createCharge(kept);
  expect(await deaf.bank.extendCharge(kept.chargeId, deaf.clock.now() + 30 * 60_000)).toEqual({
    kind: "unknown",
  });
});
