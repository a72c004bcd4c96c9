import { expect, test } from "vitest";
import {
  ATTEMPT_KINDS,
  ATTEMPT_STATUSES,
  attemptNews,
  canTransitionSubscription,
  isAttemptOpen,
  isSubscriptionOver,
  mergedAttempts,
  retryPolicyFault,
  SUBSCRIPTION_JOURNEYS,
  SUBSCRIPTION_STATUSES,
  type AttemptStatus,
  type DebitAttempt,
} from "../../../../src/domain/subscriptions/subscription.ts";

test("a subscription that is over stays as it is", () => {
  const over = SUBSCRIPTION_STATUSES.filter(isSubscriptionOver);
  expect(over).toEqual(["cancelled", "rejected", "expired", "completed"]);
  for (const from of over) {
    for (const to of SUBSCRIPTION_STATUSES) expect(canTransitionSubscription(from, to)).toBe(false);
  }
});

test("only a subscription that waits for its payer can be rejected or expire", () => {
  for (const to of ["rejected", "expired"] as const) {
    const from = SUBSCRIPTION_STATUSES.filter((each) => canTransitionSubscription(each, to));
    expect(from).toEqual(["pending_approval"]);
  }
  expect(canTransitionSubscription("pending_approval", "paused")).toBe(false);
  expect(canTransitionSubscription("pending_approval", "past_due")).toBe(false);
});

test("every subscription that is not over can be cancelled", () => {
  const from = SUBSCRIPTION_STATUSES.filter((each) => canTransitionSubscription(each, "cancelled"));
  expect(from).toEqual(["pending_approval", "active", "past_due", "paused"]);
});

test.each([
  [[], null],
  [[1], null],
  [[1, 3, 7], null],
  [[1, 2, 3, 4], "At most 3"],
  [[0], "1 to 7"],
  [[8], "1 to 7"],
  [[1.5], "1 to 7"],
  [[3, 3], "different days"],
  [[5, 1], "earliest first"],
])("retries on the days %j", (days, fault) => {
  const found = retryPolicyFault(days);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toContain(fault);
});

test("an attempt is open until its bank has decided", () => {
  expect(ATTEMPT_STATUSES.filter((status) => isAttemptOpen({ status }))).toEqual([
    "requested",
    "scheduled",
  ]);
  expect(ATTEMPT_KINDS).toHaveLength(3);
  expect(SUBSCRIPTION_JOURNEYS).toHaveLength(4);
});

const attempt = (status: AttemptStatus, change: Partial<DebitAttempt> = {}): DebitAttempt => ({
  day: "2026-12-10",
  kind: "due",
  status,
  reason: null,
  endToEndId: null,
  ...change,
});

test.each([
  ["failed", "scheduled"],
  ["cancelled", "requested"],
  ["paid", "scheduled"],
  ["scheduled", "requested"],
] as const)("an attempt that is %s is not taken back by an older answer: %s", (known, told) => {
  expect(mergedAttempts([attempt(known)], [attempt(told)])).toEqual([attempt(known)]);
  expect(attemptNews([attempt(known)], [attempt(told)])).toEqual([]);
  expect(mergedAttempts([attempt(told)], [attempt(known)])).toEqual([attempt(known)]);
  expect(attemptNews([attempt(told)], [attempt(known)])).toEqual([attempt(known)]);
});

test("an attempt whose order was called lost comes all the same, and an older answer loses no retry", () => {
  const untaken = attempt("failed", { isUntaken: true });
  const due = attempt("failed");
  const retry = attempt("scheduled", { day: "2026-12-11", kind: "retry" });

  expect(mergedAttempts([untaken], [attempt("scheduled")])).toEqual([attempt("scheduled")]);
  expect(attemptNews([untaken], [attempt("failed")])).toEqual([]);
  expect(mergedAttempts([due, retry], [attempt("scheduled")])).toEqual([due, retry]);
  expect(mergedAttempts([retry], [due])).toEqual([due, retry]);
});

test("a debit that is sent again twice on a day has an attempt for each, in whatever order they are told", () => {
  const failed = attempt("failed", { kind: "resend" });
  const again = attempt("scheduled", { kind: "resend" });

  for (const told of [
    [failed, again],
    [again, failed],
  ]) {
    expect(mergedAttempts([failed], told)).toEqual([failed, again]);
    expect(attemptNews([failed], told)).toEqual([again]);
    expect(attemptNews([failed, again], told)).toEqual([]);
  }
});

test("a debit that is sent again twice on a day is known by its ids, in whatever order they are told", () => {
  const resend = (status: AttemptStatus, endToEndId: string) =>
    attempt(status, { kind: "resend", endToEndId });
  const known = [resend("failed", "E1"), resend("scheduled", "E2")];
  const [failed] = known;
  const paid = resend("paid", "E2");

  for (const told of [
    [paid, failed!],
    [failed!, paid],
  ]) {
    expect(attemptNews(known, told)).toEqual([paid]);
    expect(mergedAttempts(known, told)).toEqual([failed, paid]);
  }
  // One that had no id yet is known by its place.
  const unnamed = attempt("requested", { kind: "resend" });
  expect(mergedAttempts([failed!, unnamed], [paid, failed!])).toEqual([failed, paid]);
  // A resend may have the id of the attempt before it.
  const same = resend("scheduled", "E1");
  expect(mergedAttempts([failed!], [same, failed!])).toEqual([failed, same]);
});
