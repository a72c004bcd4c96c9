import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { MetaStore } from "./meta-store.ts";

/** What D1 has of a company's numbers, which an object that was restored to an earlier time may not know. */
export interface LowestNumbers {
  newestEvent: number;
  newestOperatorEvent: number;
  newestDispute: number;
  newestUnexpectedPayment: number;
  newestWithdraw: number;
  newestLink: number;
  newestSubscription: number;
  newestCycle: number;
  newestContradiction: number;
  /** Events that D1 rejected because it has another one under their number. */
  takenEvents: number[];
}

/**
 * Raises the company's counters to those of D1, so that no number is given twice, and gives the events in
 * `takenEvents` new numbers. Returns how many it renumbered. Runs inside one `transactionSync`.
 */
export function raiseNumbers(
  { meta, outbox }: { meta: MetaStore; outbox: OutboxStore },
  {
    newestEvent,
    newestOperatorEvent,
    newestDispute,
    newestUnexpectedPayment,
    newestWithdraw,
    newestLink,
    newestSubscription,
    newestCycle,
    newestContradiction,
    ...rest
  }: LowestNumbers,
): number {
  const lowest = {
    newest_event: newestEvent,
    newest_operator_event: newestOperatorEvent,
    newest_dispute: newestDispute,
    newest_unexpected_payment: newestUnexpectedPayment,
    withdraw_floor: newestWithdraw,
    link_floor: newestLink,
    subscription_floor: newestSubscription,
    cycle_floor: newestCycle,
    contradiction_floor: newestContradiction,
  } as const;
  for (const [name, number] of Object.entries(lowest)) {
    const counter = name as keyof typeof lowest;
    if ((meta.get(counter) ?? 0) < number) meta.set(counter, number);
  }
  const taken = rest.takenEvents.toSorted((left, right) => left - right);
  for (const number of taken) outbox.rejected.renumber(number, meta.next("newest_event"));
  return taken.length;
}
