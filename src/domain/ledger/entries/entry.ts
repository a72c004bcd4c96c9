import type { Account, MovementType, Posting } from "../ledger.ts";
import type { Cents } from "../../shared/money.ts";
import type { PixKeyType } from "../../shared/pix-key.ts";

/**
 * What of a company's money is its own and nobody disputes: it is available, awaits release, or is owed (`debt`,
 * a negative number). An entry's balance is the sum of these accounts.
 */
const OWN_ACCOUNTS: readonly Account[] = ["available", "awaiting", "debt"];

/**
 * One thing that happened to a company's own money: a movement, as a line of a bank's statement shows it. Amounts in
 * centavos, signed; times in epoch milliseconds. `gross` less `fee` is `net`.
 */
export interface StatementEntry {
  /** The number of the movement's last line in the statement, as the balance carries it. */
  sequence: number;
  createdAt: number;
  type: MovementType;
  transactionId: string | null;
  withdrawId: number | null;
  gross: Cents;
  /** The gateway's fee; negative where one came back. */
  fee: Cents;
  /** What `balance` changed by. */
  net: Cents;
  /** Of own money, after the movement. */
  balance: Cents;
  /** What can be withdrawn (less a debt) changed by: a release changes this alone. */
  availableNet: Cents;
  /** What can be withdrawn, less a debt, after the movement. */
  available: Cents;
}

/** The balance of a company's own money, from those of its accounts. Centavos. */
export function ownBalance(balances: Record<Account, Cents>): Cents {
  return OWN_ACCOUNTS.reduce((sum, account) => sum + balances[account], 0);
}

/**
 * The amounts of a movement as an entry; null for one that moves none of the company's own money: a payment in
 * suspense, or the bank's word on money that an earlier entry took.
 */
export function entryAmounts({
  postings,
  balances,
}: {
  postings: readonly Posting[];
  balances: Record<Account, Cents>;
}): Omit<
  StatementEntry,
  "sequence" | "createdAt" | "type" | "transactionId" | "withdrawId"
> | null {
  const moved = (accounts: readonly Account[]) =>
    postings.reduce(
      (sum, { account, amount }) => (accounts.includes(account) ? sum + amount : sum),
      0,
    );
  const net = moved(OWN_ACCOUNTS);
  const fee = moved(["fees"]);
  const availableNet = moved(["available", "debt"]);
  if (net === 0 && fee === 0 && availableNet === 0) return null;
  return {
    gross: net + fee,
    fee,
    net,
    balance: ownBalance(balances),
    availableNet,
    available: balances.available + balances.debt,
  };
}

/** What an entry is to its reader: a payment that came `in`, what went `out` (or came back), or one with a fee. */
export const ENTRY_KINDS = ["in", "out", "fees"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Whether an entry is of a kind: the entries of a kind add up to its sum in `StatementSums`. */
export function isEntryOf(
  kind: EntryKind,
  { type, gross, fee }: Pick<StatementEntry, "type" | "gross" | "fee">,
): boolean {
  const isPayment = type === "charge_paid" || type === "suspense_credited";
  switch (kind) {
    case "in":
      return isPayment;
    case "out":
      return !isPayment && gross !== 0;
    case "fees":
      return fee !== 0;
  }
}

/**
 * Days of a statement: `opening` and `moneyIn`, less `fees` and `moneyOut`, is `closing`. Centavos. `moneyIn` is the
 * gross of payments; `moneyOut` is all else, less what came back.
 */
export interface StatementSums {
  opening: Cents;
  moneyIn: Cents;
  fees: Cents;
  moneyOut: Cents;
  closing: Cents;
  /** What of `closing` can be withdrawn, less a debt. */
  available: Cents;
  /** The ledger's movements in these days: at least their entries. */
  movements: number;
  /** The number of the last line that the sums count. */
  sequence: number;
}

/** Which movements a page of entries is read from: those of a period (epoch milliseconds, both included). */
export interface EntryQuery {
  from: number;
  to: number;
  /** Only those of movements older than that of this line; null for the newest. */
  before: number | null;
  limit: number;
  /** Only those of this kind; null for all. */
  only: EntryKind | null;
}

/** Whom a withdraw pays. */
export interface Payee {
  withdrawId: number;
  pixKey: string;
  pixKeyType: PixKeyType;
}

/** Entries, newest first; `after` is null at the end. A page may be short, or empty, before the end. */
export interface EntryPage {
  entries: StatementEntry[];
  /** Of the withdraws among them. */
  payees: Payee[];
  after: number | null;
}
