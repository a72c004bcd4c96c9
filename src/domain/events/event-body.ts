import { balanceView } from "../ledger/balance.ts";
import { isoTime } from "../shared/clock.ts";
import type {
  AnchorEvent,
  BalanceEvent,
  CompanyEvent,
  EventType,
  PaymentEvent,
  SettingsEvent,
  TestEvent,
  WithdrawEvent,
} from "./event-types.ts";
import type {
  AnchorEntry,
  BalanceEntry,
  FreezeEntry,
  SettingsEntry,
  TestEntry,
} from "./outbox-entry.ts";
import { unexpectedPaymentView, type UnexpectedPayment } from "../charges/unexpected-payment.ts";
import { withdrawView, type WithdrawRecord } from "../withdraws/withdraw.ts";

/** `data` of a withdraw's webhook: its answer as it stood at the event, and the status before it. */
export function withdrawEventData(
  withdraw: WithdrawRecord,
  { previousStatus }: Pick<WithdrawEvent, "previousStatus">,
) {
  return { ...withdrawView(withdraw), previousStatus };
}

/** The `data` of an unexpected payment's webhook: the item of its list, with its company. */
export function paymentEventData(
  companyId: number,
  payment: UnexpectedPayment,
  { previousStatus }: Pick<PaymentEvent, "previousStatus">,
) {
  return { companyId, ...unexpectedPaymentView(payment), previousStatus };
}

/** The `data` of `balance.released`: the balance record in reais; what ends in `Cents` is in centavos. */
export function balanceEventData(
  companyId: number,
  { currency, balances, releases }: Pick<BalanceEntry, "currency" | "balances" | "releases">,
  { previousStatus }: Pick<BalanceEvent, "previousStatus">,
) {
  return {
    ...balanceView(companyId, currency, balances),
    releasedCents: releases.reduce((sum, release) => sum + release.amount, 0),
    releases: releases.map(({ amount, ...release }) => ({ ...release, amountCents: amount })),
    previousStatus,
  };
}

/** The `data` of `company.settings_changing`: what was loosened, by whom, and from when it holds. */
export function settingsEventData(
  companyId: number,
  { applicationId, changes, requestedBy }: Omit<SettingsEntry, "kind" | "event">,
  { previousStatus }: Pick<SettingsEvent, "previousStatus">,
) {
  return {
    companyId,
    applicationId,
    changes: changes.map((change) => ({ ...change, effectiveAt: isoTime(change.effectiveAt) })),
    requestedBy,
    previousStatus,
  };
}

/** The `data` of `ledger.anchored`: an anchor that the company keeps to prove its ledger's history. */
export function anchorEventData(
  companyId: number,
  { anchor }: Pick<AnchorEntry, "anchor">,
  { previousStatus }: Pick<AnchorEvent, "previousStatus">,
) {
  return { companyId, ...anchor, previousStatus };
}

/** The `data` of `company.frozen` and `company.unfrozen`: why, who did it, and what is frozen now. */
export function freezeEventData(
  companyId: number,
  { cause, scope }: Pick<FreezeEntry, "cause" | "scope">,
  { type, previousStatus }: Pick<CompanyEvent, "type" | "previousStatus">,
) {
  const { reason, by } = cause;
  const frozen = scope ?? { withdraws: type === "company.frozen", charges: false };
  return { companyId, reason, by, frozen, previousStatus };
}

/** The `data` of `webhook.test`. */
export function testEventData(
  companyId: number,
  { testNumber, url }: Pick<TestEntry, "testNumber" | "url">,
  { previousStatus }: Pick<TestEvent, "previousStatus">,
) {
  return { id: testNumber, companyId, url, previousStatus };
}

/** The exact text that the gateway signs and sends. */
export function eventBody(event: {
  type: EventType;
  timestamp: number;
  sequence: number;
  data: object;
}): string {
  const { type, timestamp, sequence, data } = event;
  return JSON.stringify({ type, timestamp: isoTime(timestamp), sequence, data });
}
