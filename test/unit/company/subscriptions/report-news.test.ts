import { expect, it } from "vitest";
import { attemptsAfter } from "../../../../src/company/subscriptions/report-news.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import type { DebitAttempt } from "../../../../src/domain/subscriptions/subscription.ts";

const DAY = "2026-12-10";
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

it("an order that was refused here and has arrived all the same is open", () => {
  const refused = { attempts: [attempt({ isUntaken: true })], dueDate: DAY };
  const scheduled = attempt({ status: "scheduled", reason: null, endToEndId: "E1" });

  const after = attemptsAfter({ customer }, refused, "rejected", {
    status: "active",
    attempts: [scheduled],
  });

  expect(after).toEqual([scheduled]);
});

it("a debit that is rejected without an attempt has failed on its day", () => {
  const fresh = { attempts: [], dueDate: DAY };
  const told = { status: "rejected" as const, attempts: [] };
  expect(attemptsAfter({ customer }, fresh, "rejected", told)).toMatchObject([
    { day: DAY, kind: "due", status: "failed" },
  ]);
});
