import { afterEach, expect, it, vi } from "vitest";
import { callProvider, type Provider } from "../../../src/providers/provider.ts";
import {
  payoutOrder,
  pixOrder,
  refundOrder,
} from "../../support/builders/providers/provider-orders.ts";

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
    callProvider(provider.createCharge(pixOrder()), ABOUT),
    callProvider(provider.findCharge(chargeId), ABOUT),
    callProvider(provider.findPayment("E1"), ABOUT),
    callProvider(provider.cancelCharge(chargeId), ABOUT),
    callProvider(provider.captureCharge(chargeId, 1), ABOUT),
    callProvider(provider.sendRefund(refund), ABOUT),
    callProvider(provider.findRefund(refund), ABOUT),
    callProvider(provider.sendPayout(payoutOrder()), ABOUT),
    callProvider(provider.findPayout(payoutOrder().payoutId), ABOUT),
    callProvider(provider.list("payments", { from: 0, to: 1 }, 0), ABOUT),
  ];
}

it.each([
  ["fails", () => Promise.reject(new TypeError("fetch failed"))],
  ["rejects with a value that is not an Error", () => Promise.reject("no")],
  ["never responds", () => new Promise<never>(() => undefined)],
])("a provider that %s counts as no response in every call", async (_what, method) => {
  vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);

  const answers = await Promise.all(everyCall(hostile(method)));

  expect(answers).toEqual(answers.map(() => ({ kind: "unknown" })));
});
