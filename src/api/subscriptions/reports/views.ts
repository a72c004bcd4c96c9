import type { Cents } from "../../../domain/shared/money.ts";
import type { DebitDaySum } from "../../../domain/subscriptions/reports/outlook.ts";
import { bankName } from "../../../domain/subscriptions/reports/payer-banks.ts";
import type { DebitGroup, MandateGroup } from "./repository.ts";

const BASIS_POINTS = 10_000;

/** What will be debited, by day, and the sums. Centavos. */
export function outlookView({ from, to }: { from: string; to: string }, items: DebitDaySum[]) {
  const count = items.reduce((sum, item) => sum + item.count, 0);
  const amount: Cents = items.reduce((sum, item) => sum + item.amount, 0);
  return { from, to, items, totals: { count, amount } };
}

/** What payers' banks did with mandates and debits; those with most mandates first. */
export function banksView(
  { from, to }: { from: string; to: string },
  { mandates, debits }: { mandates: MandateGroup[]; debits: DebitGroup[] },
) {
  const banks = new Set([...mandates, ...debits].map(({ ispb }) => ispb));
  const items = [...banks].map((ispb) => ({
    ispb,
    name: ispb === null ? null : bankName(ispb),
    mandates: mandateSums(mandates.filter((group) => group.ispb === ispb)),
    debits: debitSums(debits.filter((group) => group.ispb === ispb)),
  }));
  const byMandates = items.toSorted(
    (one, other) =>
      other.mandates.made - one.mandates.made ||
      other.debits.due - one.debits.due ||
      (one.ispb ?? "").localeCompare(other.ispb ?? ""),
  );
  return { from, to, items: byMandates };
}

function mandateSums(groups: MandateGroup[]) {
  const sum = (isCounted: (group: MandateGroup) => boolean) =>
    groups.filter(isCounted).reduce((total, { count }) => total + count, 0);
  const approved = sum(isApproved);
  const rejected = sum(({ status }) => status === "rejected");
  const expired = sum(({ status }) => status === "expired");
  const decided = approved + rejected + expired;
  return {
    made: sum(() => true),
    codesRead: sum(({ hasCode, isBankTold, isPaid }) => hasCode && (isBankTold || isPaid)),
    approved,
    paidUnapproved: sum((group) => group.isPaid && !isApproved(group)),
    rejected,
    expired,
    active: sum(({ status }) => status === "active" || status === "past_due"),
    approvedBasisPoints: decided === 0 ? null : Math.round((approved * BASIS_POINTS) / decided),
  };
}

/** A cancelled one was approved where its payer's bank is told: one that never was has no payer. */
function isApproved({ status, isBankTold }: MandateGroup): boolean {
  switch (status) {
    case "active":
    case "past_due":
    case "paused":
    case "completed":
      return true;
    case "cancelled":
      return isBankTold;
    case "pending_approval":
    case "rejected":
    case "expired":
      return false;
  }
}

function debitSums(groups: DebitGroup[]) {
  const sum = (isCounted: (group: DebitGroup) => boolean) =>
    groups.filter(isCounted).reduce((total, { count }) => total + count, 0);
  const failed = groups.filter(({ first }) => first === "failed");
  const byCode = Map.groupBy(failed, ({ code }) => code ?? "UNKNOWN");
  const failures = [...byCode].map(([code, found]) => ({
    code,
    count: found.reduce((total, { count }) => total + count, 0),
  }));
  return {
    due: sum(({ status }) => status !== "skipped"),
    paidInTime: sum(({ first }) => first === "paid"),
    paidLater: sum(({ status, first }) => status === "paid" && first === "failed"),
    failed: sum(({ first }) => first === "failed"),
    failures: failures.toSorted((one, other) => other.count - one.count),
  };
}
