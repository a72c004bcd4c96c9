import { saoPauloTime } from "../shared/business-day.ts";
import { MAX_BASIS_POINTS } from "../ledger/fees.ts";
import type { Cents } from "../shared/money.ts";
import {
  takes,
  type AccountConditions,
  type AccountMethod,
  type PspAccount,
} from "./psp-account.ts";

/** What is to be carried, and when. */
export interface Route {
  /** Centavos of the charge; null for a payout, and where no charge is made yet: conditions are of charges. */
  amount: Cents | null;
  nowMs: number;
  /** Whether an account did not answer of late (`AccountHealth`). */
  isSilent: (account: string) => boolean;
}

type RoutedAccount = Pick<PspAccount, "account" | "methods" | "priority" | "conditions" | "state">;

/**
 * The accounts that may take a new charge or payout, in the order in which they are asked: by priority, those of one
 * priority by cost, silent ones last. A silent one stays among them: where all are silent, the first is asked.
 */
export function routesOf<Account extends RoutedAccount>(
  accounts: readonly Account[],
  method: AccountMethod,
  { amount, nowMs, isSilent }: Route,
): Account[] {
  return accounts
    .filter(
      (each) => takes(each, method) && (amount === null || isMet(each.conditions, amount, nowMs)),
    )
    .toSorted(
      (left, right) =>
        Number(isSilent(left.account)) - Number(isSilent(right.account)) ||
        left.priority - right.priority ||
        byCost(left, right, amount ?? 0) ||
        (left.account < right.account ? -1 : 1),
    );
}

/** The cheaper for an amount first; one that states no cost last. */
function byCost(left: RoutedAccount, right: RoutedAccount, amount: Cents): number {
  const [one, other] = [costOf(left, amount), costOf(right, amount)];
  return one === other ? 0 : one - other;
}

/** Centavos and their fractions, so that no rounding makes two costs one. */
function costOf({ conditions: { cost } }: RoutedAccount, amount: Cents): number {
  return cost === undefined
    ? Infinity
    : cost.fixed + (amount * cost.basisPoints) / MAX_BASIS_POINTS;
}

function isMet(
  { amountFrom = 0, amountTo = Infinity, hours }: AccountConditions,
  amount: Cents,
  nowMs: number,
): boolean {
  if (amount < amountFrom || amount > amountTo) return false;
  return hours === undefined || isWithin(hours, saoPauloTime(nowMs));
}

/** Whether a time (`HH:MM`) is within hours (`HH:MM-HH:MM`), over midnight where the end is the earlier. */
function isWithin(hours: string, time: string): boolean {
  const [from = "", to = ""] = hours.split("-");
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
