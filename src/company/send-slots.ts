/** Webhooks under way to one host of one company's at once. A busy merchant answers within 100 ms. */
const PER_HOST_MAX = 16;
/** A slot whose holder died is free again after this: longer than the work on one object takes. */
const SLOT_MS = 90_000;
/** Deliveries of one host that wait for a slot; what is beyond is left to the sweep. */
const WAITING_MAX = 1_000;

interface HostSlots {
  /** Who is sending, and until when at the latest. */
  sending: Map<string, number>;
  /** Deliveries that were turned away, first come first. */
  waiting: Set<string>;
}

/**
 * How many of a company's webhooks may be under way to one host. In memory only: which deliveries
 * are due stands in D1, so an object that is evicted forgets a limit for a moment, and nothing else.
 */
export class SendSlots {
  readonly #hosts = new Map<string, HostSlots>();

  /** Names the slot that was taken; null where none is free, and then the delivery waits for one. */
  take(host: string, deliveryId: string, nowMs: number): string | null {
    const slots = this.#hosts.get(host) ?? { sending: new Map(), waiting: new Set() };
    this.#hosts.set(host, slots);
    for (const [slot, until] of slots.sending) if (until <= nowMs) slots.sending.delete(slot);
    if (slots.sending.size >= PER_HOST_MAX) {
      if (slots.waiting.size < WAITING_MAX) slots.waiting.add(deliveryId);
      return null;
    }
    const slot = crypto.randomUUID();
    slots.sending.set(slot, nowMs + SLOT_MS);
    slots.waiting.delete(deliveryId);
    return slot;
  }

  /** Gives a slot back; answers the delivery whose turn it is now, if one waits. */
  free(host: string, slot: string): string | null {
    const slots = this.#hosts.get(host);
    if (slots === undefined) return null;
    slots.sending.delete(slot);
    const [next] = slots.waiting;
    if (next !== undefined) slots.waiting.delete(next);
    else if (slots.sending.size === 0) this.#hosts.delete(host);
    return next ?? null;
  }
}
