import { expect, test } from "vitest";
import { timelineView, type ChargeHistory, type Creation } from "../../src/domain/timeline.ts";
import type { TrailEntry } from "../../src/domain/trail.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

const CREATION: Creation = {
  companyId: 7,
  amount: 2_500,
  currency: "BRL",
  paymentMethod: "PIX",
  createdAt: NOON,
  expiresAt: null,
  answer: { at: NOON + 5, status: "waiting_payment", reason: null },
};

const PAID: TrailEntry = {
  at: NOON + 10,
  from: "waiting_payment",
  to: "paid",
  cause: { kind: "payment", id: "E1", amount: 2_500, paidAt: NOON, expected: true },
  movement: 3,
  event: { type: "transaction.paid", companySequence: 9, sequence: 1 },
};

const HISTORY: ChargeHistory = {
  eventSequence: 1,
  trail: [PAID],
  trailAfter: 0,
  movements: [{ number: 3, at: NOON + 10, type: "charge_paid", postings: [] }],
  hasMore: false,
};

const attempt = (at: number, companySequence = 9) => ({
  companySequence,
  target: "endpoint" as const,
  number: 1,
  at,
  durationMs: 1,
  httpStatus: 204,
  fault: null,
  answer: "",
});

const kinds = (...given: Parameters<typeof timelineView>) =>
  timelineView(...given).map((item) => item.kind);

const NOTHING_TOLD = { events: [], attempts: [] };

test("what clocks that differ a little say does not turn the order of a source around", () => {
  const ahead = { ...CREATION, createdAt: NOON + 60_000 };
  expect(kinds(ahead, HISTORY, { events: [], attempts: [attempt(NOON)] })).toEqual([
    "created",
    "answered",
    "payment",
    "move",
    "movement",
    "event",
    "attempt",
  ]);
  const late = { ...HISTORY, movements: [{ ...HISTORY.movements[0]!, at: NOON + 90 }] };
  expect(kinds(CREATION, late, NOTHING_TOLD).slice(-2)).toEqual(["movement", "event"]);
});

test("an event that both tell is one, and one the object did not know yet is left to the next answer", () => {
  const event = (companySequence: number, sequence: number) => ({
    companySequence,
    type: "transaction.paid",
    sequence,
    at: NOON + 20,
  });
  const told = {
    events: [event(9, 1), event(10, 2)],
    attempts: [attempt(NOON + 30), attempt(NOON + 30, 10)],
  };
  const items = timelineView(CREATION, HISTORY, told);
  expect(items.flatMap((item) => (item.kind === "event" ? [item.id] : []))).toEqual(["evt_7_9"]);
  expect(items.flatMap((item) => (item.kind === "attempt" ? [item.eventId] : []))).toEqual([
    "evt_7_9",
  ]);
});

test("an attempt stands before what happened after it", () => {
  const refused: TrailEntry = {
    ...PAID,
    at: NOON + 100,
    from: "paid",
    cause: { kind: "refund", id: "r", amount: 1, status: "FAILED", reason: "no" },
    event: null,
  };
  const history = { ...HISTORY, trail: [PAID, refused] };
  expect(
    kinds(CREATION, history, { events: [], attempts: [attempt(NOON + 50)] }).slice(-2),
  ).toEqual(["attempt", "operation"]);
});

test("a movement that nothing is known to have caused has no cause", () => {
  const older = { ...HISTORY, trail: [], trailAfter: 3 };
  expect(timelineView(CREATION, older, NOTHING_TOLD).at(-1)).toEqual({
    kind: "movement",
    at: "2026-11-21T12:00:00.010Z",
    number: 3,
    type: "charge_paid",
    cause: null,
    postings: [],
  });
});
