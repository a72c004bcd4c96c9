import { SendSlots } from "../../../src/company/deliveries/send-slots.ts";
import type { SlotRequest } from "../../../src/domain/events/send-slot.ts";

/** A request for a slot by one delivery, of an object of its own where no other is named. */
export function slotRequest(
  host: string | null,
  slot: string,
  deliveryId: string,
  of: Partial<SlotRequest> = {},
): SlotRequest {
  return { slot, deliveryId, group: deliveryId, host, events: 1, oldestAt: 0, ...of };
}

/** Slots that are named as they are taken, each for an object of its own. */
export class NamedSlots {
  readonly #slots = new SendSlots(0);
  readonly #taken = new Map<string, SlotRequest>();
  #count = 0;

  /** The slot's name, or null where none is free. */
  take(host: string, deliveryId: string, nowMs: number): string | null {
    this.#count += 1;
    const slot = `slot-${this.#count}`;
    const request = slotRequest(host, slot, deliveryId, { group: slot });
    this.#taken.set(slot, request);
    return this.#slots.take(request, nowMs).kind === "taken" ? slot : null;
  }

  /** The delivery whose turn it is now. */
  free(host: string, slot: string, nowMs = 0): string | null {
    const request = this.#taken.get(slot) ?? slotRequest(host, slot, slot);
    return this.#slots.free({ ...request, host }, false, nowMs).next[0] ?? null;
  }
}
