import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { maskName, maskPixKey } from "../../domain/access/masks.ts";
import { seesPersonalData } from "../../domain/access/payer-masks.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { EntryQuery, Payee, StatementEntry } from "../../domain/ledger/entries/entry.ts";
import type { Caller } from "../../http/context.ts";
import { findEntryTransactions, type EntryTransaction } from "./repository.ts";

/** An entry with what its transaction or withdraw says of it, as its caller may see it. */
export interface NamedEntry extends StatementEntry {
  /** Null of one that is about no transaction. */
  paymentMethod: PaymentMethod | null;
  /** The payer's name, or the PIX key that a withdraw goes to; null where neither is known. */
  counterpart: string | null;
  /** The merchant's own number of the order. */
  externalRef: string | null;
}

/** A page of entries, newest first; `after` is null at the end. Names and keys are masked without `pii:read`. */
export async function entryPage(
  env: Env,
  { company, scopes }: Caller,
  query: EntryQuery,
): Promise<{ items: NamedEntry[]; after: number | null }> {
  const { entries, payees, after } = await callCompany(env, company.id, (account) =>
    account.statementEntries(query),
  );
  const ids = new Set(entries.flatMap(({ transactionId }) => transactionId ?? []));
  const found = ids.size === 0 ? [] : await findEntryTransactions(env, company.id, [...ids]);
  const byId = new Map(found.map((transaction) => [transaction.id, transaction]));
  const byNumber = new Map(payees.map((payee) => [payee.withdrawId, payee]));
  const isMasked = !seesPersonalData(scopes);
  const items = entries.map((entry): NamedEntry => {
    const transaction = byId.get(entry.transactionId ?? "");
    const payee = byNumber.get(entry.withdrawId ?? 0);
    return Object.assign(entry, {
      paymentMethod: transaction?.paymentMethod ?? null,
      counterpart: counterpartOf(transaction, payee, isMasked),
      externalRef: transaction?.externalRef || null,
    });
  });
  return { items, after };
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
