import { balanceView } from "../ledger/balance.ts";
import { toCreateStatus } from "../charges/charge-status.ts";
import { isoTime } from "../shared/clock.ts";
import type {
  AnchorEvent,
  BalanceEvent,
  EventType,
  TestEvent,
  TransactionEvent,
  WithdrawEvent,
} from "./event-types.ts";
import type { AnchorEntry, BalanceEntry, TestEntry } from "./outbox.ts";
import type { TransactionRecord } from "../charges/transaction.ts";
import { creationView } from "../charges/transaction-view.ts";
import { withdrawView, type WithdrawRecord } from "../withdraws/withdraw.ts";

/**
 * What a webhook's body says (`product.md` section 7): the whole object in its creation shape and
 * words as it was when it happened, and what it was before. Amounts as the object's answer has them.
 */
export function transactionEventData(
  record: TransactionRecord,
  providerCompanyId: string,
  { previousStatus }: Pick<TransactionEvent, "previousStatus">,
) {
  return {
    ...creationView(record, providerCompanyId),
    previousStatus: toCreateStatus(previousStatus),
  };
}

export function withdrawEventData(
  withdraw: WithdrawRecord,
  { previousStatus }: Pick<WithdrawEvent, "previousStatus">,
) {
  return { ...withdrawView(withdraw), previousStatus };
}

/** The balance record with what was released, in centavos. */
export function balanceEventData(
  companyId: number,
  { currency, balances, releases }: Pick<BalanceEntry, "currency" | "balances" | "releases">,
  { previousStatus }: Pick<BalanceEvent, "previousStatus">,
) {
  return {
    ...balanceView(companyId, currency, balances),
    released: releases.reduce((sum, release) => sum + release.amount, 0),
    releases,
    previousStatus,
  };
}

/** What the company may keep to prove its past with, as its balance shows it. */
export function anchorEventData(
  companyId: number,
  { anchor }: Pick<AnchorEntry, "anchor">,
  { previousStatus }: Pick<AnchorEvent, "previousStatus">,
) {
  return { companyId, ...anchor, previousStatus };
}

/** A test is about nothing but the URL it goes to. */
export function testEventData(
  companyId: number,
  { testNumber, url }: Pick<TestEntry, "testNumber" | "url">,
  { previousStatus }: Pick<TestEvent, "previousStatus">,
) {
  return { id: testNumber, companyId, url, previousStatus };
}

/** The exact text that is signed and sent. */
export function eventBody(event: {
  type: EventType;
  timestamp: number;
  sequence: number;
  data: object;
}): string {
  const { type, timestamp, sequence, data } = event;
  return JSON.stringify({ type, timestamp: isoTime(timestamp), sequence, data });
}
