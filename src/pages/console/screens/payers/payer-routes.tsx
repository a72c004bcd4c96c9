import {
  getTransaction,
  searchTransactionsByBody,
} from "../../../../api/transactions/read/routes.ts";
import { deleteCard, listCards } from "../../../../api/cards/routes.ts";
import { maskDocument, maskEmail, maskPhone } from "../../../../domain/access/masks.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { textsOf } from "../../texts.ts";
import { notFoundPage } from "../../ui/error-pages.tsx";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, Facts, NextPage, Section } from "../../ui/parts.tsx";
import { download, may, refusalPage, type Form } from "../answers.tsx";
import { PaymentList } from "../payments/list.tsx";
import { SavedCards } from "./cards.tsx";
import { payerPath } from "./list.tsx";
import { PAYERS_PATH, PayerTools } from "./pages.tsx";

const PATH = "/payers/:id{[0-9a-f-]+}" as const;
const PAGE_SIZE = 25;

/** The page of one payer, found by any of the charges, and the charges as a file. */
export function payerRoutes(app: ConsoleApp): void {
  app.get(PATH, requireMember, requirePermission("pii:read"), (c) => showPayer(c));
  app.get(
    `${PATH}/charges.csv`,
    requireMember,
    requirePermission("pii:read"),
    requireFreshSecondFactor,
    (c) => exportCharges(c),
  );
  app.post(
    `${PATH}/cards/:card{[a-z0-9_]+}/delete`,
    requireMember,
    requirePermission("transactions:write"),
    (c) => removeCard(c),
  );
}

async function showPayer(c: ConsoleContext) {
  const { id = "" } = c.req.param();
  const customer = await customerOf(c, id);
  if (customer === null) return notFoundPage(c);
  const { name, email, phone, document } = customer;
  const after = c.req.query("after");
  const json = {
    document: document.number,
    limit: PAGE_SIZE,
    ...(after === undefined ? {} : { after }),
  };
  const answer = await callRoute(c, searchTransactionsByBody, { json });
  const { payers: labels } = textsOf(c);
  const title = name === "" ? labels.title : name;
  if (!answer.ok) return refusalPage(c, { title, active: PAYERS_PATH }, answer);
  const cards = await cardsOf(c, answer.body.items[0]?.leadId ?? "");
  const actions = (
    <>
      {may(c, "transactions:write") ? (
        <a class="button primary" href={`/console/charges/new?payer=${id}`}>
          {labels.list.chargeAgain}
        </a>
      ) : null}
      <a class="button" href={`${payerPath(id)}/charges.csv`}>
        {labels.list.csv}
      </a>
    </>
  );
  return page(
    c,
    { title, active: PAYERS_PATH, actions },
    <>
      {c.req.query("done") === "card" ? <DoneNotice>{labels.cards.deleted}</DoneNotice> : null}
      <Section title={labels.list.contact}>
        <Facts
          of={[
            [labels.list.document, maskDocument(document.number)],
            [labels.columns.email, maskEmail(email)],
            [labels.list.phone, maskPhone(phone)],
          ]}
        />
      </Section>
      <PaymentList items={answer.body.items} hasFilters refresh={null} />
      <NextPage url={c.req.url} list={answer.body} />
      {cards.length === 0 ? null : (
        <SavedCards cards={cards} path={payerPath(id)} mayDelete={may(c, "transactions:write")} />
      )}
      <PayerTools found={{ charge: id }} mayErase={may(c, "settings:write")} />
    </>,
  );
}

/** The saved cards of a payer, by the UUID that the list of charges shows; none where they cannot be read. */
async function cardsOf(c: ConsoleContext, customer: string) {
  const answer = await callRoute(c, listCards, { query: { customer } });
  return answer.ok ? answer.body.data : [];
}

async function removeCard(c: ConsoleContext) {
  const { id = "", card = "" } = c.req.param();
  const answer = await callRoute(c, deleteCard, { params: { id: card } });
  const { title } = textsOf(c).payers;
  // One that is gone already is what was asked for.
  if (!answer.ok && answer.status !== 404)
    return refusalPage(c, { title, active: PAYERS_PATH }, answer);
  return c.redirect(`${payerPath(id)}?done=card`, 303);
}

async function exportCharges(c: ConsoleContext) {
  const customer = await customerOf(c, c.req.param("id") ?? "");
  if (customer === null) return notFoundPage(c);
  const json = { document: customer.document.number };
  const answer = await callRouteForFile(c, searchTransactionsByBody, "text/csv", { json });
  const { title } = textsOf(c).payers;
  if (!answer.ok) return refusalPage(c, { title, active: PAYERS_PATH }, answer);
  return download(answer, { type: "text/csv; charset=utf-8", name: "cobrancas.csv" });
}

/** The document that a form names: as it was typed, or that of a charge; "" for none. */
export async function documentOf(c: ConsoleContext, { document = "", charge = "" }: Form) {
  if (charge === "") return document;
  return (await customerOf(c, charge))?.document.number ?? "";
}

/** The customer of a charge; null where the charge is not shown or names no document. */
async function customerOf(c: ConsoleContext, id: string) {
  const answer = await callRoute(c, getTransaction, { params: { id } });
  if (!answer.ok || answer.body.data.customer.document.number === "") return null;
  return answer.body.data.customer;
}
