/** What an event or a callback is about: a transaction's UUID, or one of these. */
const WITHDRAW = /^withdraw:(\d+)$/;

export function withdrawObject(id: number): string {
  return `withdraw:${id}`;
}

/** The number of the withdraw that is meant; null where it is none. */
export function withdrawOfObject(objectId: string): number | null {
  const number = WITHDRAW.exec(objectId)?.[1];
  return number === undefined ? null : Number(number);
}

export function balanceObject(currency: string): string {
  return `balance:${currency}`;
}

export function ledgerObject(currency: string): string {
  return `ledger:${currency}`;
}

const TEST = "test:";

export function testObject(testNumber: number): string {
  return `${TEST}${testNumber}`;
}

export function isTestObject(objectId: string): boolean {
  return objectId.startsWith(TEST);
}

/** Whether an object is a transaction: the others say what they are before a colon. */
export function isTransactionObject(objectId: string): boolean {
  return !objectId.includes(":");
}
