import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newTransactionId, newUuid } from "../../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { instructionWindow } from "../../../../src/domain/subscriptions/debit-window.ts";
import type { DebitOrder, MandateOrder } from "../../../../src/providers/mandate-provider.ts";

const COMPANY = 7;

/** An order for a monthly mandate of 50 reais, whose first debit can be ordered on a day. */
export function mandateOrder(today: string, overrides: Partial<MandateOrder> = {}): MandateOrder {
  return {
    subscriptionId: newUuid(systemRandom).replaceAll("-", ""),
    description: "Academia, plano mensal",
    payer: { name: "Maria da Conceição", document: { type: "CPF", number: "12345678909" } },
    schedule: { period: "MONTHLY", firstDueDate: orderableDay(today), endDate: null },
    amount: { kind: "fixed", amount: 5_000 },
    allowsRetries: true,
    journey: "REQUEST",
    firstChargeId: null,
    ...overrides,
  };
}

/** The order of a mandate's first debit. */
export function debitOrder(
  mandateId: string,
  { schedule, amount }: MandateOrder,
  overrides: Partial<DebitOrder> = {},
): DebitOrder {
  return {
    chargeId: providerChargeId(newTransactionId(COMPANY, Date.now(), systemRandom)),
    mandateId,
    dueDate: schedule.firstDueDate,
    amount: amount.kind === "fixed" ? amount.amount : amount.minimum,
    info: "Academia, dezembro",
    ...overrides,
  };
}

/** The payer's account at a bank that asks him. */
export const PAYER_ACCOUNT = {
  ispb: "60701190",
  branch: "1234",
  account: "567890",
  document: { type: "CPF", number: "12345678909" },
} as const;

/** The first due date, at least five days after a day, whose debit can be ordered on that day in any town. */
function orderableDay(today: string): string {
  let day = addDays(today, 5);
  while (instructionWindow(day, "3550308").until < today) day = addDays(day, 1);
  return day;
}

/** Today in São Paulo by a clock. */
export function todayOf(clock: { now: () => number }): string {
  return saoPauloDay(clock.now());
}
