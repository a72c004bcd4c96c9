import { describe, expect, it } from "vitest";
import { SendSlots } from "../../../../src/company/deliveries/send-slots.ts";
import type { SlotRequest } from "../../../../src/domain/events/send-slot.ts";
import { NamedSlots, slotRequest } from "../../../support/fakes/named-slots.ts";

const HOST = "loja.example.com";
const LIMIT = 16;
const HOLDER_IS_DEAD_MS = 90_000;
const WAITING_MAX = 1_000;

/** Takes every slot of the host; answers their names. */
function fill(slots: NamedSlots, host = HOST, nowMs = 0): string[] {
  return Array.from({ length: LIMIT }, (_, index) => {
    const slot = slots.take(host, `holder-${index}`, nowMs);
    expect(slot, `slot ${index + 1}`).not.toBeNull();
    return slot!;
  });
}

it("16 are under way to one host, each under a name of its own, and not one more", () => {
  const slots = new NamedSlots();

  const names = fill(slots);

  expect(new Set(names).size).toBe(LIMIT);
  expect(slots.take(HOST, "one more", 0)).toBeNull();
});

it("a host's limit is no other host's, another port of it included", () => {
  const slots = new NamedSlots();
  fill(slots);

  fill(slots, "other.example.com");
  fill(slots, `${HOST}:8443`);
});

describe("who was turned away", () => {
  it("has its turn first come first, one for each slot given back", () => {
    const slots = new NamedSlots();
    const names = fill(slots);
    for (const id of ["a", "b", "c"]) expect(slots.take(HOST, id, 0)).toBeNull();

    expect(names.slice(0, 4).map((name) => slots.free(HOST, name))).toEqual(["a", "b", "c", null]);
  });

  it("keeps its place and has one turn however often it asks", () => {
    const slots = new NamedSlots();
    const names = fill(slots);
    for (const id of ["a", "b", "a", "a"]) slots.take(HOST, id, 0);

    expect(names.slice(0, 3).map((name) => slots.free(HOST, name))).toEqual(["a", "b", null]);
  });

  it("has no turn left once it took a slot by itself", () => {
    const slots = new NamedSlots();
    const [first, second, third] = fill(slots);
    slots.take(HOST, "a", 0);
    slots.take(HOST, "b", 0);
    slots.free(HOST, first!);
    slots.free(HOST, second!);

    expect(slots.take(HOST, "b", 0)).not.toBeNull();
    expect(slots.free(HOST, third!)).toBeNull();
  });

  it("finds the slot of its turn kept, whoever comes by meanwhile, for ten seconds", () => {
    const slots = new NamedSlots();
    const [first, second] = fill(slots);
    slots.take(HOST, "a", 0);
    expect(slots.free(HOST, first!)).toBe("a");

    expect(slots.take(HOST, "comes by", 0)).toBeNull();
    expect(slots.take(HOST, "a", 0)).not.toBeNull();
    expect(slots.free(HOST, second!)).toBe("comes by");
    expect(slots.take(HOST, "another", 9_999)).toBeNull();
    expect(slots.take(HOST, "another", 10_000)).not.toBeNull();
  });

  it("is remembered up to a bound: what is beyond is the sweep's", () => {
    const slots = new NamedSlots();
    const names = fill(slots);
    for (let index = 0; index <= WAITING_MAX; index++) slots.take(HOST, `w${index}`, 0);

    const turns: string[] = [];
    let slot = names[0]!;
    for (let next = slots.free(HOST, slot); next !== null; next = slots.free(HOST, slot)) {
      turns.push(next);
      slot = slots.take(HOST, next, 0)!;
    }
    expect(turns).toHaveLength(WAITING_MAX);
    expect(turns.at(-1)).toBe(`w${WAITING_MAX - 1}`);
  });
});

describe("a holder that died", () => {
  it("holds its slot so long and no longer", () => {
    const slots = new NamedSlots();
    fill(slots);

    expect(slots.take(HOST, "a", HOLDER_IS_DEAD_MS - 1)).toBeNull();
    expect(slots.take(HOST, "a", HOLDER_IS_DEAD_MS)).not.toBeNull();
  });

  it("takes no living one's slot along", () => {
    const slots = new NamedSlots();
    fill(slots);
    const later = HOLDER_IS_DEAD_MS;
    fill(slots, HOST, later);

    expect(slots.take(HOST, "a", later)).toBeNull();
    expect(slots.take(HOST, "a", 2 * HOLDER_IS_DEAD_MS - 1)).toBeNull();
  });

  it("that gives its slot back after all takes nobody else's", () => {
    const slots = new NamedSlots();
    const dead = fill(slots);
    fill(slots, HOST, HOLDER_IS_DEAD_MS);

    for (const name of dead) slots.free(HOST, name);

    expect(slots.take(HOST, "a", HOLDER_IS_DEAD_MS)).toBeNull();
  });
});

describe("giving back", () => {
  it("what was never taken is nothing, at a host that nobody knows too", () => {
    const slots = new NamedSlots();
    expect(slots.free(HOST, "no slot")).toBeNull();
    expect(slots.free("", "")).toBeNull();

    const names = fill(slots);
    expect(slots.free(HOST, "no slot")).toBeNull();
    expect(slots.take(HOST, "a", 0)).toBeNull();
    expect(slots.free("other.example.com", names[0]!)).toBeNull();
    expect(slots.take(HOST, "b", 0)).toBeNull();
  });

  it("twice frees one slot", () => {
    const slots = new NamedSlots();
    const [first] = fill(slots);
    slots.free(HOST, first!);
    slots.free(HOST, first!);

    expect(slots.take(HOST, "a", 0)).not.toBeNull();
    expect(slots.take(HOST, "b", 0)).toBeNull();
  });

  it("all leaves a host as if it had never been sent to, 1,000 times over", () => {
    const slots = new NamedSlots();
    for (let round = 0; round < 1_000; round++) {
      const names = fill(slots, HOST, round);
      expect(names.map((name) => slots.free(HOST, name)).every((next) => next === null)).toBe(true);
    }
  });
});

it("a slot that is taken or given back twice, because an answer was lost, counts once", () => {
  const slots = new SendSlots(0);
  const taken = { kind: "taken" };
  for (let index = 0; index < LIMIT; index++) {
    const request = slotRequest(HOST, `slot-${index}`, `holder-${index}`);
    expect(slots.take(request, 0)).toMatchObject(taken);
    expect(slots.take(request, 0)).toMatchObject(taken);
  }
  slots.take(slotRequest(HOST, "a's", "a"), 0);
  slots.take(slotRequest(HOST, "b's", "b"), 0);

  const first = slotRequest(HOST, "slot-0", "holder-0");
  expect(slots.free(first, false, 0).next).toEqual(["a"]);
  expect(slots.free(first, false, 0).next).toEqual([]);
});

const LEASE_MS = 30_000;

/** A request for the lease of one object. */
function of(slot: string, wish: Partial<SlotRequest> = {}): SlotRequest {
  return slotRequest(HOST, slot, `delivery of ${slot}`, { group: "an object", ...wish });
}

describe("a lease", () => {
  it("is one holder's; who is turned away meanwhile is told of when it is given back", () => {
    const slots = new SendSlots(0);
    expect(slots.take(of("a"), LEASE_MS)).toEqual({ kind: "taken", quietMs: LEASE_MS });

    expect(slots.take(of("b"), LEASE_MS)).toEqual({ kind: "refused" });
    expect(slots.take(of("c", { group: "another" }), LEASE_MS)).toMatchObject({ kind: "taken" });

    expect(slots.free(of("a"), false, LEASE_MS)).toEqual({ goOn: false, next: ["delivery of b"] });
    expect(slots.take(of("b"), LEASE_MS)).toEqual({ kind: "taken", quietMs: 0 });
  });

  it("stays its holder's where somebody was turned away, each time it asks", () => {
    const slots = new SendSlots(0);
    slots.take(of("a"), 0);
    slots.take(of("b"), 0);

    expect(slots.free(of("a"), true, 1)).toEqual({ goOn: true, next: [] });
    expect(slots.take(of("b"), 2)).toEqual({ kind: "refused" });
    expect(slots.free(of("a"), true, 3)).toEqual({ goOn: true, next: [] });
    expect(slots.free(of("a"), true, 4)).toEqual({ goOn: false, next: [] });
    expect(slots.take(of("b"), 5)).toEqual({ kind: "taken", quietMs: 1 });
  });

  it("that ran out is another's, and its first holder takes nothing of it away", () => {
    const slots = new SendSlots(0);
    slots.take(of("a"), 0);
    expect(slots.take(of("b"), LEASE_MS - 1)).toEqual({ kind: "refused" });
    expect(slots.take(of("b"), LEASE_MS + 5)).toEqual({ kind: "taken", quietMs: 5 });

    expect(slots.free(of("a"), true, LEASE_MS + 6)).toMatchObject({ goOn: false });
    expect(slots.take(of("c"), LEASE_MS + 7)).toEqual({ kind: "refused" });
  });

  it("is quiet since the object's birth at most, and for a minute at most", () => {
    expect(new SendSlots(100).take(of("a"), 107)).toEqual({ kind: "taken", quietMs: 7 });
    expect(new SendSlots(0).take(of("a"), 3_600_000)).toEqual({ kind: "taken", quietMs: 60_000 });
  });

  it("of several events, one older than the object, waits until no forgotten holder can be left", () => {
    const slots = new SendSlots(1_000);
    const several = { events: 2, oldestAt: 999 };
    expect(slots.take(of("a", several), 1_000)).toEqual({ kind: "early", waitMs: LEASE_MS });
    expect(slots.take(of("a", several), 30_999)).toEqual({ kind: "early", waitMs: 1 });
    expect(slots.take(of("a", several), 31_000)).toMatchObject({ kind: "taken" });

    const fresh = new SendSlots(1_000);
    expect(fresh.take(of("a", { oldestAt: 999 }), 1_000)).toMatchObject({ kind: "taken" });
    const born = { group: "another", events: 2, oldestAt: 1_000 };
    expect(fresh.take(of("b", born), 1_000)).toMatchObject({ kind: "taken" });
  });

  it("that is refused for want of a slot is not taken", () => {
    const slots = new SendSlots(0);
    for (let index = 0; index < LIMIT; index++) {
      slots.take(slotRequest(HOST, `slot-${index}`, `holder-${index}`), 0);
    }
    expect(slots.take(of("a"), 0)).toEqual({ kind: "refused" });
    expect(slots.take(of("b", { host: null }), 0)).toMatchObject({ kind: "taken" });
  });
});
