import { expect, test, vi } from "vitest";
import {
  PAYMENT_METHODS,
  type PaymentMethod,
} from "../../../../src/domain/charges/charge-status.ts";
import {
  NO_PAYMENT_DETAILS,
  type PaymentDetails,
} from "../../../../src/domain/charges/payment-details.ts";
import {
  initialChargeState,
  type TransactionRecord,
} from "../../../../src/domain/charges/transaction.ts";
import { boletoMethod } from "../../../../src/methods/boleto/method.ts";
import { methodOf } from "../../../../src/methods/registry.ts";
import { payerStateOf } from "../../../../src/pages/checkout/state.ts";

/** What a provider's registration fills, by method. */
const REGISTERED: Record<PaymentMethod, object> = {
  PIX: { pix: { qrcode: "000201" } },
  BOLETO: { boleto: { registered: { digitableLine: "0".repeat(47) } } },
  CREDIT_CARD: {},
};

const PUSH_METHODS = PAYMENT_METHODS.filter((name) => methodOf(name).initiation === "push");

function waiting(paymentMethod: PaymentMethod, details: object): TransactionRecord {
  const columns: PaymentDetails = { ...NO_PAYMENT_DETAILS, ...details };
  const state = { ...initialChargeState(0), status: "waiting_payment" as const };
  return { ...state, ...columns, paymentMethod } as TransactionRecord;
}

test.each(PUSH_METHODS)("a %s is open once it is registered", (name) => {
  expect(payerStateOf(waiting(name, {}))).toBe("preparing");
  expect(payerStateOf(waiting(name, REGISTERED[name]))).toBe("open");
});

test("whether a charge is registered, its method alone says", () => {
  const isRegistered = vi.spyOn(boletoMethod, "isRegistered").mockReturnValue(true);
  const state = payerStateOf(waiting("BOLETO", {}));
  isRegistered.mockRestore();
  expect(state).toBe("open");
});

test("a card, which is charged without its payer, is processing", () => {
  expect(payerStateOf(waiting("CREDIT_CARD", REGISTERED.CREDIT_CARD))).toBe("processing");
});
