/** What an event or a callback is about: a transaction's UUID, or one of these. */
const WITHDRAW_SUBJECT = /^withdraw:(\d+)$/;

export function withdrawSubject(id: number): string {
  return `withdraw:${id}`;
}

/** The number of the withdraw that is meant; null where it is none. */
export function withdrawIdOfSubject(subject: string): number | null {
  const number = WITHDRAW_SUBJECT.exec(subject)?.[1];
  return number === undefined ? null : Number(number);
}

export function balanceSubject(currency: string): string {
  return `balance:${currency}`;
}

export function ledgerSubject(currency: string): string {
  return `ledger:${currency}`;
}

const TEST_SUBJECT_PREFIX = "test:";

export function testSubject(testNumber: number): string {
  return `${TEST_SUBJECT_PREFIX}${testNumber}`;
}

export function isTestSubject(subject: string): boolean {
  return subject.startsWith(TEST_SUBJECT_PREFIX);
}

/** Whether an object is a transaction: the others say what they are before a colon. */
export function isTransactionSubject(subject: string): boolean {
  return !subject.includes(":");
}
