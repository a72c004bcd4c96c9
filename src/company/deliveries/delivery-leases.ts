import {
  DELIVERY_LEASE_MS,
  type DeliveryLeaseRelease,
  type DeliveryLeaseResult,
  type DeliveryLeaseRequest,
} from "../../domain/events/delivery-lease.ts";

/** Webhooks under way to one host of one company's at once. A busy merchant answers within 100 ms. */
const PERMITS_PER_HOST = 16;
/** A slot whose holder died is free again after this: longer than the work on one object takes. */
const PERMIT_MS = 90_000;
/** How long a slot is kept for the delivery whose turn it is: a queue's hint takes about a second. */
const RESERVATION_MS = 10_000;
/** Deliveries of one host that wait for a slot; what is beyond is left to the sweep. */
const WAITING_MAX = 1_000;
/** How long it is remembered that an object was worked on. */
const IDLE_MEMORY_MS = 60_000;

interface HostPermits {
  /** Who is sending, or a delivery whose turn it is, and until when at the latest. */
  sending: Map<string, number>;
  /** Deliveries that were turned away, first come first. */
  waiting: Set<string>;
}

/** The work on one object's events for one target. */
interface Lease {
  /** Null where nobody holds it. */
  permit: string | null;
  until: number;
  /** When it was last taken or given back. */
  lastUsedAt: number;
  /** A delivery that was turned away since. */
  waitingDelivery: string | null;
}

/**
 * Who of a company's consumers may send: one at a time for each object and target, and so many to one
 * host. In memory only: which deliveries are due stands in D1, and what is recorded there is guarded
 * by the attempts before. An object that is evicted forgets limit and leases, so that an event may go
 * out twice; `early` keeps two consumers from sending several events of one object past each other.
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

  /** Takes lease and slot, or neither. */
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
    // Somebody may hold a lease that was forgotten, but none of what happened since.
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
   * Gives lease and slot back, unless `goOn` and another delivery of the group was turned away since
   * it was taken or last asked about: then the holder is to look again.
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

  /** Where no slot is free the delivery waits for one. */
  #acquirePermit(host: string, permit: string, deliveryId: string, nowMs: number): boolean {
    const permits = this.#hosts.get(host) ?? { sending: new Map(), waiting: new Set() };
    this.#hosts.set(host, permits);
    for (const [taken, until] of permits.sending) if (until <= nowMs) permits.sending.delete(taken);
    // Whose turn it is finds the slot that was kept for it.
    permits.sending.delete(deliveryId);
    if (permits.sending.size >= PERMITS_PER_HOST && !permits.sending.has(permit)) {
      if (permits.waiting.size < WAITING_MAX) permits.waiting.add(deliveryId);
      return false;
    }
    permits.sending.set(permit, nowMs + PERMIT_MS);
    permits.waiting.delete(deliveryId);
    return true;
  }

  /** Answers the delivery whose turn it is now, if one waits. */
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

  /** Forgets leases that are long over. */
  #evictIdle(nowMs: number): void {
    if (nowMs - this.#evictedAt < IDLE_MEMORY_MS) return;
    this.#evictedAt = nowMs;
    for (const [group, lease] of this.#leases) {
      if (lastUsed(lease) <= nowMs - IDLE_MEMORY_MS) this.#leases.delete(group);
    }
  }
}

/** A holder that never gave its lease back may have worked until it ran out. */
function lastUsed({ permit, until, lastUsedAt }: Lease): number {
  return permit === null ? lastUsedAt : until;
}
