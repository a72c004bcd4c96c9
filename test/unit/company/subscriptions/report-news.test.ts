import { expect, it } from "vitest";
import type { ToldDebit } from "../../../../src/company/subscriptions/command-types.ts";
import { attemptsAfter } from "../../../../src/company/subscriptions/report-news.ts";
import {
  debitEnd,
  debitReason,
  type DebitEnd,
} from "../../../../src/domain/subscriptions/debit-codes.ts";
import { debitStatusAfter, NO_DEBIT } from "../../../../src/domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../../../src/domain/subscriptions/subscription.ts";

const DAY = "2026-12-10";
const NOW = Date.parse("2026-12-05T12:00:00-03:00");
const customer = {
  name: "Maria",
  document: { type: "CPF" as const, number: "12345678909" },
  email: "",
  externalRef: "",
  city: null,
};

const attempt = (fields: Partial<DebitAttempt>): DebitAttempt => ({
  day: DAY,
  kind: "due",
  status: "failed",
  reason: debitReason("AM09"),
  endToEndId: null,
  ...fields,
});

const rejected = (attempts: DebitAttempt[], end?: DebitEnd) => ({
  attempts,
  debit: { ...NO_DEBIT, status: "rejected" as const, end },
});

it("an order that was refused here and has arrived all the same is open", () => {
  const refused = { ...rejected([attempt({ isUntaken: true })]), dueDate: DAY };
  const scheduled = attempt({ status: "scheduled", reason: null, endToEndId: "E1" });

  const after = attemptsAfter({ customer }, refused, {
    status: "rejected",
    told: { status: "active", attempts: [scheduled] },
    nowMs: NOW,
  });

  expect(after).toEqual([scheduled]);
});

it("an attempt that was never taken is gone once its debit is told to go on", () => {
  const untaken = attempt({ isUntaken: true });
  const after = (known: DebitAttempt[], told: ToldDebit, end?: DebitEnd) =>
    attemptsAfter(
      { customer },
      { ...rejected(known, end), dueDate: DAY },
      { status: told.status, told, nowMs: NOW },
    ).map(({ day, status }) => [day, status]);
  const live = { status: "active" as const, attempts: [] };
  expect(after([untaken], live)).toEqual([]);
  expect(after([untaken], { status: "created", attempts: [] })).toEqual([]);
  const moved = attempt({ day: "2026-12-11", status: "scheduled", reason: null });
  expect(after([untaken], { ...live, attempts: [moved] })).toEqual([["2026-12-11", "scheduled"]]);
  const end = debitEnd({ kind: "rejected", by: "payer_bank", providerCode: "AB10" });
  expect(after([untaken], live, end)).toEqual([[DAY, "failed"]]);
  const refused = { ...rejected([untaken]), dueDate: DAY };
  const told = { status: "rejected" as const, attempts: [] };
  expect(
    attemptsAfter({ customer }, refused, { status: "rejected", told, nowMs: NOW }),
  ).toMatchObject([{ isUntaken: true, reason: untaken.reason }]);
  // A retry that was refused is no order of the debit.
  const retry = attempt({ kind: "retry", day: "2026-12-12", isUntaken: true });
  const known = {
    attempts: [attempt({}), retry],
    debit: { ...NO_DEBIT, status: "active" as const },
  };
  const tried = { ...live, attempts: [attempt({})] };
  expect(
    attemptsAfter(
      { customer },
      { ...known, dueDate: DAY },
      { status: "active", told: tried, nowMs: NOW },
    ),
  ).toHaveLength(2);
});

it("a debit that only this service called rejected is what its provider tells", () => {
  const ours = [attempt({ isUntaken: true })];
  const end = debitEnd({ kind: "rejected", by: "payer_bank", providerCode: "AB10" });

  expect(debitStatusAfter(rejected(ours), "active")).toBe("active");
  const found = attempt({ status: "scheduled", reason: null });
  expect(debitStatusAfter(rejected([found]), "active")).toBe("active");
  expect(debitStatusAfter(rejected(ours, end), "active")).toBe("rejected");
  expect(debitStatusAfter(rejected([...ours, attempt({})]), "active")).toBe("rejected");
  expect(debitStatusAfter(rejected([]), "active")).toBe("rejected");
  expect(debitStatusAfter(rejected([]), "paid")).toBe("paid");
});

it("a debit that is rejected without an attempt has failed on its day, and is not tried again", () => {
  const fresh = { attempts: [], debit: NO_DEBIT, dueDate: DAY };
  const end = debitEnd({ kind: "rejected", by: "payer_bank", providerCode: "AB10" });
  const after = (told: ToldDebit, nowMs: number) =>
    attemptsAfter({ customer }, fresh, { status: "rejected", told, nowMs });
  const told = { status: "rejected" as const, attempts: [] };
  const failed = { day: DAY, kind: "due", status: "failed" };
  const reason = { code: "PAYER_BANK_UNAVAILABLE", action: "offer_link", providerCode: "AB10" };
  expect(after({ ...told, end }, NOW)).toMatchObject([
    { ...failed, reason, failedOn: "2026-12-05" },
  ]);
  const [late] = after(told, Date.parse(`${DAY}T12:00:00-03:00`));
  expect(late).toMatchObject({ ...failed, reason: { code: "UNKNOWN", action: "offer_link" } });
  expect(late).not.toHaveProperty("failedOn");
});

it("an attempt that was refused before its day keeps the day of that", () => {
  const fresh = { attempts: [], debit: NO_DEBIT, dueDate: DAY };
  const told = { status: "active" as const, attempts: [attempt({})] };
  const early = attemptsAfter({ customer }, fresh, { status: "active", told, nowMs: NOW });
  expect(early).toEqual([attempt({ failedOn: "2026-12-05" })]);
  const known = { ...fresh, attempts: early };
  for (const hours of [24, 240]) {
    const nowMs = NOW + hours * 3_600_000;
    const again = attemptsAfter({ customer }, known, { status: "active", told, nowMs });
    expect(JSON.stringify(again)).toBe(JSON.stringify(early));
  }
  const unpaid = { ...fresh, attempts: [attempt({})] };
  expect(attemptsAfter({ customer }, unpaid, { status: "active", told, nowMs: NOW })).toEqual([
    attempt({}),
  ]);
});
