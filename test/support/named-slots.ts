import { SendSlots } from "../../src/company/send-slots.ts";

/** Slots that are named as they are taken. */
export class NamedSlots {
  readonly #slots = new SendSlots();
  #count = 0;

  /** The slot's name, or null where none is free. */
  take(host: string, deliveryId: string, nowMs: number): string | null {
    this.#count += 1;
    const slot = `slot-${this.#count}`;
    return this.#slots.take(host, slot, deliveryId, nowMs) ? slot : null;
  }

  free(host: string, slot: string, nowMs = 0): string | null {
    return this.#slots.free(host, slot, nowMs);
  }
}
