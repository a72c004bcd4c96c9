import { companyIdOfTransactionId, hyphenateUuid } from "../../domain/shared/ids.ts";

/** What a callback may be about besides a transaction's UUID and `withdraw:<number>`. */
const SUBJECT = /^(payment|payout|operation|record):(.+)$/;
type SubjectKind = "payment" | "payout" | "operation" | "record";

/** A payment that may be for no charge. */
export function paymentSubject(paymentId: string): string {
  return `payment:${paymentId}`;
}

/** A withdraw by its payout's id. */
export function payoutSubject(payoutId: string): string {
  return `payout:${payoutId}`;
}

/** A refund by the id that its provider knows, which is its own without hyphens. */
export function operationSubject(providerId: string): string {
  return `operation:${hyphenateUuid(providerId)}`;
}

/** What a provider said and nobody can read, by its digest. */
export function recordSubject(digest: string): string {
  return `record:${digest}`;
}

/** A callback's object that is neither a transaction nor told by the number of a withdraw. */
export function parseSubject(objectId: string): { kind: SubjectKind; id: string } | null {
  const [, kind, id] = SUBJECT.exec(objectId) ?? [];
  return kind === undefined || id === undefined ? null : { kind: kind as SubjectKind, id };
}

/**
 * The transaction that a provider knows by this id, and the company whose number it carries; null
 * where no transaction can have it.
 */
export function transactionOfCharge(chargeId: string): { id: string; companyId: number } | null {
  const id = hyphenateUuid(chargeId);
  const companyId = companyIdOfTransactionId(id);
  return companyId === null ? null : { id, companyId };
}
