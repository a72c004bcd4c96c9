/**
 * A lease whose holder died is free again after this: no attempt is begun later than 10 s after it
 * was taken, and none lasts longer than 17 s (`webhooks/deliver.ts`).
 */
export const DELIVERY_LEASE_MS = 30_000;

/** What a consumer asks for before it sends: to be the only one, and not one too many at the host. */
export interface DeliveryLeaseRequest {
  /** Named by whoever asks, so that it may be asked for twice. */
  permit: string;
  deliveryId: string;
  /** The object and target whose events are to be sent. */
  group: string;
  /** Null where it does not matter how much is under way to the host. */
  host: string | null;
  /** How many of the group's events are open or just ended, and when the first of them happened. */
  events: number;
  oldestAt: number;
}

/**
 * `taken`: nobody else sends the group's events now, nor has anybody for `idleMs`, as far as is
 * remembered. `refused`: whoever holds it, or frees a slot, sees to the delivery. `early`: ask again
 * after `waitMs`.
 */
export type DeliveryLeaseResult =
  | { kind: "granted"; idleMs: number }
  | { kind: "denied" }
  | { kind: "retry_later"; waitMs: number };

/** Whether the group stays the holder's because another was turned away; and whose turn it is now. */
export interface DeliveryLeaseRelease {
  continue: boolean;
  next: string[];
}
