import type { SuspendedPayment } from "../../../company/charges/command-types.ts";
import { isoTime } from "../../../domain/shared/clock.ts";

/** A suspended payment as operators see it, without its account. */
export function suspendedPaymentView({ account: _account, ...payment }: SuspendedPayment) {
  return { ...payment, paidAt: isoTime(payment.paidAt) };
}
