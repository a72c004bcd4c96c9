/** The subject of an event or a callback is a transaction's UUID or one of these texts. */
const WITHDRAW_SUBJECT = /^withdraw:(\d+)$/;

export function withdrawSubject(id: number): string {
  return `withdraw:${id}`;
}

/** The withdraw's number in a subject; null for other subjects. */
export function withdrawIdOfSubject(subject: string): number | null {
  const number = WITHDRAW_SUBJECT.exec(subject)?.[1];
  return number === undefined ? null : Number(number);
}

/** `id` is the provider's id of the dispute. */
export function disputeSubject(id: string): string {
  return `dispute:${id}`;
}

export function balanceSubject(currency: string): string {
  return `balance:${currency}`;
}

/** Of the company's freezes. */
export const FREEZE_SUBJECT = "company:freeze";

export function ledgerSubject(currency: string): string {
  return `ledger:${currency}`;
}

/** Of a company's settings. */
export const SETTINGS_SUBJECT = "company:settings";

/** Of an unexpected payment, by the provider's id. */
export function unexpectedPaymentSubject(paymentId: string): string {
  return `payment:${paymentId}`;
}

/** Of a payment link, by its id. */
export function paymentLinkSubject(id: string): string {
  return `payment_link:${id}`;
}

/** Of a subscription, by its id. */
export function subscriptionSubject(id: string): string {
  return `subscription:${id}`;
}

const TEST_SUBJECT_PREFIX = "test:";

export function testSubject(testNumber: number): string {
  return `${TEST_SUBJECT_PREFIX}${testNumber}`;
}

export function isTestSubject(subject: string): boolean {
  return subject.startsWith(TEST_SUBJECT_PREFIX);
}

/** Whether a subject is a transaction. All others have a prefix with a colon. */
export function isTransactionSubject(subject: string): boolean {
  return !subject.includes(":");
}
