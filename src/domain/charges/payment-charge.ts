/**
 * The idempotency key of a charge that is made of a payment: one for each payment of a company. No merchant
 * can send it, for a key has no slash (`http/idempotency.ts`).
 */
const KEY_PREFIX = "payment/";

/** The key of the charge that is made of a payment. */
export function paymentChargeKey(paymentId: string): string {
  return KEY_PREFIX + paymentId;
}

/** The payment that a charge was made of; null where its payer was asked for the money first. */
export function paymentOfCharge(charge: { idempotencyKey: string | null }): string | null {
  const { idempotencyKey } = charge;
  return idempotencyKey?.startsWith(KEY_PREFIX) ? idempotencyKey.slice(KEY_PREFIX.length) : null;
}

/** The key of a charge that a payer makes under a payment link; no merchant can send it either. */
export function linkChargeKey(checkoutId: string, pageKey: string, contentHash: string): string {
  return `link/${checkoutId}/${pageKey}/${contentHash}`;
}
