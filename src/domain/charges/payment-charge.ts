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

const DEBIT_PREFIX = "debit/";
const APPROVAL_PREFIX = "approval/";

/** The key of the charge of a subscription's cycle that is debited; no merchant can send it either. */
export function debitChargeKey(subscriptionId: string, cycle: number): string {
  return `${DEBIT_PREFIX}${subscriptionId}/${cycle}`;
}

/** The key of the charge that a payer pays while he approves a subscription; no merchant can send it either. */
export function approvalChargeKey(subscriptionId: string): string {
  return APPROVAL_PREFIX + subscriptionId;
}

/** The key of a charge by which a payer pays a cycle by hand; no merchant can send it either. */
export function byHandChargeKey(transactionId: string): string {
  return `by-hand/${transactionId}`;
}

/** Whether a payer pays a charge while he approves a subscription: their code is for both, at one account. */
export function isApprovalCharge({ idempotencyKey }: { idempotencyKey: string | null }): boolean {
  return idempotencyKey?.startsWith(APPROVAL_PREFIX) ?? false;
}

/** Whether a charge is debited automatically: its provider knows it as a debit (BACEN `cobr`), and as nothing else. */
export function isDebitedCharge({ idempotencyKey }: { idempotencyKey: string | null }): boolean {
  return idempotencyKey?.startsWith(DEBIT_PREFIX) ?? false;
}

/** The key of a charge that a payer makes under a payment link; no merchant can send it either. */
export function linkChargeKey(checkoutId: string, pageKey: string, contentHash: string): string {
  return `link/${checkoutId}/${pageKey}/${contentHash}`;
}
