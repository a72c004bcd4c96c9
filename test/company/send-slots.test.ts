import { describe, expect, it } from "vitest";
import { SendSlots } from "../../src/company/send-slots.ts";
import { NamedSlots } from "../support/named-slots.ts";

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
  const slots = new SendSlots();
  for (let index = 0; index < LIMIT; index++) {
    expect(slots.take(HOST, `slot-${index}`, `holder-${index}`, 0)).toBe(true);
    expect(slots.take(HOST, `slot-${index}`, `holder-${index}`, 0)).toBe(true);
  }
  slots.take(HOST, "a's", "a", 0);
  slots.take(HOST, "b's", "b", 0);

  expect(slots.free(HOST, "slot-0", 0)).toBe("a");
  expect(slots.free(HOST, "slot-0", 0)).toBeNull();
});
