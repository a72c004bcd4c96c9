import { listDisputes } from "../../../../api/disputes/routes.ts";
import { listPaymentLinks } from "../../../../api/payment-links/routes.ts";
import {
  searchTransactions,
  searchTransactionsByBody,
} from "../../../../api/transactions/read/routes.ts";
import { getWithdraw } from "../../../../api/withdraws/routes.ts";
import { searchWithdraws } from "../../../../api/withdraws/search/routes.ts";
import { parseReais, type Cents } from "../../../../domain/shared/money.ts";
import { foldText } from "../../../../lib/fold-text.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { companyModeOf } from "../../people/company-head.ts";
import { textsOf } from "../../texts.ts";
import { screensOfPerson } from "../../ui/menu.ts";
import { may } from "../answers.tsx";
import type { Dispute } from "../disputes/dispute.ts";
import type { ListedPayment } from "../payments/list.tsx";
import type { Withdraw } from "../withdraws/withdraw.ts";
import { amountIn, endToEndIdIn, hasLetters, uuidIn, withdrawNumberIn } from "./words.ts";

/** Results of a group; the group's own list has the rest. */
const FOUND_MAX = 10;
/** Links and disputes that are looked through: their newest. */
const LISTED_MAX = 100;

/** What was found, by group. Each group costs a bounded number of rows. */
export interface Found {
  payments: ListedPayment[];
  /** Whether older charges were not looked through. */
  hasMorePayments: boolean;
  withdraws: Withdraw[];
  links: { id: string; name: string }[];
  disputes: Pick<Dispute, "id" | "amount" | "reason">[];
  pages: ReturnType<typeof screensOfPerson>;
}

/** Searches the company for a text that is no document: as a name, a value in reais, an order, an id. */
export async function search(c: ConsoleContext, asked: string): Promise<Found> {
  const amount = amountIn(asked) ? parseReais(asked.replace(/^R\$\s*/i, "")) : null;
  const [charges, withdraws, links] = await Promise.all([
    chargesOf(c, asked, amount),
    withdrawsOf(c, asked, amount),
    linksOf(c, asked, amount),
  ]);
  const disputes = await disputesOf(c, charges.items, amount);
  return {
    payments: charges.items,
    hasMorePayments: charges.hasMore,
    withdraws,
    links,
    disputes,
    pages: pagesNamed(c, asked),
  };
}

/** A payer's charges by a document, which stands in no address. */
export async function searchDocument(
  c: ConsoleContext,
  document: string,
): Promise<ListedPayment[]> {
  const json = { document, limit: FOUND_MAX };
  const answer = await callRoute(c, searchTransactionsByBody, { json });
  return answer.ok ? answer.body.items : [];
}

interface Charges {
  items: ListedPayment[];
  hasMore: boolean;
}

async function chargesOf(c: ConsoleContext, asked: string, amount: Cents | null): Promise<Charges> {
  if (!may(c, "transactions:read")) return { items: [], hasMore: false };
  const uuid = uuidIn(asked);
  if (uuid !== null) return chargesBy(c, { ids: uuid });
  if (endToEndIdIn(asked) !== null) return chargesBy(c, { endToEndId: asked });
  const all = await Promise.all([
    chargesBy(c, { externalRef: asked }),
    ...(amount === null ? [] : [chargesBy(c, { amountFrom: amount, amountTo: amount })]),
    ...(hasLetters(asked) ? [chargesBy(c, { payerName: asked })] : []),
  ]);
  const byId = new Map(all.flatMap(({ items }) => items).map((item) => [item.providerTxId, item]));
  return {
    items: [...byId.values()].slice(0, FOUND_MAX),
    hasMore: all.some(({ hasMore }) => hasMore),
  };
}

async function chargesBy(
  c: ConsoleContext,
  filter: Record<string, string | number>,
): Promise<Charges> {
  const answer = await callRoute(c, searchTransactions, { query: { ...filter, limit: FOUND_MAX } });
  return answer.ok ? answer.body : { items: [], hasMore: false };
}

async function withdrawsOf(c: ConsoleContext, asked: string, amount: Cents | null) {
  if (!may(c, "withdraws:read")) return [];
  const number = withdrawNumberIn(asked);
  const [one, some] = await Promise.all([
    number === null ? null : callRoute(c, getWithdraw, { params: { id: number } }),
    amount === null
      ? null
      : callRoute(c, searchWithdraws, {
          query: { amountFrom: amount, amountTo: amount, limit: FOUND_MAX },
        }),
  ]);
  const found = [...(one?.ok ? [one.body] : []), ...(some?.ok ? some.body.items : [])];
  return [...new Map(found.map((each) => [each.id, each])).values()];
}

async function linksOf(c: ConsoleContext, asked: string, amount: Cents | null) {
  if (!may(c, "transactions:read")) return [];
  const answer = await callRoute(c, listPaymentLinks, { query: { limit: LISTED_MAX } });
  if (!answer.ok) return [];
  const word = foldText(asked);
  return answer.body.items
    .filter(
      (link) => foldText(link.name).includes(word) || (amount !== null && link.amount === amount),
    )
    .slice(0, FOUND_MAX);
}

/** The disputes of the found charges, and those of the value. */
async function disputesOf(c: ConsoleContext, charges: ListedPayment[], amount: Cents | null) {
  if (!may(c, "transactions:read") || (charges.length === 0 && amount === null)) return [];
  const answer = await callRoute(c, listDisputes, { query: { limit: LISTED_MAX } });
  if (!answer.ok) return [];
  const ids = new Set(charges.map(({ providerTxId }) => providerTxId));
  return answer.body.items
    .filter((each) => each.amount === amount || ids.has(each.transactionId ?? ""))
    .slice(0, FOUND_MAX);
}

function pagesNamed(c: ConsoleContext, asked: string) {
  const { menu } = textsOf(c);
  const word = foldText(asked);
  return screensOfPerson(c.get("person"), companyModeOf(c)).filter(({ name }) =>
    foldText(menu[name]).includes(word),
  );
}
