import { hyphenateUuid } from "../../domain/shared/ids.ts";

/** Subjects of a callback other than a transaction's UUID and `withdraw:<number>`. */
const SUBJECT = /^(payment|payout|operation|notice|record|mandate|debit):(.+)$/;
type SubjectKind = "payment" | "payout" | "operation" | "notice" | "record" | "mandate" | "debit";

/** Subject of a payment that may have no charge. */
export function paymentSubject(paymentId: string): string {
  return `payment:${paymentId}`;
}

/** Subject of a withdraw by its payout's id. */
export function payoutSubject(payoutId: string): string {
  return `payout:${payoutId}`;
}

/** Subject of a refund by its id at the provider: our id without hyphens. */
export function operationSubject(providerId: string): string {
  return `operation:${hyphenateUuid(providerId)}`;
}

/** Subject of a notice, whose content its provider has. */
export function noticeSubject(token: string): string {
  return `notice:${token}`;
}

/** Subject of a mandate by its id at the PSP. */
export function mandateSubject(mandateId: string): string {
  return `mandate:${mandateId}`;
}

/** Subject of the automatic debit of a charge of ours. */
export function debitSubject(transactionId: string): string {
  return `debit:${transactionId}`;
}

/** Subject of an unreadable record, by its digest. */
export function recordSubject(digest: string): string {
  return `record:${digest}`;
}

/** Parses a subject; null for a transaction's UUID or `withdraw:<number>`. */
export function parseSubject(objectId: string): { kind: SubjectKind; id: string } | null {
  const [, kind, id] = SUBJECT.exec(objectId) ?? [];
  return kind === undefined || id === undefined ? null : { kind: kind as SubjectKind, id };
}
