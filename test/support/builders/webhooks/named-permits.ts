import { DeliveryLeases } from "../../../../src/company/deliveries/delivery-leases.ts";
import type { DeliveryLeaseRequest } from "../../../../src/domain/events/delivery-lease.ts";

/** A permit request of one delivery, by default for an object of its own. */
export function permitRequest(
  host: string | null,
  permit: string,
  deliveryId: string,
  overrides: Partial<DeliveryLeaseRequest> = {},
): DeliveryLeaseRequest {
  return { permit, deliveryId, group: deliveryId, host, events: 1, oldestAt: 0, ...overrides };
}

/** Permits with generated names, each for an object of its own. */
export class NamedPermits {
  readonly #leases = new DeliveryLeases(0);
  readonly #acquired = new Map<string, DeliveryLeaseRequest>();
  #count = 0;

  /** The permit's name, or null if none is free. */
  acquire(host: string, deliveryId: string, nowMs: number): string | null {
    this.#count += 1;
    const slot = `slot-${this.#count}`;
    const request = permitRequest(host, slot, deliveryId, { group: slot });
    this.#acquired.set(slot, request);
    return this.#leases.acquire(request, nowMs).kind === "granted" ? slot : null;
  }

  /** The delivery that is notified by the release. */
  release(host: string, slot: string, nowMs = 0): string | null {
    const request = this.#acquired.get(slot) ?? permitRequest(host, slot, slot);
    return this.#leases.release({ ...request, host }, false, nowMs).next[0] ?? null;
  }
}
