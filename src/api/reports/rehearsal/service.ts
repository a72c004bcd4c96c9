import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import type { HourAmount } from "../../../company/releases/cash-ahead-store.ts";
import { METHODS_WITH_CODE } from "../../../domain/charges/charge-status.ts";
import type { ForecastDay } from "../../../domain/ledger/release.ts";
import { rehearse, type RehearsalDay } from "../../../domain/rehearsal/cash-rehearsal.ts";
import { paymentOdds, type PaymentOdds } from "../../../domain/rehearsal/payment-odds.ts";
import { endOfDay, saoPauloDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Cents } from "../../../domain/shared/money.ts";
import { PAST_DAYS, readPayments } from "./repository.ts";

/** A company's next days, and what they are taken from. */
export interface Rehearsal {
  days: RehearsalDay[];
  odds: PaymentOdds[];
  /** The part of the payments of the past that went back to payers, 0 to 1. */
  returnedShare: number;
  /** Days of the past that they count. */
  pastDays: number;
  /** Debt, and withdraws that are asked for and not paid, now. Centavos. */
  owed: Cents;
  payout: Cents;
}

/** Rehearses a company's next days by its own time, without changing anything. */
export async function rehearseCompany(
  env: Env,
  company: Company,
  { days, nowMs }: { days: number; nowMs: number },
): Promise<Rehearsal> {
  const today = saoPauloDay(nowMs);
  const until = endOfDay(addDays(today, days - 1)) + 999;
  const [ahead, payments] = await Promise.all([
    callCompany(env, company.id, (account) => account.cashAhead(until)),
    readPayments(env, company, { today, nowMs }),
  ]);
  const odds = METHODS_WITH_CODE.map((method) => {
    const isOf = ({ paymentMethod }: { paymentMethod: string }) => paymentMethod === method;
    return paymentOdds(method, payments.past.filter(isOf), payments.open.filter(isOf));
  });
  const returnedShare =
    payments.gross === 0 ? 0 : Math.min(1, Math.max(0, payments.refunds / payments.gross));
  const { available, owed, payout, releases } = ahead;
  const facts = {
    today,
    days,
    available,
    owed,
    releases,
    expiringApprovals: ahead.expiringApprovals.map(onDay),
    disputes: ahead.disputes.map(({ held, ...disputed }) => ({ ...onDay(disputed), held })),
    wonDisputes: ahead.wonDisputes.map(onDay),
    open: payments.open,
    odds,
    releaseDays: company.terms.releaseDays,
    returnedShare,
  };
  return { days: rehearse(facts), odds, returnedShare, pastDays: PAST_DAYS, owed, payout };
}

/** An amount of an hour on its day in São Paulo. */
function onDay({ at, amount }: HourAmount): ForecastDay {
  return { date: saoPauloDay(at), amount };
}
