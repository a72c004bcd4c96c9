import { expect, test } from "vitest";
import {
  timelineView,
  type ChargeHistory,
  type ChargeCreation,
  type TimelineEventLog,
} from "../../../../src/domain/charges/timeline.ts";
import type { ChargeHistoryEntry } from "../../../../src/domain/charges/charge-history.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

const CREATION: ChargeCreation = {
  companyId: 7,
  amount: 2_500,
  currency: "BRL",
  paymentMethod: "PIX",
  createdAt: NOON,
  expiresAt: null,
  answer: { at: NOON + 5, status: "waiting_payment", reason: null },
};

const PAID: ChargeHistoryEntry = {
  at: NOON + 10,
  from: "waiting_payment",
  to: "paid",
  cause: { kind: "payment", id: "E1", amount: 2_500, paidAt: NOON, expected: true },
  movement: 3,
  event: { type: "transaction.paid", companySequence: 9, sequence: 1 },
};

const HISTORY: ChargeHistory = {
  eventSequence: 1,
  entries: [PAID],
  movements: [{ number: 3, at: NOON + 10, type: "charge_paid", postings: [], hash: "" }],
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

const EMPTY_EVENT_LOG: TimelineEventLog = {
  events: [],
  attempts: [],
  reminders: [],
  hasMore: false,
};

function viewOf(
  creation: ChargeCreation,
  history: ChargeHistory,
  projected: Partial<TimelineEventLog> = {},
  limit = 100,
) {
  return timelineView(creation, history, { ...EMPTY_EVENT_LOG, ...projected }, limit);
}

const itemsOf = (...given: Parameters<typeof viewOf>) => viewOf(...given).items;
const kinds = (...given: Parameters<typeof viewOf>) => itemsOf(...given).map(({ kind }) => kind);

test("clock differences do not change the order of one source", () => {
  const ahead = { ...CREATION, createdAt: NOON + 60_000 };
  expect(kinds(ahead, HISTORY, { attempts: [attempt(NOON)] })).toEqual([
    "created",
    "answered",
    "payment",
    "move",
    "movement",
    "event",
    "attempt",
  ]);
  const late = { ...HISTORY, movements: [{ ...HISTORY.movements[0]!, at: NOON + 90 }] };
  expect(kinds(CREATION, late).slice(-2)).toEqual(["movement", "event"]);
});

test("an event in both sources appears once, and an event that the object lacks waits for the next response", () => {
  const event = (companySequence: number, sequence: number) => ({
    companySequence,
    type: "transaction.paid",
    sequence,
    at: NOON + 20,
  });
  const ledgerItems = {
    events: [event(9, 1), event(10, 2)],
    attempts: [attempt(NOON + 30), attempt(NOON + 30, 10)],
  };
  const items = itemsOf(CREATION, HISTORY, ledgerItems);
  expect(items.flatMap((item) => (item.kind === "event" ? [item.id] : []))).toEqual(["evt_7_9"]);
  expect(items.flatMap((item) => (item.kind === "attempt" ? [item.eventId] : []))).toEqual([
    "evt_7_9",
  ]);
});

test("an attempt precedes later items", () => {
  const refused: ChargeHistoryEntry = {
    ...PAID,
    at: NOON + 100,
    from: "paid",
    cause: { kind: "refund", id: "r", amount: 1, status: "FAILED", reason: "no" },
    event: null,
  };
  const history = { ...HISTORY, entries: [PAID, refused] };
  expect(kinds(CREATION, history, { attempts: [attempt(NOON + 50)] }).slice(-2)).toEqual([
    "attempt",
    "operation",
  ]);
});

test("a movement without a known cause has no cause", () => {
  const older = { ...HISTORY, entries: [] };
  expect(itemsOf(CREATION, older).at(-1)).toEqual({
    kind: "movement",
    at: "2026-11-21T12:00:00.010Z",
    number: 3,
    type: "charge_paid",
    cause: null,
    postings: [],
  });
});

test("a result that was stored late precedes its effects, at its own time", () => {
  const late = { at: NOON + 40, status: "waiting_payment", reason: null } as const;
  const creation = { ...CREATION, answer: late };
  const moved = { ...PAID, at: NOON + 20, event: null };
  const event = { companySequence: 9, type: "transaction.paid", sequence: 1, at: NOON + 30 };

  const traced = itemsOf(creation, { ...HISTORY, entries: [moved], movements: [] });
  const untraced = itemsOf(
    creation,
    { ...HISTORY, entries: [], movements: [] },
    { events: [event] },
  );
  const open = itemsOf(creation, { ...HISTORY, entries: [], movements: [] });

  expect(traced.map(({ kind }) => kind)).toEqual(["created", "answered", "payment", "move"]);
  expect(untraced.map(({ kind }) => kind)).toEqual(["created", "answered", "event"]);
  expect([traced, untraced, open].map((items) => items[1]?.at)).toEqual(
    [20, 30, 40].map((after) => new Date(NOON + after).toISOString()),
  );
  const early = { ...HISTORY, entries: [{ ...moved, at: NOON - 90 }] };
  expect(itemsOf(creation, early)[1]?.at).toBe(new Date(NOON).toISOString());
});

test("the oldest attempts are omitted first, and the response says so", () => {
  const failed: ChargeHistoryEntry = {
    ...PAID,
    at: NOON + 35,
    from: "paid",
    cause: { kind: "refund", id: "r", amount: 1, status: "FAILED", reason: "no" },
    event: null,
  };
  const history = { ...HISTORY, entries: [PAID, failed] };
  const attempts = [20, 30, 40].map((after) => attempt(NOON + after));
  const shown = (limit: number) => {
    const { items, hasMore } = viewOf(CREATION, history, { attempts }, limit);
    return [items.slice(6).map(({ kind, at }) => `${kind} ${Date.parse(at) - NOON}`), hasMore];
  };

  const whole = ["attempt 20", "attempt 30", "operation 35", "attempt 40"];
  expect(shown(10)).toEqual([whole, false]);
  expect(shown(9)).toEqual([whole.slice(1), true]);
  expect(shown(8)).toEqual([["operation 35", "attempt 40"], true]);
  expect(shown(7)).toEqual([["operation 35"], true]);
  expect(shown(1)).toEqual([["operation 35"], true]);
});

test("the response says when either source has more items", () => {
  expect(viewOf(CREATION, HISTORY).hasMore).toBe(false);
  expect(viewOf(CREATION, { ...HISTORY, hasMore: true }).hasMore).toBe(true);
  expect(viewOf(CREATION, HISTORY, { hasMore: true }).hasMore).toBe(true);
});
