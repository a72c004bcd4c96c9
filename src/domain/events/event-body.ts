import { balanceView } from "../ledger/balance.ts";
import { isoTime } from "../shared/clock.ts";
import type {
  AnchorEvent,
  BalanceEvent,
  EventType,
  TestEvent,
  WithdrawEvent,
} from "./event-types.ts";
import type { AnchorEntry, BalanceEntry, TestEntry } from "./outbox.ts";
import { withdrawView, type WithdrawRecord } from "../withdraws/withdraw.ts";

/** `data` of a withdraw's webhook: its answer as it stood at the event, and the status before it. */
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
