import {
  DELIVERY_LEASE_MS,
  type DeliveryLeaseRelease,
  type DeliveryLeaseResult,
  type DeliveryLeaseRequest,
} from "../../domain/events/delivery-lease.ts";

/** Concurrent webhooks of a company to one host. A busy merchant responds within 100 ms. */
const PERMITS_PER_HOST = 16;
/** When a crashed holder's permit expires: longer than the work on one object takes. */
const PERMIT_MS = 90_000;
/** How long a permit is reserved for the next delivery: its wake-up takes about a second. */
const RESERVATION_MS = 10_000;
/** Deliveries that wait for a permit of one host; the sweep finds the rest. */
const WAITING_MAX = 1_000;
/** How long an unused lease is remembered. */
const IDLE_MEMORY_MS = 60_000;

interface HostPermits {
  /** Holders of permits, or deliveries with a reservation, and when each expires. */
  sending: Map<string, number>;
  /** Denied deliveries, oldest first. */
  waiting: Set<string>;
}

/** The right to send one object's events to one target. */
interface Lease {
  /** The holder; null if free. */
  permit: string | null;
  until: number;
  /** When it was last acquired or released. */
  lastUsedAt: number;
  /** The delivery denied last since then. */
  waitingDelivery: string | null;
}

/**
 * Decides which queue consumers may send: one for each object and target, and `PERMITS_PER_HOST` for
 * each host. In memory only: D1 has the due deliveries and guards their attempts. After an eviction an
 * event may go out twice, but `retry_later` keeps the events of one object in order.
 */
export class DeliveryLeases {
  readonly #hosts = new Map<string, HostPermits>();
  readonly #leases = new Map<string, Lease>();
  readonly #startedAt: number;
  #evictedAt: number;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
    this.#evictedAt = startedAt;
  }

  /** Acquires lease and permit, or neither. */
  acquire(request: DeliveryLeaseRequest, nowMs: number): DeliveryLeaseResult {
    this.#evictIdle(nowMs);
    const { permit, deliveryId, group, host } = request;
    const lease = this.#leases.get(group);
    const isHeld = lease !== undefined && lease.permit !== null && lease.until > nowMs;
    if (isHeld && lease.permit !== permit) {
      lease.waitingDelivery = deliveryId;
      return { kind: "denied" };
    }
    const waitMs = this.#startedAt + DELIVERY_LEASE_MS - nowMs;
    // A consumer may hold a lease from before the eviction, but only for events from before it.
    if (waitMs > 0 && request.events > 1 && request.oldestAt < this.#startedAt) {
      return { kind: "retry_later", waitMs };
    }
    if (host !== null && !this.#acquirePermit(host, permit, deliveryId, nowMs))
      return { kind: "denied" };
    const until = nowMs + DELIVERY_LEASE_MS;
    this.#leases.set(group, {
      permit,
      until,
      lastUsedAt: nowMs,
      waitingDelivery: lease?.waitingDelivery ?? null,
    });
    const idleSince = Math.max(this.#startedAt, lease === undefined ? 0 : lastUsed(lease));
    return { kind: "granted", idleMs: Math.min(nowMs - idleSince, IDLE_MEMORY_MS) };
  }

  /**
   * Releases lease and permit, unless the holder can continue and another delivery of the group was
   * denied meanwhile: then the holder keeps both and reads the due deliveries again.
   */
  release(
    { permit, group, host }: DeliveryLeaseRequest,
    shouldContinue: boolean,
    nowMs: number,
  ): DeliveryLeaseRelease {
    const lease = this.#leases.get(group);
    const next: string[] = [];
    if (lease?.permit === permit) {
      const { waitingDelivery } = lease;
      lease.waitingDelivery = null;
      if (shouldContinue && waitingDelivery !== null && lease.until > nowMs)
        return { continue: true, next };
      lease.permit = null;
      lease.lastUsedAt = nowMs;
      if (waitingDelivery !== null) next.push(waitingDelivery);
    }
    const promoted = host === null ? null : this.#releasePermit(host, permit, nowMs);
    return { continue: false, next: promoted === null ? next : [...next, promoted] };
  }

  /** Without a free permit the delivery waits for one. */
  #acquirePermit(host: string, permit: string, deliveryId: string, nowMs: number): boolean {
    const permits = this.#hosts.get(host) ?? { sending: new Map(), waiting: new Set() };
    this.#hosts.set(host, permits);
    for (const [holder, until] of permits.sending)
      if (until <= nowMs) permits.sending.delete(holder);
    // Frees the permit that was reserved for this delivery.
    permits.sending.delete(deliveryId);
    if (permits.sending.size >= PERMITS_PER_HOST && !permits.sending.has(permit)) {
      if (permits.waiting.size < WAITING_MAX) permits.waiting.add(deliveryId);
      return false;
    }
    permits.sending.set(permit, nowMs + PERMIT_MS);
    permits.waiting.delete(deliveryId);
    return true;
  }

  /** Returns the delivery that now has the permit reserved, if one waits. */
  #releasePermit(host: string, permit: string, nowMs: number): string | null {
    const permits = this.#hosts.get(host);
    if (permits === undefined || !permits.sending.delete(permit)) return null;
    const [next] = permits.waiting;
    if (next !== undefined) {
      permits.waiting.delete(next);
      permits.sending.set(next, nowMs + RESERVATION_MS);
    } else if (permits.sending.size === 0) this.#hosts.delete(host);
    return next ?? null;
  }

  /** Deletes leases that were not used lately. */
  #evictIdle(nowMs: number): void {
    if (nowMs - this.#evictedAt < IDLE_MEMORY_MS) return;
    this.#evictedAt = nowMs;
    for (const [group, lease] of this.#leases) {
      if (lastUsed(lease) <= nowMs - IDLE_MEMORY_MS) this.#leases.delete(group);
    }
  }
}

/** A holder that did not release its lease may have worked until it expired. */
function lastUsed({ permit, until, lastUsedAt }: Lease): number {
  return permit === null ? lastUsedAt : until;
}
