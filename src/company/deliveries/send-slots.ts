import {
  LEASE_MS,
  type FreedSlot,
  type SlotAnswer,
  type SlotRequest,
} from "../../domain/events/send-slot.ts";

/** Webhooks under way to one host of one company's at once. A busy merchant answers within 100 ms. */
const PER_HOST_MAX = 16;
/** A slot whose holder died is free again after this: longer than the work on one object takes. */
const SLOT_MS = 90_000;
/** How long a slot is kept for the delivery whose turn it is: a queue's hint takes about a second. */
const TURN_MS = 10_000;
/** Deliveries of one host that wait for a slot; what is beyond is left to the sweep. */
const WAITING_MAX = 1_000;
/** How long it is remembered that an object was worked on. */
const REMEMBERED_MS = 60_000;

interface HostSlots {
  /** Who is sending, or a delivery whose turn it is, and until when at the latest. */
  sending: Map<string, number>;
  /** Deliveries that were turned away, first come first. */
  waiting: Set<string>;
}

/** The work on one object's events for one target. */
interface Lease {
  /** Null where nobody holds it. */
  slot: string | null;
  until: number;
  /** When it was last taken or given back. */
  touchedAt: number;
  /** A delivery that was turned away since. */
  refused: string | null;
}

/**
 * Who of a company's consumers may send: one at a time for each object and target, and so many to one
 * host. In memory only: which deliveries are due stands in D1, and what is recorded there is guarded
 * by the attempts before. An object that is evicted forgets limit and leases, so that an event may go
 * out twice; `early` keeps two consumers from sending several events of one object past each other.
 */
export class SendSlots {
  readonly #hosts = new Map<string, HostSlots>();
  readonly #leases = new Map<string, Lease>();
  readonly #bornAt: number;
  #cleanedAt: number;

  constructor(bornAt: number) {
    this.#bornAt = bornAt;
    this.#cleanedAt = bornAt;
  }

  /** Takes lease and slot, or neither. */
  take(request: SlotRequest, nowMs: number): SlotAnswer {
    this.#clean(nowMs);
    const { slot, deliveryId, group, host } = request;
    const lease = this.#leases.get(group);
    const isHeld = lease !== undefined && lease.slot !== null && lease.until > nowMs;
    if (isHeld && lease.slot !== slot) {
      lease.refused = deliveryId;
      return { kind: "refused" };
    }
    const waitMs = this.#bornAt + LEASE_MS - nowMs;
    // Somebody may hold a lease that was forgotten, but none of what happened since.
    if (waitMs > 0 && request.events > 1 && request.oldestAt < this.#bornAt) {
      return { kind: "early", waitMs };
    }
    if (host !== null && !this.#takeSlot(host, slot, deliveryId, nowMs)) return { kind: "refused" };
    const until = nowMs + LEASE_MS;
    this.#leases.set(group, { slot, until, touchedAt: nowMs, refused: lease?.refused ?? null });
    const quietSince = Math.max(this.#bornAt, lease === undefined ? 0 : lastTouched(lease));
    return { kind: "taken", quietMs: Math.min(nowMs - quietSince, REMEMBERED_MS) };
  }

  /**
   * Gives lease and slot back, unless `goOn` and another delivery of the group was turned away since
   * it was taken or last asked about: then the holder is to look again.
   */
  free({ slot, group, host }: SlotRequest, goOn: boolean, nowMs: number): FreedSlot {
    const lease = this.#leases.get(group);
    const next: string[] = [];
    if (lease?.slot === slot) {
      const { refused } = lease;
      lease.refused = null;
      if (goOn && refused !== null && lease.until > nowMs) return { goOn: true, next };
      lease.slot = null;
      lease.touchedAt = nowMs;
      if (refused !== null) next.push(refused);
    }
    const turn = host === null ? null : this.#freeSlot(host, slot, nowMs);
    return { goOn: false, next: turn === null ? next : [...next, turn] };
  }

  /** Where no slot is free the delivery waits for one. */
  #takeSlot(host: string, slot: string, deliveryId: string, nowMs: number): boolean {
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

  /** Answers the delivery whose turn it is now, if one waits. */
  #freeSlot(host: string, slot: string, nowMs: number): string | null {
    const slots = this.#hosts.get(host);
    if (slots === undefined || !slots.sending.delete(slot)) return null;
    const [next] = slots.waiting;
    if (next !== undefined) {
      slots.waiting.delete(next);
      slots.sending.set(next, nowMs + TURN_MS);
    } else if (slots.sending.size === 0) this.#hosts.delete(host);
    return next ?? null;
  }

  /** Forgets leases that are long over. */
  #clean(nowMs: number): void {
    if (nowMs - this.#cleanedAt < REMEMBERED_MS) return;
    this.#cleanedAt = nowMs;
    for (const [group, lease] of this.#leases) {
      if (lastTouched(lease) <= nowMs - REMEMBERED_MS) this.#leases.delete(group);
    }
  }
}

/** A holder that never gave its lease back may have worked until it ran out. */
function lastTouched({ slot, until, touchedAt }: Lease): number {
  return slot === null ? touchedAt : until;
}
