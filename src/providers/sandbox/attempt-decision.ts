import {
  debitReason,
  unanswered,
  unpaidByEndOfDay,
  type DebitReason,
} from "../../domain/subscriptions/debit-codes.ts";
import type { DebitAttempt } from "../../domain/subscriptions/subscription.ts";
import { endOfDay, startOfDay } from "../../domain/shared/business-day.ts";
import type { AttemptOutcome } from "./mandate-store.ts";

const HOUR_MS = 3_600_000;
/** Payers' banks debit in the night ... */
export const NIGHT_RUN_MS = 6 * HOUR_MS;
/** ... and, where there was no balance, again until the evening. */
const EVENING_END_MS = 21 * HOUR_MS;

function failed(reason: DebitReason) {
  return { status: "failed" as const, reason };
}

/** What its day has made of an attempt by now; null where it is not decided. */
export function decisionOf(
  { day }: DebitAttempt,
  outcome: AttemptOutcome,
  nowMs: number,
): Pick<DebitAttempt, "status" | "reason"> | null {
  const after = (ms: number) => nowMs >= startOfDay(day) + ms;
  switch (outcome) {
    case "paid":
      return after(NIGHT_RUN_MS) ? { status: "paid", reason: null } : null;
    case "over_limit":
      return after(NIGHT_RUN_MS) ? failed(debitReason("AM02")) : null;
    case "closed":
      return after(NIGHT_RUN_MS) ? failed(debitReason("AC05")) : null;
    case "no_balance":
      return after(EVENING_END_MS) ? failed(unpaidByEndOfDay(null)) : null;
    case "silent":
      return nowMs > endOfDay(day) ? failed(unanswered()) : null;
  }
}
