import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { MetaStore } from "./meta-store.ts";

/** What D1 has of a company's numbers, which an object that was restored to an earlier time may not know. */
export interface NumberFloors {
  newestEvent: number;
  newestOperatorEvent: number;
  newestDispute: number;
  newestUnexpectedPayment: number;
  newestWithdraw: number;
  newestLink: number;
  newestContradiction: number;
  /** Events set aside because D1 has another one under their number. */
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
    newestContradiction,
    ...rest
  }: NumberFloors,
): number {
  const floors = {
    newest_event: newestEvent,
    newest_operator_event: newestOperatorEvent,
    newest_dispute: newestDispute,
    newest_unexpected_payment: newestUnexpectedPayment,
    withdraw_floor: newestWithdraw,
    link_floor: newestLink,
    contradiction_floor: newestContradiction,
  } as const;
  for (const [name, floor] of Object.entries(floors)) {
    const counter = name as keyof typeof floors;
    if ((meta.get(counter) ?? 0) < floor) meta.set(counter, floor);
  }
  const taken = rest.takenEvents.toSorted((left, right) => left - right);
  for (const number of taken) outbox.setAside.renumber(number, meta.next("newest_event"));
  return taken.length;
}
