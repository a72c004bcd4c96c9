import type { Cents } from "../../shared/money.ts";
import { debitDayOf } from "../debit-window.ts";
import { dueDateOf, hasCycle, type Schedule } from "../schedule.ts";
import { isAttemptOpen, type DebitAttempt } from "../subscription.ts";

/** Active subscriptions that have the same schedule, next cycle and town. `amount`: the sum of theirs, centavos. */
export interface ScheduledGroup {
  schedule: Schedule;
  city: string | null;
  nextCycle: number;
  count: number;
  amount: Cents;
}

/** Open cycles that are debited on the same day. `retryDay`: for which a retry is ordered. Centavos. */
export interface OpenGroup {
  dueDate: string;
  city: string | null;
  retryDay: string | null;
  newest: Pick<DebitAttempt, "day" | "status"> | null;
  count: number;
  amount: Cents;
}

/** What is debited on a day (`YYYY-MM-DD`): how many debits, and their sum in centavos. */
export interface DebitDaySum {
  day: string;
  count: number;
  amount: Cents;
}

/**
 * What will be debited from one day to another, both included, if every debit is paid at its first attempt: open cycles on
 * the day of their next attempt, and those to come of active subscriptions. Days ascending, without empty ones.
 */
export function debitOutlook(
  { open, scheduled }: { open: OpenGroup[]; scheduled: ScheduledGroup[] },
  { from, to }: { from: string; to: string },
): DebitDaySum[] {
  const days = new Map<string, DebitDaySum>();
  const add = (day: string, count: number, amount: Cents) => {
    if (day < from || day > to) return;
    const known = days.get(day) ?? { day, count: 0, amount: 0 };
    days.set(day, { day, count: known.count + count, amount: known.amount + amount });
  };
  for (const group of open) {
    const day = nextAttemptDay(group);
    if (day !== null) add(day, group.count, group.amount);
  }
  for (const { schedule, city, nextCycle, count, amount } of scheduled) {
    for (let cycle = nextCycle; hasCycle(schedule, cycle); cycle += 1) {
      const dueDate = dueDateOf(schedule, cycle);
      if (dueDate > to) break;
      add(debitDayOf(dueDate, city), count, amount);
    }
  }
  return [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

/** The day of an open cycle's next attempt; null where it has failed and no retry is ordered. */
function nextAttemptDay({ dueDate, city, retryDay, newest }: OpenGroup): string | null {
  if (retryDay !== null) return retryDay;
  if (newest === null) return debitDayOf(dueDate, city);
  return isAttemptOpen(newest) ? newest.day : null;
}
