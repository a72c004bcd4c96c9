import { afterAll, describe, expect, it } from "vitest";
import { chaosPlan } from "../../../../src/domain/events/webhook-chaos.ts";
import { env, type TestCompany } from "../../../support/builders/companies/company.ts";
import { endpointOf } from "../../../support/probes/webhooks/circuits.ts";
import { processWakeUps } from "../../../support/fakes/wake-up-queue.ts";
import {
  runWithChaos,
  sequencesOf,
  setChaos,
  WEBHOOK_URL,
  type ReceivedPost,
} from "../../../support/faults/chaos-run.ts";
import { finishAllDue, givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";

afterAll(finishAllDue);

const ALL = { duplicate: 0.4, reorder: 0.4, drop: 0.4, delay: 20 };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const LONGEST = [12 * HOUR, 12 * HOUR, 12 * HOUR];

/** A run without what differs from company to company. */
const shape = (posts: ReceivedPost[]) =>
  posts.map(({ eventPosition, object, sequence, at }) => ({
    place: eventPosition,
    object,
    sequence,
    at,
  }));

/** Every object's three events, once each, in their order. */
const UNHARMED = Array.from({ length: 6 }, () => [1, 2, 3]);

async function finalStates(company: TestCompany, after: number): Promise<string[]> {
  return (await deliveriesOf(company)).slice(after).map((delivery) => delivery.status);
}

describe("the same seed and the same calls", () => {
  it.each([1, 2 ** 31 - 1])(
    "seed %i: produce the same run, regardless of earlier events",
    async (seed) => {
      const first = await runWithChaos({ chaos: { seed, ...ALL } });
      const second = await runWithChaos({ chaos: { seed, ...ALL }, payments: 3 });

      expect(shape(second.posts)).toEqual(shape(first.posts));
      expect(second.attempts).toEqual(first.attempts);
      expect(first.attempts.some((attempt) => attempt.fault === "chaos_dropped")).toBe(true);
      expect(sequencesOf(first.posts)).not.toEqual(UNHARMED);
      expect(await finalStates(second.company, 3)).toEqual(await finalStates(first.company, 1));
    },
  );

  it("another seed produces another run", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map((seed) => runWithChaos({ chaos: { seed, ...ALL } })),
    );
    expect(shape(second!.posts)).not.toEqual(shape(first!.posts));
  });

  it("each object's last state arrives and every delivery ends", async () => {
    const { posts, company, payments, count } = await runWithChaos({ chaos: { seed: 3, ...ALL } });
    for (const object of sequencesOf(posts)) expect(object).toContain(3);
    const states = await finalStates(company, payments);
    expect(states).toHaveLength(count);
    expect(states).not.toContain("pending");
    expect(states).not.toContain("exhausted");
  });
});

describe("duplicate only", () => {
  it("sends every event twice, right after itself, under one webhook-id with one body", async () => {
    const { posts, attempts, count, company, payments } = await runWithChaos({
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

  it("does not repeat a failed delivery", async () => {
    const { posts, attempts } = await runWithChaos({
      chaos: { duplicate: 1 },
      objects: 1,
      status: 410,
    });
    expect(posts).toHaveLength(3);
    expect(attempts).toHaveLength(3);
  });
});

describe("reorder only", () => {
  it("sends the object's previous event again after the newer one, and never after a first event", async () => {
    const { posts, company, payments } = await runWithChaos({ chaos: { reorder: 1 } });
    expect(sequencesOf(posts)).toEqual(UNHARMED.map(() => [1, 2, 1, 3, 2]));
    for (const post of posts) {
      const first = posts.find((each) => each.eventPosition === post.eventPosition)!;
      expect([post.id, post.rawBody]).toEqual([first.id, first.rawBody]);
    }
    const rows = (await deliveriesOf(company)).slice(payments);
    expect(rows.every((each) => each.status === "delivered")).toBe(true);
    expect(rows.map((each) => each.attempts)).toEqual(rows.map((_, index) => (index < 12 ? 2 : 1)));
  });
});

describe("drop only", () => {
  it("drops attempts, follows the retry schedule and records each attempt as dropped", async () => {
    const { posts, attempts, company, payments, clock } = await runWithChaos({
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

  it("does not count as a failure or success of the host", async () => {
    const { company, sink, clock } = await runWithChaos({ chaos: { drop: 1 }, objects: 1 });
    expect((await endpointOf(company)).body).toStrictEqual({ url: WEBHOOK_URL });

    await setChaos(company, {});
    sink.respondWith(500);
    const failed = await givenHistory(company, [
      { objectId: "x", at: clock.now(), url: WEBHOOK_URL },
    ]);
    await sink.deliver(company, failed, { target: "endpoint" });
    const before = (await endpointOf(company)).body;
    expect(before.failingHosts).toHaveLength(1);
    await setChaos(company, { drop: 1 });
    clock.advance(MINUTE);
    const dropped = await givenHistory(company, [
      { objectId: "y", at: clock.now(), url: WEBHOOK_URL },
    ]);
    await sink.deliver(company, dropped, { target: "endpoint" });
    expect((await endpointOf(company)).body).toStrictEqual(before);
  });
});

describe("delay only", () => {
  const DELAY = 40;

  it("delays each event by its planned time or until a newer event of its object", async () => {
    const { posts, payments } = await runWithChaos({ chaos: { seed: 4, delay: DELAY } });
    expect(sequencesOf(posts)).toEqual(UNHARMED);
    const chaos = { seed: 4, duplicate: 0, reorder: 0, drop: 0, delay: DELAY, after: payments };
    const held: number[] = [];
    for (const { eventPosition, at } of posts) {
      const happened = (eventPosition - 1) * 3 * SECOND;
      const nextOfObject = happened + 6 * 3 * SECOND;
      const { delayMs } = chaosPlan(chaos, payments + eventPosition, 1)!;
      const isLast = eventPosition > 12;
      const expected = isLast ? happened + delayMs : Math.min(happened + delayMs, nextOfObject);
      // A hint waits whole seconds at most longer than it must.
      expect(at - expected, `place ${eventPosition}`).toBeGreaterThanOrEqual(0);
      expect(at - expected, `place ${eventPosition}`).toBeLessThanOrEqual(SECOND);
      held.push(at - happened);
    }
    expect(Math.max(...held)).toBeGreaterThan(10 * SECOND);
  });

  it("delays only the first attempt; retries follow the schedule", async () => {
    const { posts, attempts } = await runWithChaos({
      chaos: { seed: 4, delay: 3_600 },
      objects: 1,
      status: 500,
    });
    const last = posts.filter((post) => post.eventPosition === 3);
    expect(last).toHaveLength(11);
    expect(last[0]!.at).toBeGreaterThan(MINUTE);
    expect(last[1]!.at - last[0]!.at).toBeLessThanOrEqual(5.5 * SECOND);
    expect(attempts.filter((attempt) => attempt.place === 3)).toHaveLength(11);
  });

  it.each([1, 2])(
    "seed %i: never inverts two events of an object, also with drops",
    async (seed) => {
      const { posts } = await runWithChaos({ chaos: { seed, delay: 60, drop: 0.5 } });
      for (const object of sequencesOf(posts)) {
        expect(object).toEqual(object.toSorted((a, b) => a - b));
        expect(object.at(-1)).toBe(3);
      }
    },
  );
});

describe("no event is affected", () => {
  it("after all settings are 0, nor events from before the chaos", async () => {
    const calm = await runWithChaos({
      chaos: async (company) => {
        await setChaos(company, { seed: 5, duplicate: 1, drop: 1 });
        await setChaos(company, { seed: 5 });
      },
    });
    expect(sequencesOf(calm.posts)).toEqual(UNHARMED);

    const { company, sink, clock } = calm;
    sink.received.length = 0;
    const before = await givenHistory(company, [
      { objectId: "x", at: clock.now(), url: WEBHOOK_URL },
    ]);
    await setChaos(company, { duplicate: 1, drop: 1, delay: 60 });
    await sink.deliver(company, before, { target: "endpoint" });
    await processWakeUps(sink, clock);
    expect(sink.received).toHaveLength(1);
  });

  it("of a live company, whatever its row contains", async () => {
    const { posts, attempts, count } = await runWithChaos({
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
