import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { paymentOfCharge } from "../../domain/charges/payment-charge.ts";
import { isEndToEndId } from "../../domain/psp/psp-ids.ts";
import { log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { ProviderPayment } from "../../providers/charge.ts";

/** A booking waits no longer than this for who paid. */
const PAYER_TIMEOUT_MS = 2_000;

/**
 * The payments of a charge with who paid them: where the report does not say it, the provider is asked for
 * the payment itself (`GET /pix/{e2eid}`), once, before its booking. Without an answer it stays unknown.
 */
export async function withPayers(
  provider: Provider,
  row: TransactionRow,
  payments: ProviderPayment[],
): Promise<ProviderPayment[]> {
  const [first, ...others] = payments;
  // A second payment of a charge is rare, and its payer is not worth a second call.
  const isBooked = row.version > 0 && row.status !== "waiting_payment";
  if (first === undefined || isBooked || paymentOfCharge(row) !== null) return payments;
  return [await withPayer(provider, row.companyId, first), ...others];
}

/** Whether the provider is asked who made a payment. */
export function isAskedForPayer({ payer, paymentId }: ProviderPayment): boolean {
  return payer === undefined && isEndToEndId(paymentId);
}

/** A payment with who paid it; see `withPayers`. Only of a PIX can a bank say it, by its end-to-end id. */
export async function withPayer<Payment extends ProviderPayment>(
  provider: Provider,
  companyId: number,
  payment: Payment,
): Promise<Payment> {
  if (!isAskedForPayer(payment)) return payment;
  try {
    const query = callProvider(provider.findPayment(payment.paymentId), {
      provider: provider.name,
      companyId,
    });
    const report = await withTimeout(query, PAYER_TIMEOUT_MS);
    if (report.kind !== "known" || report.payment.payer === undefined) return payment;
    return { ...payment, payer: report.payment.payer };
  } catch {
    log("warn", "payer_unknown", { companyId, paymentId: payment.paymentId });
    return payment;
  }
}
