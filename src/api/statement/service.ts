import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { maskName, maskPixKey } from "../../domain/access/masks.ts";
import { seesPersonalData } from "../../domain/access/payer-masks.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { EntryQuery, Payee, StatementEntry } from "../../domain/ledger/entries/entry.ts";
import type { PendingRelease, ReleaseQuery } from "../../domain/ledger/release.ts";
import type { Caller } from "../../http/context.ts";
import { findEntryTransactions, type EntryTransaction } from "./repository.ts";

/** What a transaction or withdraw says of itself, as its caller may see it. */
interface Names {
  /** Null of one that is about no transaction. */
  paymentMethod: PaymentMethod | null;
  /** The payer's name, or the PIX key that a withdraw goes to; null where neither is known. */
  counterpart: string | null;
  /** The merchant's own number of the order. */
  externalRef: string | null;
}

/** An entry with the names of its transaction or withdraw. */
export type NamedEntry = StatementEntry & Names;

/** What awaits release, with the names of its transaction. */
export type NamedRelease = PendingRelease & Names;

/** A page of entries, newest first; `after` is null at the end. Names and keys are masked without `pii:read`. */
export async function entryPage(
  env: Env,
  { company, scopes }: Caller,
  query: EntryQuery,
): Promise<{ items: NamedEntry[]; after: number | null }> {
  const { entries, payees, after } = await callCompany(env, company.id, (account) =>
    account.statementEntries(query),
  );
  const byId = await transactionsOf(env, company.id, entries);
  const byNumber = new Map(payees.map((payee) => [payee.withdrawId, payee]));
  const isMasked = !seesPersonalData(scopes);
  const items = entries.map((entry): NamedEntry =>
    Object.assign(
      entry,
      namesOf(byId.get(entry.transactionId ?? ""), byNumber.get(entry.withdrawId ?? 0), isMasked),
    ),
  );
  return { items, after };
}

/** A page of what awaits release, with what its transactions say of it, masked as entries are. */
export async function releasePage(
  env: Env,
  { company, scopes }: Caller,
  query: ReleaseQuery,
): Promise<{ items: NamedRelease[]; hasMore: boolean }> {
  const found = await callCompany(env, company.id, (account) => account.pendingReleases(query));
  const releases = found.slice(0, query.limit);
  const byId = await transactionsOf(env, company.id, releases);
  const isMasked = !seesPersonalData(scopes);
  const items = releases.map((release): NamedRelease =>
    Object.assign(release, namesOf(byId.get(release.transactionId), undefined, isMasked)),
  );
  return { items, hasMore: found.length > releases.length };
}

async function transactionsOf(
  env: Env,
  companyId: number,
  items: { transactionId: string | null }[],
): Promise<Map<string, EntryTransaction>> {
  const ids = new Set(items.flatMap(({ transactionId }) => transactionId ?? []));
  const found = ids.size === 0 ? [] : await findEntryTransactions(env, companyId, [...ids]);
  return new Map(found.map((transaction) => [transaction.id, transaction]));
}

function namesOf(
  transaction: EntryTransaction | undefined,
  payee: Payee | undefined,
  isMasked: boolean,
): Names {
  return {
    paymentMethod: transaction?.paymentMethod ?? null,
    counterpart: counterpartOf(transaction, payee, isMasked),
    externalRef: transaction?.externalRef || null,
  };
}

function counterpartOf(
  transaction: EntryTransaction | undefined,
  payee: Payee | undefined,
  isMasked: boolean,
): string | null {
  if (payee !== undefined) {
    const { pixKeyType: type, pixKey: value } = payee;
    return isMasked ? maskPixKey({ type, value }) : value;
  }
  const name = transaction?.paidBy?.name || transaction?.payer.name || "";
  if (name === "") return null;
  return isMasked ? maskName(name) : name;
}
