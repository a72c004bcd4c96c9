import { describe, expect, test } from "vitest";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import {
  askedByHand,
  dunningEndsAt,
  isOwed,
  NO_DUNNING,
  unpaidStatus,
} from "../../../../src/domain/subscriptions/dunning.ts";
import type { Dunning } from "../../../../src/domain/subscriptions/subscription.ts";
import { nextStep, type CycleState } from "../../../../src/domain/subscriptions/next-step.ts";
import { NO_DEBIT, type CycleEnding } from "../../../../src/domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../../../src/domain/subscriptions/subscription.ts";
import {
  at,
  CYCLE,
  DAY,
  FAILED,
  kindAt,
  stateOf,
  SUBSCRIPTION,
} from "../../../support/builders/charges/subscription-state.ts";

const policy = (change: Partial<Dunning>) => ({ dunning: { ...NO_DUNNING, ...change } });

/** An attempt that failed with a bank's code. */
const failed = (code: string, change: Partial<DebitAttempt> = {}) => ({
  ...FAILED,
  reason: debitReason(code),
  ...change,
});

/** What a cycle becomes whose failure was told, or (left out) was not. */
const endOf = (ending: CycleEnding | null, isFailureTold?: true) =>
  unpaidStatus({ ...NO_DEBIT, ending, ...(isFailureTold && { isFailureTold }) });

test("a failure that was told stays one, unless its merchant cancels it", () => {
  const endings = ["requested", "mandate", "paused", "over", null] as const;

  expect(endings.map((ending) => endOf(ending, true))).toEqual([
    "cancelled",
    "failed",
    "failed",
    "failed",
    "failed",
  ]);
  expect(endings.map((ending) => endOf(ending))).toEqual([
    "cancelled",
    "cancelled",
    "skipped",
    "failed",
    "failed",
  ]);
});

test("a cycle that was cancelled or skipped is not owed, nor one whose debit is paid", () => {
  const statuses = ["open", "failed", "cancelled", "skipped"] as const;
  const owed = statuses.filter((status) => isOwed({ status, debit: NO_DEBIT }));
  expect(owed).toEqual(["open", "failed"]);
  expect(isOwed({ status: "open", debit: { ...NO_DEBIT, status: "paid" } })).toBe(false);
});

test("a payer is asked for a cycle by hand while it is owed and nothing debits it", () => {
  const over = { ...CYCLE, attempts: [FAILED], debit: { ...CYCLE.debit, ending: "over" as const } };
  const asked = (change: Partial<CycleState>) => askedByHand({ ...over, ...change });
  expect(asked({})).toBe("now");
  // A retry is ordered, or its bank has one all the same.
  expect(asked({ debit: CYCLE.debit })).toBe("later");
  const retry = { ...FAILED, kind: "retry" as const, day: "2026-12-11" };
  expect(asked({ attempts: [FAILED, { ...retry, status: "scheduled" }] })).toBe("later");
  expect(asked({ attempts: [FAILED, retry] })).toBe("now");
  expect(asked({ status: "failed", debit: CYCLE.debit })).toBe("now");
  expect(asked({ status: "skipped" })).toBe("never");
  expect(asked({ debit: { ...over.debit, status: "paid" } })).toBe("never");
  expect(asked({ attempts: [failed("NIPA")] })).toBe("never");
});

describe("a cycle that is unpaid after its last attempt", () => {
  const now = at("2026-12-10", "22:00:00");
  const limit = { ...FAILED, reason: debitReason("AM02") };
  const over = { ...CYCLE.debit, ending: "over" as const };
  const since = now;
  const state = { since, emailedAt: null, isOver: false };
  const made = { id: "other", secureRandom: "", isMade: true };
  const stepOf = (cycle: Partial<CycleState>, change: Partial<Dunning>) =>
    nextStep(stateOf({ attempts: [limit], ...cycle }, policy(change)), now);

  test("has its link made before merchants hear of the failure, for a day at most", () => {
    expect(stepOf({}, { then: "pause" })?.kind).toBe("give_up");
    expect(stepOf({}, { link: "event" })?.kind).toBe("offer_link");
    const unmade = { recovery: { byHand: { ...made, isMade: false } } };
    expect(stepOf(unmade, { link: "event" })?.kind).toBe("make_by_hand");
    // One that was refused is waited for no more; a day later there is another.
    const refused = (fixedAt?: number) => {
      const byHand = { ...made, isMade: false, ...(fixedAt !== undefined && { fixedAt }) };
      return stepOf({ recovery: { byHand }, byHandOverAt: 0 }, { link: "event" });
    };
    expect(refused(now)).toEqual({ kind: "give_up", at: 0, cycle: 1 });
    expect(refused(now - DAY)?.kind).toBe("offer_link");
    expect(refused()?.kind).toBe("offer_link");
    const later = nextStep(
      stateOf({ attempts: [limit], ...unmade }, policy({ link: "event" })),
      at("2026-12-12", "00:00:00"),
      1,
    );
    expect(later?.kind).toBe("give_up");
    expect(stepOf({ recovery: { byHand: made } }, { link: "event" })?.kind).toBe("give_up");
  });

  test("is told of by e-mail once the link is made, and once", () => {
    const recovery = { byHand: made, dunning: state };
    expect(stepOf({ debit: over, recovery }, { link: "email" })?.kind).toBe("email_link");
    expect(stepOf({ debit: over, recovery }, { link: "event" })?.kind).toBe("close_cycle");
    const byHand = { ...made, fixedAt: now };
    const ended = { debit: over, recovery: { ...recovery, byHand }, byHandOverAt: 0 };
    expect(stepOf(ended, { link: "email" })).toEqual({
      kind: "offer_link",
      at: now + DAY,
      cycle: 1,
    });
    expect(stepOf(ended, { link: "none" })?.kind).toBe("close_cycle");
    const emailed = { byHand: made, dunning: { ...state, emailedAt: now } };
    expect(stepOf({ debit: over, recovery: emailed }, { link: "email" })?.kind).toBe("close_cycle");
  });

  test("ends its subscription after the days of the policy, once", () => {
    const recovery = { dunning: state };
    const dunned = { debit: over, recovery };
    expect(stepOf(dunned, { then: "cancel", days: 3 })).toEqual({
      kind: "end_dunning",
      at: since + 3 * DAY,
      cycle: 1,
    });
    const failing = { ...CYCLE, attempts: [limit], recovery };
    const ends = { ...SUBSCRIPTION, ...policy({ then: "cancel" }) };
    expect(dunningEndsAt(ends, { ...failing, debit: over })).toBe(since + 7 * DAY);
    // A retry that the merchant has ordered is waited for.
    expect(dunningEndsAt(ends, failing)).toBeNull();
    const ended = { debit: over, recovery: { dunning: { ...state, isOver: true } } };
    expect(stepOf(ended, { then: "cancel", days: 3 })?.kind).toBe("close_cycle");
  });

  test("is told of by e-mail and counted once the day of its debit is over", () => {
    const recovery = { byHand: made, dunning: { ...state, since: now + DAY } };
    const step = stepOf({ debit: over, recovery }, { link: "email" });
    expect(step).toEqual({ kind: "email_link", at: now + DAY, cycle: 1 });
  });

  test.each([
    ["end_dunning", "cancel", over],
    ["close_cycle", "none", { ...over, status: "rejected" }],
  ] as const)("waits for its link, for 30 days at most: %s", (kind, then, debit) => {
    const recovery = { byHand: { ...made, isMade: false, fixedAt: since }, dunning: state };
    const kindsAt = (nowMs: number, change: Partial<CycleState> = {}) =>
      [0, 1, 2, 3].map((checks) => {
        const cycle = { attempts: [limit], debit, recovery, ...change };
        return nextStep(stateOf(cycle, policy({ link: "event", then })), nowMs, checks)?.kind;
      });
    expect(kindsAt(since + 30 * DAY - 1)).not.toContain(kind);
    expect(kindsAt(since + 30 * DAY)).toContain(kind);
    // One that came to nothing has others after it as long.
    expect(kindsAt(since + DAY, { byHandOverAt: 0 })).toEqual(
      Array.from({ length: 4 }, () => "offer_link"),
    );
    const newest = { ...recovery.byHand, fixedAt: since + 29.5 * DAY };
    const last = { recovery: { ...recovery, byHand: newest }, byHandOverAt: 0 };
    expect(kindsAt(since + 30 * DAY - 1, last)).not.toContain("offer_link");
    expect(kindsAt(since + 30 * DAY, last)).toContain(kind);
  });

  test("has its last link again after a day, which ended long before", () => {
    const byHand = { ...made, isMade: false, fixedAt: now };
    const recovery = { byHand, dunning: state };
    const last = { debit: over, recovery, byHandOverAt: now - 5 * DAY };
    expect(stepOf(last, { link: "event" })).toEqual({
      kind: "offer_link",
      at: now + DAY,
      cycle: 1,
    });
  });

  test("is dunned too where its bank has ended the debit", () => {
    const rejected = { ...CYCLE.debit, status: "rejected" as const };
    expect(stepOf({ debit: rejected }, { link: "event" })?.kind).toBe("offer_link");
    expect(kindAt(stateOf({ attempts: [limit], debit: rejected }), now)).toBe("close_cycle");
    const cancelled = { ...rejected, ending: "requested" as const };
    expect(stepOf({ debit: cancelled }, { link: "event" })?.kind).toBe("close_cycle");
  });

  test("is no payer's debt where his bank says that it is paid, or by a fault of ours alone", () => {
    const dunned = { link: "email" as const, then: "cancel" as const, days: 0 };
    const recovery = { byHand: made, dunning: state };
    const terms = { ...SUBSCRIPTION.terms, retry: [] };
    const kinds = (attempts: DebitAttempt[]) =>
      [{ attempts }, { attempts, debit: over, recovery }].map((cycle) =>
        kindAt(stateOf(cycle, { ...policy(dunned), terms }), now),
      );
    const none = ["give_up", "close_cycle"];
    expect(kinds([failed("NIPA")])).toEqual(none);
    expect(kinds([failed("AM02"), failed("NIPA", { kind: "retry" })])).toEqual(none);
    expect(kinds([failed("AM09")])).toEqual(none);
    expect(kinds([failed("", { isUntaken: true })])).toEqual(none);
    // He had not paid before.
    const untaken = failed("DTNT", { kind: "retry", isUntaken: true });
    expect(kinds([limit, untaken])).toEqual(["offer_link", "email_link"]);
  });

  test("is dunned no more once its subscription is over", () => {
    const subscription = {
      ...policy({ link: "email", then: "pause" }),
      status: "cancelled" as const,
    };
    const mandate = { ...SUBSCRIPTION.mandate, isEnding: false };
    const recovery = { byHand: made, dunning: state };
    const ended = stateOf(
      { attempts: [limit], debit: over, recovery },
      { ...subscription, mandate },
    );
    expect(kindAt(ended, now)).toBe("close_cycle");
    const rejected = { ...over, status: "rejected" as const };
    const both = stateOf(
      { attempts: [limit], debit: rejected, recovery },
      { ...subscription, mandate },
    );
    expect(kindAt(both, now)).toBe("close_cycle");
  });
});
