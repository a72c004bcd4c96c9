import { afterAll, describe, expect, it } from "vitest";
import { chaosPlan } from "../../../../src/domain/events/webhook-chaos.ts";
import { env, type TestCompany } from "../../../support/builders/company.ts";
import { endpointOf } from "../../../support/fakes/failing-host.ts";
import { followHints } from "../../../support/fakes/hint-follower.ts";
import {
  hostileRun,
  sequencesOf,
  setChaos,
  HOOK,
  type Post,
} from "../../../support/faults/hostile-run.ts";
import { endAllDue, givenHistory } from "../../../support/builders/webhook-history.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhook-rows.ts";

afterAll(endAllDue);

const ALL = { duplicate: 0.4, reorder: 0.4, drop: 0.4, delay: 20 };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const LONGEST = [12 * HOUR, 12 * HOUR, 12 * HOUR];

/** A run without what differs from company to company. */
const shape = (posts: Post[]) =>
  posts.map(({ place, object, sequence, at }) => ({ place, object, sequence, at }));

/** Every object's three events, once each, in their order. */
const UNHARMED = Array.from({ length: 6 }, () => [1, 2, 3]);

async function finalStates(company: TestCompany, after: number): Promise<string[]> {
  return (await deliveriesOf(company)).slice(after).map((delivery) => delivery.status);
}

describe("the same seed and the same calls", () => {
  it.each([1, 2 ** 31 - 1])("seed %i: meet the same run, whatever was before", async (seed) => {
    const first = await hostileRun({ chaos: { seed, ...ALL } });
    const second = await hostileRun({ chaos: { seed, ...ALL }, payments: 3 });

    expect(shape(second.posts)).toEqual(shape(first.posts));
    expect(second.attempts).toEqual(first.attempts);
    expect(first.attempts.some((attempt) => attempt.fault === "chaos_dropped")).toBe(true);
    expect(sequencesOf(first.posts)).not.toEqual(UNHARMED);
    expect(await finalStates(second.company, 3)).toEqual(await finalStates(first.company, 1));
  });

  it("another seed is another run", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map((seed) => hostileRun({ chaos: { seed, ...ALL } })),
    );
    expect(shape(second!.posts)).not.toEqual(shape(first!.posts));
  });

  it("whatever happens, each object's last state arrives, and all ends", async () => {
    const { posts, company, payments, count } = await hostileRun({ chaos: { seed: 3, ...ALL } });
    for (const object of sequencesOf(posts)) expect(object).toContain(3);
    const states = await finalStates(company, payments);
    expect(states).toHaveLength(count);
    expect(states).not.toContain("pending");
    expect(states).not.toContain("exhausted");
  });
});

describe("duplicate alone", () => {
  it("sends every event twice, right after itself, under one webhook-id with one body", async () => {
    const { posts, attempts, count, company, payments } = await hostileRun({
      chaos: { duplicate: 1 },
    });
    expect(posts).toHaveLength(2 * count);
    for (let index = 0; index < posts.length; index += 2) {
      expect(posts[index + 1]).toEqual(posts[index]);
    }
    expect(sequencesOf(posts)).toEqual(UNHARMED.map(() => [1, 1, 2, 2, 3, 3]));
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: 2 * count }, (_, index) => 1 + (index % 2)),
    );
    const rows = (await deliveriesOf(company)).slice(payments);
    expect(rows.every((each) => each.status === "delivered" && each.attempts === 2)).toBe(true);
  });

  it("does not repeat what did not arrive", async () => {
    const { posts, attempts } = await hostileRun({
      chaos: { duplicate: 1 },
      objects: 1,
      status: 410,
    });
    expect(posts).toHaveLength(3);
    expect(attempts).toHaveLength(3);
  });
});

describe("reorder alone", () => {
  it("sends the object's event before once more after the newer one, and nothing after a first", async () => {
    const { posts, company, payments } = await hostileRun({ chaos: { reorder: 1 } });
    expect(sequencesOf(posts)).toEqual(UNHARMED.map(() => [1, 2, 1, 3, 2]));
    for (const post of posts) {
      const first = posts.find((each) => each.place === post.place)!;
      expect([post.id, post.rawBody]).toEqual([first.id, first.rawBody]);
    }
    const rows = (await deliveriesOf(company)).slice(payments);
    expect(rows.every((each) => each.status === "delivered")).toBe(true);
    expect(rows.map((each) => each.attempts)).toEqual(rows.map((_, index) => (index < 12 ? 2 : 1)));
  });
});

describe("drop alone", () => {
  it("sends nothing, goes by the retry schedule, and says so of each attempt", async () => {
    const { posts, attempts, company, payments, clock } = await hostileRun({
      chaos: { seed: 9, drop: 1 },
      objects: 2,
    });
    expect(posts).toEqual([]);
    expect(new Set(attempts.map((attempt) => attempt.fault))).toEqual(new Set(["chaos_dropped"]));
    const tries = (await attemptsOf(company)).filter(
      ({ companySequence }) => companySequence === payments + 6,
    );
    const waits = tries.slice(1).map(({ startedAt }, index) => startedAt - tries[index]!.startedAt);
    expect(waits).toHaveLength(10);
    for (const [index, wait] of [...WAITS, ...LONGEST].entries()) {
      expect(Math.abs(waits[index]! - wait)).toBeLessThanOrEqual(wait / 10 + SECOND);
    }
    const states = await finalStates(company, payments);
    expect(states).toEqual([
      ...Array.from({ length: 4 }, () => "superseded"),
      ...Array.from({ length: 2 }, () => "exhausted"),
    ]);
    expect(clock.now()).toBeGreaterThan(Date.now());
  });

  it("says nothing of the host: neither a failure nor a success", async () => {
    const { company, sink, clock } = await hostileRun({ chaos: { drop: 1 }, objects: 1 });
    expect((await endpointOf(company)).body).toStrictEqual({ url: HOOK });

    await setChaos(company, {});
    sink.answering(500);
    const failed = await givenHistory(company, [{ objectId: "x", at: clock.now(), url: HOOK }]);
    await sink.deliver(company, failed, { target: "endpoint" });
    const before = (await endpointOf(company)).body;
    expect(before.failingHosts).toHaveLength(1);
    await setChaos(company, { drop: 1 });
    clock.advance(MINUTE);
    const dropped = await givenHistory(company, [{ objectId: "y", at: clock.now(), url: HOOK }]);
    await sink.deliver(company, dropped, { target: "endpoint" });
    expect((await endpointOf(company)).body).toStrictEqual(before);
  });
});

describe("delay alone", () => {
  const DELAY = 40;

  it("holds each event back as long as its place says, or until a newer one of its object", async () => {
    const { posts, payments } = await hostileRun({ chaos: { seed: 4, delay: DELAY } });
    expect(sequencesOf(posts)).toEqual(UNHARMED);
    const chaos = { seed: 4, duplicate: 0, reorder: 0, drop: 0, delay: DELAY, after: payments };
    const held: number[] = [];
    for (const { place, at } of posts) {
      const happened = (place - 1) * 3 * SECOND;
      const nextOfObject = happened + 6 * 3 * SECOND;
      const { heldMs } = chaosPlan(chaos, payments + place, 1)!;
      const isLast = place > 12;
      const expected = isLast ? happened + heldMs : Math.min(happened + heldMs, nextOfObject);
      // A hint waits whole seconds at most longer than it must.
      expect(at - expected, `place ${place}`).toBeGreaterThanOrEqual(0);
      expect(at - expected, `place ${place}`).toBeLessThanOrEqual(SECOND);
      held.push(at - happened);
    }
    expect(Math.max(...held)).toBeGreaterThan(10 * SECOND);
  });

  it("holds the first attempt only: a retry goes by the schedule", async () => {
    const { posts, attempts } = await hostileRun({
      chaos: { seed: 4, delay: 3_600 },
      objects: 1,
      status: 500,
    });
    const last = posts.filter((post) => post.place === 3);
    expect(last).toHaveLength(11);
    expect(last[0]!.at).toBeGreaterThan(MINUTE);
    expect(last[1]!.at - last[0]!.at).toBeLessThanOrEqual(5.5 * SECOND);
    expect(attempts.filter((attempt) => attempt.place === 3)).toHaveLength(11);
  });

  it.each([1, 2])("seed %i: with drops, never inverts two events of an object", async (seed) => {
    const { posts } = await hostileRun({ chaos: { seed, delay: 60, drop: 0.5 } });
    for (const object of sequencesOf(posts)) {
      expect(object).toEqual(object.toSorted((a, b) => a - b));
      expect(object.at(-1)).toBe(3);
    }
  });
});

describe("nothing is mistreated", () => {
  it("once all is 0, nor of events from before the chaos", async () => {
    const calm = await hostileRun({
      chaos: async (company) => {
        await setChaos(company, { seed: 5, duplicate: 1, drop: 1 });
        await setChaos(company, { seed: 5 });
      },
    });
    expect(sequencesOf(calm.posts)).toEqual(UNHARMED);

    const { company, sink, clock } = calm;
    sink.received.length = 0;
    const before = await givenHistory(company, [{ objectId: "x", at: clock.now(), url: HOOK }]);
    await setChaos(company, { duplicate: 1, drop: 1, delay: 60 });
    await sink.deliver(company, before, { target: "endpoint" });
    await followHints(sink, clock);
    expect(sink.received).toHaveLength(1);
  });

  it("of a company with real money, whatever stands in its row", async () => {
    const { posts, attempts, count } = await hostileRun({
      chaos: async (company) => {
        const chaos = { seed: 1, duplicate: 1, reorder: 1, drop: 1, delay: 3_600, after: 0 };
        await env.DB.prepare("UPDATE companies SET mode = 'live', webhook_chaos = ? WHERE id = ?")
          .bind(JSON.stringify(chaos), company.id)
          .run();
      },
    });
    expect(sequencesOf(posts)).toEqual(UNHARMED);
    expect(attempts).toHaveLength(count);
  });
});
