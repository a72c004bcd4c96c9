import { expect, it } from "vitest";
import {
  queueDelaySeconds,
  retryDelayMs,
} from "../../../../src/webhooks/delivery/retry-schedule.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const LONGEST = [12 * HOUR, 12 * HOUR, 12 * HOUR];

it("an event without a success is attempted 11 times over about 64 hours", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(500);
  await createEvent();
  const begun = clock.now();

  const waits: number[] = [];
  for (let attempt = 1; attempt <= 11; attempt++) {
    await deliver();
    expect(sink.received).toHaveLength(attempt);
    const { status, dueAt } = (await deliveriesOf(company)).at(-1)!;
    if (dueAt === null) {
      expect(status).toBe("exhausted");
      break;
    }
    expect(status).toBe("pending");
    waits.push(dueAt - clock.now());
    clock.advance(dueAt - clock.now() - 1);
    await deliver();
    expect(sink.received, "a moment too early").toHaveLength(attempt);
    clock.advance(1);
  }

  expect(waits).toEqual([...WAITS, ...LONGEST]);
  expect(Math.round((clock.now() - begun) / HOUR)).toBe(64);
  clock.advance(48 * HOUR);
  await deliver();
  expect(sink.received).toHaveLength(11);
  const attempts = (await attemptsOf(company)).filter((each) => each.httpStatus === 500);
  expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "exhausted", attempts: 11 });
});

it("after a failed attempt a message is enqueued for the next due time", async () => {
  const { company, sink, createEvent, deliver, newestEventNumber } = await givenWithdrawEvents();
  sink.respondWith(503);
  await createEvent();

  await deliver();

  expect(sink.wakeUps).toEqual([
    {
      ref: { companyId: company.id, companySequence: newestEventNumber(), target: "endpoint" },
      delayMs: 5 * SECOND,
    },
  ]);
});

it.each([
  ["first", 0, 0.9],
  ["last", 0.999_999, 1.1],
])("the %s jitter value changes a wait by a tenth", (_name, random, factor) => {
  [...WAITS, ...LONGEST].forEach((wait, index) => {
    const delay = retryDelayMs(index + 1, random, null)!;
    expect(Math.abs(delay - wait * factor)).toBeLessThan(wait / 10_000);
  });
  expect(retryDelayMs(11, random, null)).toBeNull();
});

it("the sweep handles a wait that is longer than a queue's maximum", () => {
  expect(queueDelaySeconds(4_001)).toBe(5);
  expect(queueDelaySeconds(12 * HOUR)).toBe(12 * 3_600);
  expect(queueDelaySeconds(12 * HOUR + 1)).toBeNull();
});
