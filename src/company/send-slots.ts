/** Webhooks under way to one host of one company's at once. A busy merchant answers within 100 ms. */
const PER_HOST_MAX = 16;
/** A slot whose holder died is free again after this: longer than the work on one object takes. */
const SLOT_MS = 90_000;
/** How long a slot is kept for the delivery whose turn it is: a queue's hint takes about a second. */
const TURN_MS = 10_000;
/** Deliveries of one host that wait for a slot; what is beyond is left to the sweep. */
const WAITING_MAX = 1_000;

interface HostSlots {
  /** Who is sending, or a delivery whose turn it is, and until when at the latest. */
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

  /**
   * Whether the slot, named by whoever asks so that it may be asked for twice, is the delivery's;
   * where none is free the delivery waits for one.
   */
  take(host: string, slot: string, deliveryId: string, nowMs: number): boolean {
    const slots = this.#hosts.get(host) ?? { sending: new Map(), waiting: new Set() };
    this.#hosts.set(host, slots);
    for (const [taken, until] of slots.sending) if (until <= nowMs) slots.sending.delete(taken);
    // Whose turn it is finds the slot that was kept for it.
    slots.sending.delete(deliveryId);
    if (slots.sending.size >= PER_HOST_MAX && !slots.sending.has(slot)) {
      if (slots.waiting.size < WAITING_MAX) slots.waiting.add(deliveryId);
      return false;
    }
    slots.sending.set(slot, nowMs + SLOT_MS);
    slots.waiting.delete(deliveryId);
    return true;
  }

  /** Gives a slot back; answers the delivery whose turn it is now, if one waits. */
  free(host: string, slot: string, nowMs: number): string | null {
    const slots = this.#hosts.get(host);
    if (slots === undefined || !slots.sending.delete(slot)) return null;
    const [next] = slots.waiting;
    if (next !== undefined) {
      slots.waiting.delete(next);
      slots.sending.set(next, nowMs + TURN_MS);
    } else if (slots.sending.size === 0) this.#hosts.delete(host);
    return next ?? null;
  }
}
