import { DeliveryLeases } from "../../../../src/company/deliveries/delivery-leases.ts";
import type { DeliveryLeaseRequest } from "../../../../src/domain/events/delivery-lease.ts";

/** A request for a slot by one delivery, of an object of its own where no other is named. */
export function permitRequest(
  host: string | null,
  permit: string,
  deliveryId: string,
  overrides: Partial<DeliveryLeaseRequest> = {},
): DeliveryLeaseRequest {
  return { permit, deliveryId, group: deliveryId, host, events: 1, oldestAt: 0, ...overrides };
}

/** Slots that are named as they are taken, each for an object of its own. */
export class NamedPermits {
  readonly #leases = new DeliveryLeases(0);
  readonly #acquired = new Map<string, DeliveryLeaseRequest>();
  #count = 0;

  /** The slot's name, or null where none is free. */
  acquire(host: string, deliveryId: string, nowMs: number): string | null {
    this.#count += 1;
    const slot = `slot-${this.#count}`;
    const request = permitRequest(host, slot, deliveryId, { group: slot });
    this.#acquired.set(slot, request);
    return this.#leases.acquire(request, nowMs).kind === "granted" ? slot : null;
  }

  /** The delivery whose turn it is now. */
  release(host: string, slot: string, nowMs = 0): string | null {
    const request = this.#acquired.get(slot) ?? permitRequest(host, slot, slot);
    return this.#leases.release({ ...request, host }, false, nowMs).next[0] ?? null;
  }
}
