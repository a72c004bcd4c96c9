import { describe, expect, it } from "vitest";
import { DeliveryLeases } from "../../../../src/company/deliveries/delivery-leases.ts";
import type { DeliveryLeaseRequest } from "../../../../src/domain/events/delivery-lease.ts";
import { NamedPermits, permitRequest } from "../../../support/builders/webhooks/named-permits.ts";

const HOST = "loja.example.com";
const LIMIT = 16;
const LEASE_EXPIRED_MS = 90_000;
const WAITING_MAX = 1_000;

/** Takes every permit of the host; returns their names. */
function acquireAll(slots: NamedPermits, host = HOST, nowMs = 0): string[] {
  return Array.from({ length: LIMIT }, (_, index) => {
    const slot = slots.acquire(host, `holder-${index}`, nowMs);
    expect(slot, `slot ${index + 1}`).not.toBeNull();
    return slot!;
  });
}

it("one host has at most 16 concurrent permits with distinct names", () => {
  const slots = new NamedPermits();

  const names = acquireAll(slots);

  expect(new Set(names).size).toBe(LIMIT);
  expect(slots.acquire(HOST, "one more", 0)).toBeNull();
});

it("each host and port has its own limit", () => {
  const slots = new NamedPermits();
  acquireAll(slots);

  acquireAll(slots, "other.example.com");
  acquireAll(slots, `${HOST}:8443`);
});

describe("a waiting delivery", () => {
  it("gets released permits in order of arrival", () => {
    const slots = new NamedPermits();
    const names = acquireAll(slots);
    for (const id of ["a", "b", "c"]) expect(slots.acquire(HOST, id, 0)).toBeNull();

    expect(names.slice(0, 4).map((name) => slots.release(HOST, name))).toEqual([
      "a",
      "b",
      "c",
      null,
    ]);
  });

  it("keeps its place and has one turn for repeated requests", () => {
    const slots = new NamedPermits();
    const names = acquireAll(slots);
    for (const id of ["a", "b", "a", "a"]) slots.acquire(HOST, id, 0);

    expect(names.slice(0, 3).map((name) => slots.release(HOST, name))).toEqual(["a", "b", null]);
  });

  it("loses its turn once it acquires a permit itself", () => {
    const slots = new NamedPermits();
    const [first, second, third] = acquireAll(slots);
    slots.acquire(HOST, "a", 0);
    slots.acquire(HOST, "b", 0);
    slots.release(HOST, first!);
    slots.release(HOST, second!);

    expect(slots.acquire(HOST, "b", 0)).not.toBeNull();
    expect(slots.release(HOST, third!)).toBeNull();
  });

  it("has its permit reserved for ten seconds", () => {
    const slots = new NamedPermits();
    const [first, second] = acquireAll(slots);
    slots.acquire(HOST, "a", 0);
    expect(slots.release(HOST, first!)).toBe("a");

    expect(slots.acquire(HOST, "comes by", 0)).toBeNull();
    expect(slots.acquire(HOST, "a", 0)).not.toBeNull();
    expect(slots.release(HOST, second!)).toBe("comes by");
    expect(slots.acquire(HOST, "another", 9_999)).toBeNull();
    expect(slots.acquire(HOST, "another", 10_000)).not.toBeNull();
  });

  it("is remembered up to a limit; the sweep finds the rest", () => {
    const slots = new NamedPermits();
    const names = acquireAll(slots);
    for (let index = 0; index <= WAITING_MAX; index++) slots.acquire(HOST, `w${index}`, 0);

    const turns: string[] = [];
    let slot = names[0]!;
    for (let next = slots.release(HOST, slot); next !== null; next = slots.release(HOST, slot)) {
      turns.push(next);
      slot = slots.acquire(HOST, next, 0)!;
    }
    expect(turns).toHaveLength(WAITING_MAX);
    expect(turns.at(-1)).toBe(`w${WAITING_MAX - 1}`);
  });
});

describe("a crashed holder", () => {
  it("keeps its permit until the lease expires", () => {
    const slots = new NamedPermits();
    acquireAll(slots);

    expect(slots.acquire(HOST, "a", LEASE_EXPIRED_MS - 1)).toBeNull();
    expect(slots.acquire(HOST, "a", LEASE_EXPIRED_MS)).not.toBeNull();
  });

  it("does not affect the permit of a live holder", () => {
    const slots = new NamedPermits();
    acquireAll(slots);
    const later = LEASE_EXPIRED_MS;
    acquireAll(slots, HOST, later);

    expect(slots.acquire(HOST, "a", later)).toBeNull();
    expect(slots.acquire(HOST, "a", 2 * LEASE_EXPIRED_MS - 1)).toBeNull();
  });

  it("that releases late does not release another holder's permit", () => {
    const slots = new NamedPermits();
    const dead = acquireAll(slots);
    acquireAll(slots, HOST, LEASE_EXPIRED_MS);

    for (const name of dead) slots.release(HOST, name);

    expect(slots.acquire(HOST, "a", LEASE_EXPIRED_MS)).toBeNull();
  });
});

describe("a release", () => {
  it("of a permit that was not acquired has no effect, also for an unknown host", () => {
    const slots = new NamedPermits();
    expect(slots.release(HOST, "no slot")).toBeNull();
    expect(slots.release("", "")).toBeNull();

    const names = acquireAll(slots);
    expect(slots.release(HOST, "no slot")).toBeNull();
    expect(slots.acquire(HOST, "a", 0)).toBeNull();
    expect(slots.release("other.example.com", names[0]!)).toBeNull();
    expect(slots.acquire(HOST, "b", 0)).toBeNull();
  });

  it("that repeats frees one permit", () => {
    const slots = new NamedPermits();
    const [first] = acquireAll(slots);
    slots.release(HOST, first!);
    slots.release(HOST, first!);

    expect(slots.acquire(HOST, "a", 0)).not.toBeNull();
    expect(slots.acquire(HOST, "b", 0)).toBeNull();
  });

  it("of all permits leaves no state for the host, 1,000 times over", () => {
    const slots = new NamedPermits();
    for (let round = 0; round < 1_000; round++) {
      const names = acquireAll(slots, HOST, round);
      expect(names.map((name) => slots.release(HOST, name)).every((next) => next === null)).toBe(
        true,
      );
    }
  });
});

it("an acquire or release that repeats after a lost response counts once", () => {
  const slots = new DeliveryLeases(0);
  const taken = { kind: "granted" };
  for (let index = 0; index < LIMIT; index++) {
    const request = permitRequest(HOST, `slot-${index}`, `holder-${index}`);
    expect(slots.acquire(request, 0)).toMatchObject(taken);
    expect(slots.acquire(request, 0)).toMatchObject(taken);
  }
  slots.acquire(permitRequest(HOST, "a's", "a"), 0);
  slots.acquire(permitRequest(HOST, "b's", "b"), 0);

  const first = permitRequest(HOST, "slot-0", "holder-0");
  expect(slots.release(first, false, 0).next).toEqual(["a"]);
  expect(slots.release(first, false, 0).next).toEqual([]);
});

const LEASE_MS = 30_000;

/** A request for the lease of one object. */
function permitFor(slot: string, wish: Partial<DeliveryLeaseRequest> = {}): DeliveryLeaseRequest {
  return permitRequest(HOST, slot, `delivery of ${slot}`, { group: "an object", ...wish });
}

describe("a lease", () => {
  it("has one holder; a waiting delivery is notified on its release", () => {
    const slots = new DeliveryLeases(0);
    expect(slots.acquire(permitFor("a"), LEASE_MS)).toEqual({ kind: "granted", idleMs: LEASE_MS });

    expect(slots.acquire(permitFor("b"), LEASE_MS)).toEqual({ kind: "denied" });
    expect(slots.acquire(permitFor("c", { group: "another" }), LEASE_MS)).toMatchObject({
      kind: "granted",
    });

    expect(slots.release(permitFor("a"), false, LEASE_MS)).toEqual({
      continue: false,
      next: ["delivery of b"],
    });
    expect(slots.acquire(permitFor("b"), LEASE_MS)).toEqual({ kind: "granted", idleMs: 0 });
  });

  it("stays with its holder while others wait, on each renewal", () => {
    const slots = new DeliveryLeases(0);
    slots.acquire(permitFor("a"), 0);
    slots.acquire(permitFor("b"), 0);

    expect(slots.release(permitFor("a"), true, 1)).toEqual({ continue: true, next: [] });
    expect(slots.acquire(permitFor("b"), 2)).toEqual({ kind: "denied" });
    expect(slots.release(permitFor("a"), true, 3)).toEqual({ continue: true, next: [] });
    expect(slots.release(permitFor("a"), true, 4)).toEqual({ continue: false, next: [] });
    expect(slots.acquire(permitFor("b"), 5)).toEqual({ kind: "granted", idleMs: 1 });
  });

  it("that expired belongs to the next holder, and the first holder cannot release it", () => {
    const slots = new DeliveryLeases(0);
    slots.acquire(permitFor("a"), 0);
    expect(slots.acquire(permitFor("b"), LEASE_MS - 1)).toEqual({ kind: "denied" });
    expect(slots.acquire(permitFor("b"), LEASE_MS + 5)).toEqual({ kind: "granted", idleMs: 5 });

    expect(slots.release(permitFor("a"), true, LEASE_MS + 6)).toMatchObject({ continue: false });
    expect(slots.acquire(permitFor("c"), LEASE_MS + 7)).toEqual({ kind: "denied" });
  });

  it("is idle since the object's start at most, and for a minute at most", () => {
    expect(new DeliveryLeases(100).acquire(permitFor("a"), 107)).toEqual({
      kind: "granted",
      idleMs: 7,
    });
    expect(new DeliveryLeases(0).acquire(permitFor("a"), 3_600_000)).toEqual({
      kind: "granted",
      idleMs: 60_000,
    });
  });

  it("of several events that predate the object waits until no lost holder can exist", () => {
    const slots = new DeliveryLeases(1_000);
    const several = { events: 2, oldestAt: 999 };
    expect(slots.acquire(permitFor("a", several), 1_000)).toEqual({
      kind: "retry_later",
      waitMs: LEASE_MS,
    });
    expect(slots.acquire(permitFor("a", several), 30_999)).toEqual({
      kind: "retry_later",
      waitMs: 1,
    });
    expect(slots.acquire(permitFor("a", several), 31_000)).toMatchObject({ kind: "granted" });

    const fresh = new DeliveryLeases(1_000);
    expect(fresh.acquire(permitFor("a", { oldestAt: 999 }), 1_000)).toMatchObject({
      kind: "granted",
    });
    const born = { group: "another", events: 2, oldestAt: 1_000 };
    expect(fresh.acquire(permitFor("b", born), 1_000)).toMatchObject({ kind: "granted" });
  });

  it("without a free permit is not acquired", () => {
    const slots = new DeliveryLeases(0);
    for (let index = 0; index < LIMIT; index++) {
      slots.acquire(permitRequest(HOST, `slot-${index}`, `holder-${index}`), 0);
    }
    expect(slots.acquire(permitFor("a"), 0)).toEqual({ kind: "denied" });
    expect(slots.acquire(permitFor("b", { host: null }), 0)).toMatchObject({ kind: "granted" });
  });
});
