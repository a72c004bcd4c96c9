import type { Cents } from "../shared/money.ts";
import type { Schedule } from "./schedule.ts";
import type { Period, SubscriptionAmount } from "./subscription.ts";

/** The terms of a mandate as its provider repeats them; null for one that it does not repeat. Centavos. */
export interface ToldTerms {
  firstDueDate: string | null;
  endDate: string | null;
  /** `OTHER`: none that is offered here. */
  period: Period | "OTHER" | null;
  /** What each debit is. */
  amount: Cents | null;
  /** What each debit is at least. */
  minimum: Cents | null;
}

/** Whether a mandate's terms are those that were ordered. A term that is not repeated says nothing. */
export function isAsAgreed(
  told: ToldTerms,
  { schedule, amount }: { schedule: Schedule; amount: SubscriptionAmount },
): boolean {
  const { firstDueDate, endDate, period } = schedule;
  const [fixed, minimum] = amount.kind === "fixed" ? [amount.amount, null] : [null, amount.minimum];
  return (
    (told.firstDueDate ?? firstDueDate) === firstDueDate &&
    (told.endDate ?? endDate) === endDate &&
    (told.period ?? period) === period &&
    (told.amount ?? fixed) === fixed &&
    (told.minimum ?? minimum) === minimum
  );
}
