/**
 * A delivery lease expires after this, also when its holder died. An attempt starts at most 10 s after the
 * grant and lasts at most 17 s (`webhooks/delivery/deliver.ts`).
 */
export const DELIVERY_LEASE_MS = 30_000;

/** A consumer's request to send alone for its group, within the host's limit of open connections. */
export interface DeliveryLeaseRequest {
  /** Chosen by the consumer, so that it can repeat the request. */
  permit: string;
  deliveryId: string;
  /** The object and target of the events. */
  group: string;
  /** Null when the host's limit does not apply. */
  host: string | null;
  /** How many of the group's events are open or just ended. `oldestAt` is the time of the first one. */
  events: number;
  oldestAt: number;
}

/**
 * `granted`: nobody else sends the group's events; nobody did for `idleMs` that the object remembers.
 * `denied`: the lease holder, or the next freed permit, takes care of the delivery. `retry_later`: ask
 * again after `waitMs`.
 */
export type DeliveryLeaseResult =
  | { kind: "granted"; idleMs: number }
  | { kind: "denied" }
  | { kind: "retry_later"; waitMs: number };

/** `continue`: the holder keeps the group, because it denied another. `next`: deliveries to wake now. */
export interface DeliveryLeaseRelease {
  continue: boolean;
  next: string[];
}
