import { afterEach, expect, it, vi } from "vitest";
import { answerOf, type Provider } from "../../../../src/providers/provider.ts";
import { payoutOrder, pixOrder, refundOrder } from "../../../support/builders/provider-orders.ts";

const ABOUT = { provider: "PixApi", companyId: 7 } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A provider whose every method does the same. */
function hostile(method: () => Promise<never>): Provider {
  return new Proxy({} as Provider, { get: () => method });
}

function everyCall(provider: Provider): Promise<{ kind: string }>[] {
  const { chargeId } = pixOrder();
  const refund = refundOrder({ chargeId, paymentId: "E1" }, 1);
  return [
    answerOf(provider.createCharge(pixOrder()), ABOUT),
    answerOf(provider.findCharge(chargeId), ABOUT),
    answerOf(provider.findPayment("E1"), ABOUT),
    answerOf(provider.cancelCharge(chargeId), ABOUT),
    answerOf(provider.captureCharge(chargeId, 1), ABOUT),
    answerOf(provider.sendRefund(refund), ABOUT),
    answerOf(provider.findRefund(refund), ABOUT),
    answerOf(provider.sendPayout(payoutOrder()), ABOUT),
    answerOf(provider.findPayout(payoutOrder().payoutId), ABOUT),
    answerOf(provider.list("payments", { from: 0, to: 1 }, 0), ABOUT),
  ];
}

it.each([
  ["fails", () => Promise.reject(new TypeError("fetch failed"))],
  ["fails with what is no error", () => Promise.reject("no")],
  ["never answers", () => new Promise<never>(() => undefined)],
])("a provider that %s has said nothing, whatever it was asked", async (_what, method) => {
  vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);

  const answers = await Promise.all(everyCall(hostile(method)));

  expect(answers).toEqual(answers.map(() => ({ kind: "unknown" })));
});
