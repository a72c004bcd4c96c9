import {
  getCurrentTransaction,
  searchTransactions,
} from "../../../../api/transactions/read/routes.ts";
import { getWithdraw } from "../../../../api/withdraws/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { fill, type Texts, textsOf, useTexts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { screensOfPerson, type MenuEntry } from "../../ui/menu.ts";
import { Section } from "../../ui/parts.tsx";
import { may } from "../answers.tsx";
import { PaymentList, type ListedPayment } from "../payments/list.tsx";
import {
  endToEndIdIn,
  isDocument,
  isMistypedDocument,
  plain,
  uuidIn,
  withdrawNumberIn,
} from "./words.ts";

const FOUND_MAX = 20;

/** What a text may be. */
type Kind = keyof Texts["find"]["kinds"];

/** The search of every page: pages by name, payments by id, reference or end-to-end id, withdraws by number. */
export function findScreen(app: ConsoleApp): void {
  app.get("/find", requireMember, (c) => find(c));
}

async function find(c: ConsoleContext) {
  const asked = (c.req.query("q") ?? "").trim();
  // A document typed here is searched nowhere: this address is kept by browsers and logs.
  const isSearched = asked !== "" && !isDocument(asked) && !isMistypedDocument(asked);
  const { path, kinds } = isSearched ? await pathOfOne(c, asked) : { path: null, kinds: [] };
  if (path !== null) return c.redirect(path);
  const pages = pagesNamed(c, asked);
  const payments = isSearched ? await paymentsOf(c, asked) : [];
  const [only] = payments;
  if (only !== undefined && payments.length === 1 && pages.length === 0) {
    return c.redirect(`/console/payments/${only.providerTxId}`);
  }
  return foundPage(c, { asked, pages, payments, kinds });
}

/** The page of the payment or withdraw that has this id or number, and what the text was looked for as. */
async function pathOfOne(c: ConsoleContext, asked: string) {
  const kinds: Kind[] = ["page"];
  const uuid = uuidIn(asked);
  const number = withdrawNumberIn(asked);
  if (uuid !== null && may(c, "transactions:read")) {
    const { ok } = await callRoute(c, getCurrentTransaction, { params: { id: uuid } });
    if (ok) return { path: `/console/payments/${uuid}`, kinds };
    kinds.push("id");
  }
  if (number !== null && may(c, "withdraws:read")) {
    const { ok } = await callRoute(c, getWithdraw, { params: { id: number } });
    if (ok) return { path: `/console/withdraws/${number}`, kinds };
    kinds.push("withdraw");
  }
  if (may(c, "transactions:read")) kinds.push(filterOf(asked));
  return { path: null, kinds };
}

interface Found {
  asked: string;
  pages: readonly Pick<MenuEntry<never>, "name" | "path">[];
  payments: ListedPayment[];
  kinds: Kind[];
}

function foundPage(c: ConsoleContext, { asked, pages, payments, kinds }: Found) {
  const texts = textsOf(c);
  const isNothing = pages.length + payments.length === 0 && kinds.length > 0;
  return page(
    c,
    { title: texts.find.title },
    <>
      {asked === "" ? <p>{texts.find.typeSomething}</p> : <Notice asked={asked} />}
      {isNothing ? <Nothing asked={asked} kinds={kinds} /> : null}
      {pages.length === 0 ? null : (
        <Section title={texts.find.pages}>
          <ul>
            {pages.map(({ name, path }) => (
              <li>
                <a href={path}>{texts.menu[name]}</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {payments.length === 0 ? null : (
        <Section title={texts.payments.title}>
          <PaymentList items={payments} hasFilters refresh={null} />
        </Section>
      )}
    </>,
  );
}

/** What was asked, or why a document is not searched here. */
function Notice({ asked }: { asked: string }) {
  const labels = useTexts().find;
  if (isDocument(asked)) return <p class="notice open">{labels.noDocument}</p>;
  if (!isMistypedDocument(asked)) return <p>{fill(labels.asked, { asked })}</p>;
  const query = new URLSearchParams({ externalRef: asked });
  return (
    <div class="notice open">
      <p>{fill(labels.wrongDigits, { asked })}</p>
      <p>
        <a href={`/console/payments?${query.toString()}`}>{labels.asReference}</a>
      </p>
    </div>
  );
}

function Nothing({ asked, kinds }: { asked: string; kinds: Kind[] }) {
  const labels = useTexts().find;
  return (
    <div class="empty">
      <p>{fill(labels.nothing, { asked })}</p>
      <p>{fill(labels.lookedFor, { kinds: kinds.map((kind) => labels.kinds[kind]).join(", ") })}</p>
    </div>
  );
}

function pagesNamed(c: ConsoleContext, asked: string) {
  const { menu } = textsOf(c);
  const word = plain(asked);
  if (word === "") return [];
  return screensOfPerson(c.get("person")).filter(({ name }) => plain(menu[name]).includes(word));
}

async function paymentsOf(c: ConsoleContext, asked: string): Promise<ListedPayment[]> {
  if (!may(c, "transactions:read")) return [];
  const query = { [filterOf(asked)]: asked, limit: FOUND_MAX };
  const answer = await callRoute(c, searchTransactions, { query });
  return answer.ok ? answer.body.items : [];
}

function filterOf(asked: string): "externalRef" | "endToEndId" {
  return endToEndIdIn(asked) === null ? "externalRef" : "endToEndId";
}
