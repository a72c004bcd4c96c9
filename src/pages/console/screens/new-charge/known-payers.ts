import { getTransaction, searchTransactions } from "../../../../api/transactions/read/routes.ts";
import { maskDocument } from "../../../../domain/access/masks.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { may } from "../answers.tsx";
import type { ChosenPayer } from "./request.ts";

/** Charges that are looked through for payers: one page of the search. */
const CHARGES_READ = 50;

/** A payer of an earlier charge: that charge's id stands for the data, which no page shows in full. */
export interface KnownPayer {
  id: string;
  shown: string;
}

/**
 * The payers of the newest charges that have a document, each once, and of `chosen` first. None for a role that sees
 * masked data only: it could not send them on.
 */
export async function knownPayers(c: ConsoleContext, chosen: string): Promise<KnownPayer[]> {
  if (!may(c, "pii:read")) return [];
  const [first, newest] = await Promise.all([
    chosen === "" ? null : payerOfCharge(c, chosen),
    callRoute(c, searchTransactions, { query: { limit: CHARGES_READ } }),
  ]);
  const found = new Map<string, KnownPayer>();
  if (first !== null) found.set(first.document, { id: chosen, shown: shownAs(first) });
  for (const { lead, providerTxId: id } of newest.ok ? newest.body.items : []) {
    const { name, documentNumber: document } = lead;
    if (name === "" || document === "" || found.has(document)) continue;
    found.set(document, { id, shown: shownAs({ name, document }) });
  }
  return [...found.values()];
}

/** The payer of an earlier charge; null where it is not shown or has no name. */
export async function payerOfCharge(c: ConsoleContext, id: string): Promise<ChosenPayer | null> {
  if (!may(c, "pii:read")) return null;
  const answer = await callRoute(c, getTransaction, { params: { id } });
  if (!answer.ok) return null;
  const { name, email, document } = answer.body.data.customer;
  return name === "" ? null : { name, email, document: document.number };
}

function shownAs({ name, document }: Pick<ChosenPayer, "name" | "document">): string {
  return document === "" ? name : `${name} · ${maskDocument(document)}`;
}
