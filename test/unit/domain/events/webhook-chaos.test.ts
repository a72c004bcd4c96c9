import { describe, expect, it } from "vitest";
import { chaosPlan, type WebhookChaos } from "../../../../src/domain/events/webhook-chaos.ts";

const PLACES = 10_000;
const SEEDS = [0, 1, 2, 42, 20_261_121, 2 ** 31 - 1];
/** Five standard deviations of a share over that many places. */
const TOLERANCE = 0.025;

const NO_CHAOS: WebhookChaos = {
  seed: 0,
  duplicate: 0,
  reorder: 0,
  drop: 0,
  delay: 0,
  after: 0,
};

function plansOf(chaos: WebhookChaos, attempt = 1) {
  const plans = Array.from({ length: PLACES }, (_, index) =>
    chaosPlan(chaos, chaos.after + index + 1, attempt),
  );
  expect(plans).not.toContain(null);
  return plans.map((plan) => plan!);
}

/** The distinct plans of a chaos setting. */
function kindsOf(chaos: WebhookChaos): string[] {
  const kinds = plansOf(chaos).map(({ duplicate, reorder, drop, delayMs }) =>
    JSON.stringify({ duplicate, reorder, drop, heldMs: delayMs }),
  );
  return [...new Set(kinds)];
}

const shareOf = (flags: boolean[]) => flags.filter(Boolean).length / flags.length;

it("leaves events alone that are older than the chaos settings", () => {
  const chaos = { ...NO_CHAOS, drop: 1, after: 7 };
  expect(chaosPlan(chaos, 1, 1)).toBeNull();
  expect(chaosPlan(chaos, 7, 1)).toBeNull();
  expect(chaosPlan(chaos, 8, 1)).toMatchObject({ drop: true });
});

it.each(SEEDS)(
  "seed %i: the plan depends on the event's place after the start, not on its number",
  (seed) => {
    const chaos = { seed, duplicate: 0.5, reorder: 0.5, drop: 0.5, delay: 60 };
    for (let place = 1; place <= 200; place++) {
      for (const attempt of [1, 2, 11]) {
        const plan = chaosPlan({ ...chaos, after: 0 }, place, attempt);
        expect(chaosPlan({ ...chaos, after: 1_000_003 }, 1_000_003 + place, attempt)).toEqual(plan);
      }
    }
  },
);

it("different seeds give different plans", () => {
  const runs = SEEDS.map((seed) =>
    JSON.stringify(
      plansOf({ ...NO_CHAOS, seed, duplicate: 0.5, drop: 0.5, delay: 9 }).slice(0, 50),
    ),
  );
  expect(new Set(runs).size).toBe(SEEDS.length);
});

describe.each(SEEDS)("over 10,000 places of seed %i", (seed) => {
  it.each([0.01, 0.1, 0.3, 0.5, 0.9])("a share of %d affects that share of the events", (share) => {
    const plans = plansOf({ ...NO_CHAOS, seed, duplicate: share, reorder: share, drop: share });
    for (const knob of ["duplicate", "reorder", "drop"] as const) {
      const drawn = shareOf(plans.map((plan) => plan[knob]));
      expect(Math.abs(drawn - share), `${knob} ${drawn}`).toBeLessThan(TOLERANCE);
    }
  });

  it("a share of 0 is never and a share of 1 is always", () => {
    expect(kindsOf({ ...NO_CHAOS, seed, duplicate: 1, drop: 1 })).toEqual([
      JSON.stringify({ duplicate: true, reorder: false, drop: true, heldMs: 0 }),
    ]);
    expect(kindsOf({ ...NO_CHAOS, seed, reorder: 1 })).toEqual([
      JSON.stringify({ duplicate: false, reorder: true, drop: false, heldMs: 0 }),
    ]);
  });

  it("the delays are spread evenly up to the maximum, in whole milliseconds", () => {
    const held = plansOf({ ...NO_CHAOS, seed, delay: 60 }).map((plan) => plan.delayMs);
    expect(held.every((ms) => Number.isInteger(ms) && ms >= 0 && ms <= 60_000)).toBe(true);
    for (let quarter = 0; quarter < 4; quarter++) {
      const inside = held.map((ms) => ms >= quarter * 15_000 && ms < (quarter + 1) * 15_000);
      expect(Math.abs(shareOf(inside) - 0.25)).toBeLessThan(TOLERANCE);
    }
  });

  it("the jitter is spread evenly over [0, 1)", () => {
    const jitter = plansOf({ ...NO_CHAOS, seed, drop: 0.5 }).map((plan) => plan.jitter);
    expect(jitter.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(Math.abs(shareOf(jitter.map((value) => value < 0.5)) - 0.5)).toBeLessThan(TOLERANCE);
  });

  it("the settings, neighbours and attempts are independent", () => {
    const chaos = { ...NO_CHAOS, seed, duplicate: 0.5, reorder: 0.5, drop: 0.5 };
    const first = plansOf(chaos);
    const second = plansOf(chaos, 2);
    const pairs = {
      "drop and duplicate": first.map((plan) => plan.drop && plan.duplicate),
      "drop and reorder": first.map((plan) => plan.drop && plan.reorder),
      "duplicate and reorder": first.map((plan) => plan.duplicate && plan.reorder),
      "drop and the next place's": first.map(
        (plan, index) => plan.drop && first[(index + 1) % PLACES]!.drop,
      ),
      "drop and the next attempt's": first.map((plan, index) => plan.drop && second[index]!.drop),
    };
    for (const [name, both] of Object.entries(pairs)) {
      expect(Math.abs(shareOf(both) - 0.25), name).toBeLessThan(TOLERANCE);
    }
  });
});

it("the delay of an event is the same for every attempt", () => {
  const chaos = { ...NO_CHAOS, seed: 5, delay: 60 };
  const holds = [1, 2, 11].map((attempt) => plansOf(chaos, attempt).map((plan) => plan.delayMs));
  expect(holds[1]).toEqual(holds[0]);
  expect(holds[2]).toEqual(holds[0]);
});
