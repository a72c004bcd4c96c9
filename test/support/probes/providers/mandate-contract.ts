import { describe, expect, it } from "vitest";
import { startOfDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { debitDayOf, retryDaysOf } from "../../../../src/domain/subscriptions/debit-window.ts";
import type { MandateEndReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { parseBrCode } from "../../../../src/methods/pix/br-code-parser.ts";
import type {
  DebitDetails,
  DebitOrder,
  MandateDetails,
  MandateOrder,
  MandateProvider,
} from "../../../../src/providers/mandate-provider.ts";
import {
  debitOrder,
  mandateOrder,
  PAYER_ACCOUNT,
  todayOf,
} from "../../builders/providers/mandate-orders.ts";
import type { TestClock } from "../../fakes/clock.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After the last time at which a debit settles. */
const NIGHT_MS = 22 * HOUR_MS;
/** Where the payer of every approval lives (São Paulo). */
const PAYER_CITY = "3550308";

/** What the payer's bank does on the day of a debit. */
type DebitFate = "paid" | "no_balance" | "over_limit" | "closed";

/** A provider of automatic debits under test, with the payer and his bank. */
export interface MandateSubject {
  provider: MandateProvider;
  clock: TestClock;
  payer: {
    approve: (mandateId: string) => void;
    refuse: (mandateId: string) => void;
    cancel: (mandateId: string) => void;
    decide: (chargeId: string, ...fates: DebitFate[]) => void;
  };
  /** The banks do what is due by the clock. */
  runBanks: () => void;
  /** A charge of the mandate's payer that is paid by the same code. */
  firstCharge: (kind: "cob" | "cobv") => Promise<string>;
}

/**
 * The contract of every provider of automatic debits (`src/providers/mandate-provider.ts`): a mandate is found by our id, a
 * repeated debit or retry has one effect, and an attempt is no payment.
 */
export function mandateContract(name: string, make: () => MandateSubject): void {
  describe(`${name} keeps mandates:`, () => approvalContract(make));
  describe(`${name} ends mandates:`, () => endContract(make));
  describe(`${name} debits:`, () => debitContract(make));
  describe(`${name} tries debits again:`, () => retryContract(make));
}

function approvalContract(make: () => MandateSubject): void {
  it("a mandate waits for its payer, is found by both ids, and is approved", async () => {
    const subject = make();
    const { order, mandate } = await created(subject);
    const { mandateId } = mandate;

    expect(mandate).toMatchObject({
      subscriptionId: order.subscriptionId,
      status: "created",
      journey: null,
      allowsRetries: true,
      payer: null,
      code: null,
      end: null,
    });
    const since = subject.clock.now() - DAY_MS;
    expect(await subject.provider.findMandateByContract(order, since)).toEqual({
      kind: "known",
      mandate: await found(subject, mandateId),
    });
    const asked = await subject.provider.requestApproval(mandateId, approval(subject));
    expect(asked).toMatchObject({ kind: "requested", requestId: expect.any(String) });
    expect(await subject.provider.requestApproval(mandateId, approval(subject))).toEqual(asked);
    expect((await found(subject, mandateId)).request).toMatchObject({ status: "open" });

    subject.payer.approve(mandateId);

    expect(await found(subject, mandateId)).toMatchObject({
      status: "approved",
      journey: "REQUEST",
      payer: { ispb: expect.stringMatching(/^[0-9A-Z]{8}$/), city: PAYER_CITY },
      request: { status: "accepted" },
    });
  });

  it("a mandate without retries, with a variable amount and an end, is as it was ordered", async () => {
    const subject = make();
    const today = todayOf(subject.clock);
    const { firstDueDate } = mandateOrder(today).schedule;
    for (const period of ["WEEKLY", "QUARTERLY", "SEMIANNUAL", "ANNUAL"] as const) {
      const { mandate } = await created(subject, {
        schedule: { period, firstDueDate, endDate: addDays(firstDueDate, 800) },
        amount: { kind: "variable", minimum: 1_000 },
        allowsRetries: false,
      });
      expect(mandate).toMatchObject({ status: "created", allowsRetries: false });
    }
  });

  it("nobody knows a mandate that nobody made", async () => {
    const { provider, clock } = make();
    const order = mandateOrder(todayOf(clock));
    expect(await provider.findMandateByContract(order, clock.now() - DAY_MS)).toEqual({
      kind: "not_found",
    });
    expect(await provider.findMandate("RR0908935620261130Rec00999999")).toEqual({
      kind: "not_found",
    });
  });

  it("the code of a mandate names its recurrence, and the charge that is paid with it", async () => {
    const subject = make();
    const { mandate: alone } = await created(subject, { journey: "QR" });
    expect(codeOf(alone)).toMatchObject({ kind: "recurring" });

    for (const [journey, kind] of [
      ["QR_AND_PAY", "cob"],
      ["QR_ON_DUE", "cobv"],
    ] as const) {
      const firstChargeId = await subject.firstCharge(kind);
      const { mandate } = await created(subject, { journey, firstChargeId });
      const { kind: codeKind, location, recurrenceLocation } = codeOf(mandate);
      expect([codeKind, location]).toEqual(["dynamic", expect.stringContaining(firstChargeId)]);
      expect(recurrenceLocation).not.toBeNull();
      const report = await subject.provider.findMandate(mandate.mandateId, firstChargeId);
      expect(report).toEqual({ kind: "known", mandate });
    }
  });
}

function endContract(make: () => MandateSubject): void {
  it.each([
    ["refuse", "rejected", "PAYER_REFUSED"],
    ["cancel", "cancelled", "PAYER_CANCELLED"],
  ] as const)("a payer can %s: it is %s", async (act, status, reason) => {
    const subject = make();
    const { mandate } = await created(subject);
    subject.payer[act](mandate.mandateId);
    await expectEnd(subject, mandate, status, reason);
  });

  it("a cancelled mandate is cancelled again, and takes no debit", async () => {
    const subject = make();
    const { order, mandate } = await approved(subject);
    const cancelled = { kind: "cancelled" };
    expect(await subject.provider.cancelMandate(mandate.mandateId)).toEqual(cancelled);
    expect(await subject.provider.cancelMandate(mandate.mandateId)).toEqual(cancelled);
    await expectEnd(subject, mandate, "cancelled", "RECEIVER_CANCELLED");
    const debit = debitOrder(mandate.mandateId, order);
    expect((await subject.provider.scheduleDebit(debit)).kind).toBe("refused");
  });

  it("a mandate that its payer refused cannot be cancelled", async () => {
    const subject = make();
    const { mandate } = await created(subject);
    subject.payer.refuse(mandate.mandateId);
    expect((await subject.provider.cancelMandate(mandate.mandateId)).kind).toBe("refused");
  });

  it("a mandate has expired the day after its end", async () => {
    const subject = make();
    const { firstDueDate } = mandateOrder(todayOf(subject.clock)).schedule;
    const schedule = { period: "MONTHLY" as const, firstDueDate, endDate: firstDueDate };
    const { mandate } = await approved(subject, { schedule });

    moveTo(subject, firstDueDate);
    expect((await found(subject, mandate.mandateId)).status).toBe("approved");
    moveTo(subject, addDays(firstDueDate, 1));
    expect((await found(subject, mandate.mandateId)).status).toBe("expired");
  });
}

function debitContract(make: () => MandateSubject): void {
  it("a debit is ordered once, is no payment before its day, and is paid on it", async () => {
    const subject = make();
    const { debit } = await scheduled(subject);
    expect(await subject.provider.scheduleDebit(debit)).toMatchObject({ kind: "accepted" });
    const before = await foundDebit(subject, debit);
    expect(before).toMatchObject({
      status: "active",
      mandateId: debit.mandateId,
      dueDate: debit.dueDate,
      amount: debit.amount,
      attempts: [{ day: debitDayOf(debit.dueDate, PAYER_CITY), kind: "due", status: "scheduled" }],
      charge: { status: "open", payments: [] },
    });

    settle(subject, debit);

    const after = await foundDebit(subject, debit);
    expect(after).toMatchObject({ status: "paid", attempts: [{ status: "paid" }], end: null });
    expect(after.charge.payments).toEqual([
      expect.objectContaining({ method: "PIX", amount: debit.amount }),
    ]);
  });

  it("another debit of the cycle, and another one under its id, are not ordered", async () => {
    const subject = make();
    const { order, debit } = await scheduled(subject);
    const second = debitOrder(debit.mandateId, order);
    expect((await subject.provider.scheduleDebit(second)).kind).toBe("refused");
    const changed = { ...debit, amount: debit.amount + 1 };
    expect(await subject.provider.scheduleDebit(changed)).toEqual({ kind: "unknown" });
    expect((await foundDebit(subject, debit)).amount).toBe(debit.amount);
    expect(await subject.provider.findDebit(second.chargeId)).toEqual({ kind: "not_found" });
  });

  it("a debit is cancelled until its day, also twice", async () => {
    const subject = make();
    const { debit } = await scheduled(subject);
    const cancelled = { kind: "cancelled" };
    expect(await subject.provider.cancelDebit(debit.chargeId)).toEqual(cancelled);
    expect(await subject.provider.cancelDebit(debit.chargeId)).toEqual(cancelled);
    expect(await foundDebit(subject, debit)).toMatchObject({
      status: "cancelled",
      attempts: [{ status: "cancelled" }],
      end: { kind: "cancelled", by: "receiver" },
      charge: { status: "cancelled" },
    });
    const { debit: late } = await scheduled(subject);
    settle(subject, late);
    expect((await subject.provider.cancelDebit(late.chargeId)).kind).toBe("refused");
  });

  it("a debit says why its bank refused it", async () => {
    const subject = make();
    const { debit } = await scheduled(subject);
    subject.payer.decide(debit.chargeId, "over_limit");
    settle(subject, debit);
    expect(await foundDebit(subject, debit)).toMatchObject({
      status: "active",
      attempts: [{ status: "failed", reason: { code: "PAYER_LIMIT", providerCode: "AM02" } }],
      charge: { status: "open", payments: [] },
    });

    const { debit: ended } = await scheduled(subject);
    subject.payer.decide(ended.chargeId, "closed");
    settle(subject, ended);
    expect(await foundDebit(subject, ended)).toMatchObject({
      status: "rejected",
      attempts: [{ status: "failed", reason: { code: "PAYER_ACCOUNT_CLOSED" } }],
      end: { kind: "rejected", providerCode: "AC05" },
      charge: { status: "failed" },
    });
  });

  it("lists have the mandates and debits of their window", async () => {
    const subject = make();
    const { debit, mandate } = await scheduled(subject);
    const now = subject.clock.now();
    const window = { from: now - DAY_MS, to: now + HOUR_MS };
    const mandates = await subject.provider.listMandates(window, 0);
    const debits = await subject.provider.listDebits(window, 0);
    if (mandates.kind === "unknown" || debits.kind === "unknown") throw new Error("no list came");
    expect([mandates.unreadable, debits.unreadable]).toEqual([0, []]);
    const { code: _code, ...listed } = await found(subject, mandate.mandateId);
    expect(mandates.mandates).toContainEqual(expect.objectContaining(listed));
    expect(debits.debits).toContainEqual({ debit: await foundDebit(subject, debit) });
    const old = { from: now - 9 * DAY_MS, to: now - 8 * DAY_MS };
    expect(await subject.provider.listDebits(old, 0)).toMatchObject({ debits: [], hasMore: false });
  });
}

function retryContract(make: () => MandateSubject): void {
  it("an unpaid debit is tried on another day, ordered once, and paid", async () => {
    const subject = make();
    const { order, debit } = await scheduled(subject);
    subject.payer.decide(debit.chargeId, "no_balance");
    settle(subject, debit);
    expect(await foundDebit(subject, debit)).toMatchObject({
      status: "active",
      attempts: [{ status: "failed", reason: { code: "NO_BALANCE" } }],
    });
    const day = retryDays(order, debit)[0] ?? "";

    const ordered = await subject.provider.retryDebit(debit.chargeId, day);
    expect(ordered).toMatchObject({ kind: "accepted", debit: { attempts: [{}, { day }] } });
    expect(await subject.provider.retryDebit(debit.chargeId, day)).toEqual(ordered);
    moveTo(subject, day);

    const { attempts, charge } = await foundDebit(subject, debit);
    expect(attempts).toMatchObject([{ status: "failed" }, { kind: "retry", day, status: "paid" }]);
    expect(charge.payments).toMatchObject([{ amount: debit.amount }]);
  });

  it("no retry is ordered while one is open, for a past day, or without the payer's approval", async () => {
    const subject = make();
    const { order, debit } = await scheduled(subject);
    const [first = "", second = ""] = retryDays(order, debit);
    expect((await subject.provider.retryDebit(debit.chargeId, first)).kind).toBe("refused");
    subject.payer.decide(debit.chargeId, "no_balance");
    settle(subject, debit);
    await subject.provider.retryDebit(debit.chargeId, first);
    expect((await subject.provider.retryDebit(debit.chargeId, second)).kind).toBe("refused");
    const { debit: single } = await scheduled(subject, { allowsRetries: false });
    subject.payer.decide(single.chargeId, "no_balance");
    settle(subject, single);
    const day = addDays(todayOf(subject.clock), 1);
    expect((await subject.provider.retryDebit(single.chargeId, day)).kind).toBe("refused");
  });
}

/** A mandate that waits for its payer. */
export async function created(subject: MandateSubject, overrides: Partial<MandateOrder> = {}) {
  const order = mandateOrder(todayOf(subject.clock), overrides);
  const outcome = await subject.provider.createMandate(order);
  if (outcome.kind !== "created") throw new Error(`the mandate is ${JSON.stringify(outcome)}`);
  return { order, mandate: outcome.mandate };
}

async function approved(subject: MandateSubject, overrides: Partial<MandateOrder> = {}) {
  const made = await created(subject, overrides);
  subject.payer.approve(made.mandate.mandateId);
  return made;
}

/** An approved mandate with its first debit ordered. */
export async function scheduled(subject: MandateSubject, overrides: Partial<MandateOrder> = {}) {
  const { order, mandate } = await approved(subject, overrides);
  const debit = debitOrder(mandate.mandateId, order);
  const outcome = await subject.provider.scheduleDebit(debit);
  if (outcome.kind !== "accepted") throw new Error(`the debit is ${JSON.stringify(outcome)}`);
  return { order, mandate, debit };
}

async function found({ provider }: MandateSubject, mandateId: string): Promise<MandateDetails> {
  const report = await provider.findMandate(mandateId);
  if (report.kind !== "known") throw new Error(`the mandate is ${report.kind}`);
  return report.mandate;
}

async function foundDebit(
  { provider }: MandateSubject,
  { chargeId }: DebitOrder,
): Promise<DebitDetails> {
  const report = await provider.findDebit(chargeId);
  if (report.kind !== "known") throw new Error(`the debit is ${report.kind}`);
  return report.debit;
}

async function expectEnd(
  subject: MandateSubject,
  { mandateId }: MandateDetails,
  status: MandateDetails["status"],
  reason: MandateEndReason,
): Promise<void> {
  expect(await found(subject, mandateId)).toMatchObject({ status, end: { reason } });
}

function codeOf({ code }: MandateDetails) {
  const verdict = parseBrCode(code ?? "");
  if (!verdict.valid) throw new Error(verdict.reason);
  return verdict.content;
}

function approval({ clock }: MandateSubject) {
  return { account: PAYER_ACCOUNT, expiresAt: clock.now() + DAY_MS };
}

/** To the night of a day, after its debits; never back. */
function moveTo({ clock, runBanks }: MandateSubject, day: string): void {
  clock.advance(Math.max(0, startOfDay(day) + NIGHT_MS - clock.now()));
  runBanks();
}

function settle(subject: MandateSubject, { dueDate }: DebitOrder): void {
  moveTo(subject, debitDayOf(dueDate, PAYER_CITY));
}

function retryDays({ schedule }: MandateOrder, { dueDate }: DebitOrder): string[] {
  const { endDate } = schedule;
  return retryDaysOf({ dueDate, nextDueDate: null, endDate, city: PAYER_CITY });
}
