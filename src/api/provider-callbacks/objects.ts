import { companyOfTransactionId, hyphenated } from "../../domain/shared/ids.ts";

/** What a callback may be about besides a transaction's UUID and `withdraw:<number>`. */
const OTHER_OBJECT = /^(payment|payout|operation|record):(.+)$/;
type OtherKind = "payment" | "payout" | "operation" | "record";

/** A payment that may be for no charge. */
export function paymentObject(paymentId: string): string {
  return `payment:${paymentId}`;
}

/** A withdraw by its payout's id. */
export function payoutObject(payoutId: string): string {
  return `payout:${payoutId}`;
}

/** A refund by the id that its provider knows, which is its own without hyphens. */
export function operationObject(providerId: string): string {
  return `operation:${hyphenated(providerId)}`;
}

/** What a provider said and nobody can read, by its digest. */
export function recordObject(digest: string): string {
  return `record:${digest}`;
}

/** A callback's object that is neither a transaction nor told by the number of a withdraw. */
export function otherObject(objectId: string): { kind: OtherKind; id: string } | null {
  const [, kind, id] = OTHER_OBJECT.exec(objectId) ?? [];
  return kind === undefined || id === undefined ? null : { kind: kind as OtherKind, id };
}

/**
 * The transaction that a provider knows by this id, and the company whose number it carries; null
 * where no transaction can have it.
 */
export function transactionOfCharge(chargeId: string): { id: string; companyId: number } | null {
  const id = hyphenated(chargeId);
  const companyId = companyOfTransactionId(id);
  return companyId === null ? null : { id, companyId };
}
