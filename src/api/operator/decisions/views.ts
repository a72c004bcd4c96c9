import type { PaymentInSuspense } from "../../../company/charges/command-types.ts";
import { isoTime } from "../../../domain/shared/clock.ts";

/** An unexpected payment as operators see it, without its account. */
export function paymentInSuspenseView({ account: _account, ...payment }: PaymentInSuspense) {
  return { ...payment, paidAt: isoTime(payment.paidAt) };
}
