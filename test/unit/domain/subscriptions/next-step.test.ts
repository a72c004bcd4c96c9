import { describe, expect, test } from "vitest";
import { createdAtOfTransactionId } from "../../../../src/domain/shared/ids.ts";
import {
  BY_HAND_MAX,
  byHandChargeId,
  byHandChargeIds,
  byHandIdsOf,
  cycleChargeId,
} from "../../../../src/domain/subscriptions/cycle-charge.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { nextStep, type CycleState } from "../../../../src/domain/subscriptions/next-step.ts";
import { withoutPayer } from "../../../../src/domain/subscriptions/payer-erasure.ts";
import { NO_DEBIT, type Subscription } from "../../../../src/domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../../../src/domain/subscriptions/subscription.ts";
import {
  at,
  CYCLE,
  DAY,
  FAILED,
  HOUR,
  kindAt,
  MADE,
  stateOf,
  SUBSCRIPTION,
} from "../../../support/builders/charges/subscription-state.ts";

describe("the charge that is paid with the approval", () => {
  const invited = {
    ...SUBSCRIPTION.terms,
    journey: "QR_ON_DUE" as const,
  };

  test("lasts as long as its code can be paid, also after its due date", () => {
    const checkedAt = at("2026-12-11", "09:00:00");
    const state = stateOf({ debit: NO_DEBIT, checkedAt }, { terms: invited });
    const next = nextStep(state, at("2026-12-11", "10:00:00"));

    expect(next).toEqual({ kind: "check_debit", at: checkedAt + DAY, cycle: 1 });
  });

  test("ends with its charge, and no debit is looked for", () => {
    for (const change of [{ isChargeOver: true }, { isChargePaid: true, dueDate: "2026-12-20" }]) {
      const state = stateOf({ debit: NO_DEBIT, ...change }, { terms: invited });
      expect(kindAt(state, at("2026-12-20"))).toBe("close_cycle");
    }
  });
});

test.each(["requested", "mandate", "paused"] as const)(
  "a cycle whose order nobody knows of is closed once its debit was looked for: %s",
  (ending) => {
    const debit = { ...NO_DEBIT, ending };
    for (const day of ["2026-12-04", "2026-12-10"])
      expect(kindAt(stateOf({ debit }), at(day))).toBe("end_debit");
    const unmade = { ...debit, status: "cancelled" as const };
    expect(kindAt(stateOf({ debit: unmade }), at("2026-12-04"))).toBe("close_cycle");
  },
);

describe("after a failed attempt", () => {
  const now = at("2026-12-10", "22:00:00");
  const debit = { ...CYCLE.debit, retryDay: "2026-12-11" };

  test("a planned retry is ordered while the subscription lasts", () => {
    expect(kindAt(stateOf({ attempts: [FAILED], debit }), now)).toBe("order_retry");
  });

  test.each(["requested", "mandate", "paused"] as const)(
    "none is ordered that ends: %s",
    (ending) => {
      const state = stateOf({ attempts: [FAILED], debit: { ...debit, ending } });

      expect(kindAt(state, now)).toBe("close_cycle");
    },
  );

  test("none is ordered or planned in a pause", () => {
    const paused = { status: "paused" as const };

    expect(kindAt(stateOf({ attempts: [FAILED], debit }, paused), now)).toBe("give_up");
    expect(kindAt(stateOf({ attempts: [FAILED] }, paused), now)).toBe("give_up");
  });

  test("a pause leaves one that was given up open, as it may go on", () => {
    const over = { ...CYCLE.debit, ending: "over" as const };
    const next = nextStep(stateOf({ attempts: [FAILED], debit: over }, { status: "paused" }), now);

    expect(next).toMatchObject({ kind: "close_cycle" });
    expect(next?.at).toBeGreaterThan(now);
  });

  test("one whose order may have arrived is waited for before the end", () => {
    const sent = { ...debit, retryOrderedAt: now, ending: "requested" as const };
    const state = stateOf({ attempts: [FAILED], debit: sent });

    expect(nextStep(state, now)).toEqual({ kind: "check_retry", at: now + HOUR / 6, cycle: 1 });
    const read = stateOf({ attempts: [FAILED], debit: sent, checkedAt: now + HOUR });
    expect(kindAt(read, now + HOUR)).toBe("close_cycle");
  });
});

test("a refused order is sent again a day later", () => {
  const checkedAt = at("2026-12-05");
  const state = stateOf({ debit: { ...NO_DEBIT, orderedAt: checkedAt }, checkedAt });

  expect(nextStep(state, checkedAt + HOUR)).toEqual({
    kind: "order_debit",
    at: checkedAt + DAY,
    cycle: 1,
  });
});

test("a debit that is told paid without its money is asked for it daily in the end", () => {
  const debit = { ...CYCLE.debit, status: "paid" as const };
  const checkedAt = at("2026-12-20");

  expect(nextStep(stateOf({ debit, checkedAt }), at("2026-12-10"))?.at).toBe(0);
  expect(nextStep(stateOf({ debit, checkedAt }), checkedAt)?.at).toBe(checkedAt + DAY);
});

describe("a subscription that nobody approves", () => {
  const end = SUBSCRIPTION.approvalExpiresAt;
  const pending = (mandate: Partial<Subscription["mandate"]>) => ({
    ...stateOf(
      {},
      { status: "pending_approval", mandate: { ...SUBSCRIPTION.mandate, ...mandate } },
    ),
    cycles: [],
    mandateCheckedAt: end - 1,
  });

  test("expires at its end where its order was never found", () => {
    expect(kindAt(pending({ id: null, status: "none" }), end - 1)).toBe("create_mandate");
    expect(kindAt(pending({ id: null, status: "none" }), end)).toBe("expire");
  });

  test("expires after its end once it was read, or a week later without an answer", () => {
    const created = pending({ status: "created" });

    expect(kindAt(created, end)).toBe("check_mandate");
    expect(kindAt({ ...created, mandateCheckedAt: end }, end)).toBe("expire");
    expect(kindAt(created, end + 7 * DAY)).toBe("expire");
  });
});

test("a cycle has one charge, whoever opens it and whenever", () => {
  const id = cycleChargeId(SUBSCRIPTION, 1);

  expect(cycleChargeId(SUBSCRIPTION, 1)).toBe(id);
  expect(cycleChargeId(SUBSCRIPTION, 2)).not.toBe(id);
  expect(id.slice(-6)).toBe(SUBSCRIPTION.id.slice(-6));
});

test("a payment by hand has charges of its own, which a restore does not change", () => {
  const ids = Array.from({ length: BY_HAND_MAX }, (_, each) => byHandChargeId(CYCLE, each + 1));
  const { first, last, from } = byHandChargeIds(ids[7] ?? "");

  expect(byHandIdsOf(CYCLE)[0]).toEqual({ first, last, from });
  const random = byHandChargeId(CYCLE).slice("01a2321e-a9xx".length);
  expect(new Set(ids.map((id) => id.slice(from - 1)))).toEqual(new Set([random]));
  expect(new Set(ids).size).toBe(BY_HAND_MAX);
  expect(ids.toSorted()[0]).toBe(first);
  expect(ids.toSorted().at(-1)).toBe(last);
  expect(byHandChargeId(CYCLE)).toBe(ids[0]);
  expect(ids.every((id) => id.slice(-6) === SUBSCRIPTION.id.slice(-6))).toBe(true);
  const next = byHandChargeIds(byHandChargeId({ ...CYCLE, cycle: 2 }));
  expect(next.last < first || next.first > last).toBe(true);
});

test("two cycles that are due on one day share no id of a payment by hand, nor a time with a debit", () => {
  // As they were made at first, the debit of the other one was between the ids of this one.
  const other = { ...SUBSCRIPTION, id: "01a2321e-a980-8abc-8def-09a7f5000001" };
  const cycle = { ...CYCLE, subscriptionId: "01a2321e-a980-8abc-8def-035b86000001" };
  const id = cycleChargeId(other, 1);
  const [ids, firstIds] = byHandIdsOf(cycle).map(
    ({ first, last, from }) =>
      first <= id && id <= last && first.slice(from - 1) === id.slice(from - 1),
  );

  expect([ids, firstIds]).toEqual([false, true]);
  const times = [cycle, { ...cycle, subscriptionId: other.id }].map((each) =>
    createdAtOfTransactionId(byHandChargeId(each)),
  );
  expect(Math.abs((times[0] ?? 0) - (times[1] ?? 0))).toBeGreaterThan(BY_HAND_MAX);
  const day = createdAtOfTransactionId(id);
  expect(times.every((time) => day < time && time + BY_HAND_MAX <= day + DAY)).toBe(true);
});

const paid = (cycle: Partial<CycleState>) => stateOf({ isPaidOtherwise: true, ...cycle });

describe("a cycle that another charge has paid", () => {
  const evening = at("2026-12-09", "22:00:00");
  const open: DebitAttempt = { ...FAILED, status: "scheduled", reason: null };

  test("has its debit ended until 22:00 of the day before", () => {
    expect(kindAt(paid({ attempts: [open] }), evening - 1)).toBe("end_debit");
    expect(kindAt(paid({}), evening - 1)).toBe("end_debit");
  });

  test("has one whose order nobody knows of looked for before it is closed, never ordered", () => {
    for (const nowMs of [evening - DAY, evening])
      expect(kindAt(paid({ debit: NO_DEBIT }), nowMs)).toBe("end_debit");
    const unmade = { ...NO_DEBIT, status: "cancelled" as const };
    expect(kindAt(paid({ debit: unmade }), evening)).toBe("close_cycle");
    const told = paid({ debit: { ...NO_DEBIT, status: "active" }, attempts: [open] });
    expect(kindAt(told, evening - 1)).toBe("end_debit");
  });

  test("waits for a debit that can no longer be ended, and for a retry that may have arrived", () => {
    expect(kindAt(paid({ attempts: [open], checkedAt: evening }), evening)).toBe("check_debit");
    const sent = { ...CYCLE.debit, retryDay: "2026-12-11", retryOrderedAt: evening };
    expect(kindAt(paid({ attempts: [FAILED], debit: sent }), evening)).toBe("check_retry");
    const read = paid({ attempts: [FAILED], debit: sent, checkedAt: evening + HOUR });
    expect(kindAt(read, evening + HOUR)).toBe("close_cycle");
  });

  test("waits for a debit of which no attempt is told, until its day is over", () => {
    const read = (day: string, time: string) =>
      nextStep(paid({ checkedAt: at(day, time) }), evening);
    expect(read("2026-12-09", "21:00:00")).toEqual({
      kind: "check_debit",
      at: at("2026-12-10", "08:30:00"),
      cycle: 1,
    });
    expect(read("2026-12-11", "09:00:00")?.at).toBe(at("2026-12-11", "15:00:00"));
    const customer = { ...SUBSCRIPTION.customer, city: "3106200" };
    const state = stateOf({ isPaidOtherwise: true, dueDate: "2026-12-08" }, { customer });
    expect(nextStep(state, evening)?.at).toBe(at("2026-12-09", "08:30:00"));
  });

  test("is closed a week after the debit's last day, whatever is told of it", () => {
    const over = at("2026-12-18", "00:00:00");
    for (const cycle of [{ attempts: [open] }, {}]) {
      const state = paid({ ...cycle, checkedAt: over - HOUR });
      expect(kindAt(state, over - 1_000)).toBe("check_debit");
      expect(kindAt(state, over)).toBe("close_cycle");
    }
    const unanswered = paid({ debit: { ...NO_DEBIT, orderedAt: evening } });
    expect(kindAt(unanswered, over - 1_000)).toBe("end_debit");
    expect(kindAt(unanswered, over)).toBe("close_cycle");
    const retry = { ...open, day: "2026-12-15", kind: "retry" as const };
    const retried = paid({ attempts: [FAILED, retry], checkedAt: over });
    expect(kindAt(retried, over)).toBe("check_retry");
    expect(kindAt(retried, over + 5 * DAY)).toBe("close_cycle");
    const sent = { ...CYCLE.debit, retryDay: "2026-12-18", retryOrderedAt: over };
    expect(kindAt(paid({ attempts: [FAILED], debit: sent }), over)).toBe("check_retry");
  });

  test("has an order that got no answer ended at any time", () => {
    const debit = { ...NO_DEBIT, orderedAt: evening - DAY };
    expect(kindAt(paid({ debit }), evening)).toBe("end_debit");
  });

  test("is tried again no more", () => {
    expect(kindAt(paid({ attempts: [FAILED] }), at("2026-12-10", "22:00:00"))).toBe("close_cycle");
  });

  test("is closed once its debit is over, also where that was paid too", () => {
    for (const status of ["paid", "cancelled", "rejected"] as const)
      expect(kindAt(paid({ debit: { ...CYCLE.debit, status } }), evening)).toBe("close_cycle");
  });
});

test("the charge that is paid by hand is made beside the debit, unless the cycle is paid", () => {
  const recovery = { byHand: { id: "other", secureRandom: "", isMade: false } };
  const now = at("2026-12-05");
  const cycle = { recovery, debit: NO_DEBIT };

  expect(kindAt(stateOf(cycle), now)).toBe("make_by_hand");
  // What the provider does not answer holds up nothing else.
  expect(nextStep(stateOf(cycle), now, 1)?.kind).toBe("order_debit");
  expect(kindAt(stateOf({ ...cycle, isChargePaid: true }), now)).toBe("end_debit");
  expect(kindAt(stateOf({ ...cycle, byHandOverAt: 0 }), now)).toBe("order_debit");
  const ended = { ...cycle, debit: { ...NO_DEBIT, ending: "requested" as const } };
  expect(kindAt(stateOf(ended), now)).toBe("end_debit");
  const made = { byHand: { ...recovery.byHand, isMade: true } };
  expect(kindAt(stateOf({ ...cycle, recovery: made }), now)).toBe("order_debit");
});

test("a charge that is paid by hand names its payer: none is made of one who is erased", () => {
  const recovery = { byHand: { id: "other", secureRandom: "", isMade: false } };
  const attempts = [FAILED];
  const debit = { ...CYCLE.debit, ending: "over" as const };
  const ended = (subscription: Subscription) =>
    kindAt(
      stateOf({ recovery, attempts, debit }, { ...subscription, status: "cancelled" }),
      at("2026-12-11"),
    );

  expect(ended(SUBSCRIPTION)).toBe("make_by_hand");
  expect(ended(withoutPayer(SUBSCRIPTION))).toBe("close_cycle");
});

describe("when the provider is asked", () => {
  const scheduled: DebitAttempt = { ...FAILED, status: "scheduled", reason: null };

  test.each([
    ["08:30:00", "2026-12-10", "08:29:00"],
    ["21:30:00", "2026-12-10", "08:31:00"],
    ["32:00:00", "2026-12-10", "21:31:00"],
  ])("a scheduled debit is read at %s of its day", (time, day, checked) => {
    const state = stateOf({ attempts: [scheduled], checkedAt: at(day, checked) });
    const [hours = 0, minutes = 0] = time.split(":").map(Number);

    expect(nextStep(state, at(day, checked))?.at).toBe(
      at(day, "00:00:00") + hours * HOUR + minutes * (HOUR / 60),
    );
  });

  test("one that the bank has not taken yet is read hourly, and one without an end four times a day", () => {
    const now = at("2026-12-06");
    const requested = { ...scheduled, status: "requested" as const };
    expect(nextStep(stateOf({ attempts: [requested], checkedAt: now }), now)?.at).toBe(now + HOUR);
    expect(nextStep(stateOf({ checkedAt: now }), now)).toMatchObject({
      kind: "check_debit",
      at: now + HOUR,
    });
    const late = at("2026-12-11", "09:00:00");
    const state = stateOf({ attempts: [scheduled], checkedAt: late });
    expect(nextStep(state, late)?.at).toBe(late + 6 * HOUR);
  });

  test("a mandate is read hourly on the day of its order, and daily after it", () => {
    const mandate = { ...SUBSCRIPTION.mandate, status: "created" as const };
    const pending = (mandateCheckedAt: number) => ({
      ...stateOf({}, { status: "pending_approval", mandate }),
      cycles: [],
      mandateCheckedAt,
    });

    expect(nextStep(pending(MADE), MADE)?.at).toBe(MADE + HOUR);
    expect(nextStep(pending(MADE + DAY), MADE + DAY)?.at).toBe(MADE + 2 * DAY);
  });
});

test("a debit of a cycle that was opened early is ordered on its usual day", () => {
  const early = {
    ...stateOf({ dueDate: "2027-02-10", debit: NO_DEBIT }, { nextCycle: 4 }),
    mandateCheckedAt: at("2027-02-20"),
  };

  expect(nextStep(early, at("2027-01-20"))).toMatchObject({
    kind: "order_debit",
    // Carnival leaves few business days before it.
    at: at("2027-02-03", "00:00:00"),
  });
  expect(nextStep(early, at("2027-02-01"))?.at).toBe(0);
});

test("the merchant may order a retry of one that was given up until its last day", () => {
  const over = { ...CYCLE.debit, ending: "over" as const };
  const closing = (reason: string, retry: number[]) => {
    const attempts = [{ ...FAILED, reason: debitReason(reason) }];
    const state = stateOf({ attempts, debit: over }, { terms: { ...SUBSCRIPTION.terms, retry } });
    return nextStep(state, at("2026-12-11"));
  };

  expect(closing("AM02", [1])).toEqual({
    kind: "close_cycle",
    at: at("2026-12-17", "00:00:00"),
    cycle: 1,
  });
  expect(closing("AM02", [])?.at).toBe(0);
  expect(closing("AC05", [1])?.at).toBe(0);
});

/** Three failed retries. */
function retries(isUntaken: true | null): DebitAttempt[] {
  return ["2026-12-11", "2026-12-14", "2026-12-15"].map((day) =>
    Object.assign(
      { ...FAILED, day, kind: "retry" as const },
      isUntaken === null ? {} : { isUntaken },
    ),
  );
}

test("a refused order uses up no retry, and one that the bank took does", () => {
  const now = at("2026-12-14", "22:00:00");
  const terms = { ...SUBSCRIPTION.terms, retry: [1, 3, 6] };

  expect(kindAt(stateOf({ attempts: [FAILED, ...retries(true)] }, { terms }), now)).toBe(
    "plan_retry",
  );
  expect(kindAt(stateOf({ attempts: [FAILED, ...retries(null)] }, { terms }), now)).toBe("give_up");
});

test("a reason that another day does not change plans no retry", () => {
  const now = at("2026-12-10", "22:00:00");

  expect(kindAt(stateOf({ attempts: [FAILED] }), now)).toBe("plan_retry");
  const limit = { ...FAILED, reason: debitReason("AM02") };
  expect(kindAt(stateOf({ attempts: [limit] }), now)).toBe("give_up");
});
