import { callApi } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { fill, languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { MENU } from "../../ui/menu.ts";
import { Section } from "../../ui/parts.tsx";
import { may } from "../answers.tsx";
import { PaymentList, type ListedPayment } from "../payments/list.tsx";
import { endToEndIdIn, isDocument, plain, uuidIn, withdrawNumberIn } from "./words.ts";

const FOUND_MAX = "20";

/** The search of every page: pages by name, payments by id, reference or end-to-end id, withdraws by number. */
export function findScreen(app: ConsoleApp): void {
  app.get("/find", requirePerson, (c) => find(c));
}

async function find(c: ConsoleContext) {
  const texts = textsOf(c);
  const asked = (c.req.query("q") ?? "").trim();
  const uuid = uuidIn(asked);
  if (uuid !== null) return c.redirect(`/console/payments/${uuid}`);
  const number = withdrawNumberIn(asked);
  if (number !== null && may(c, "withdraws:read")) {
    const { ok } = await callApi(c, "GET", `/api/Withdraw/${number}`);
    if (ok) return c.redirect(`/console/withdraws/${number}`);
  }
  const pages = pagesNamed(c, asked);
  // A document typed here is searched nowhere: this address is kept by browsers and logs.
  const payments = isDocument(asked) || asked === "" ? [] : await paymentsOf(c, asked);
  const [only] = payments;
  if (only !== undefined && payments.length === 1 && pages.length === 0) {
    return c.redirect(`/console/payments/${only.providerTxId}`);
  }
  return page(
    c,
    { title: texts.find.title },
    <>
      <p>{fill(texts.find.asked, { asked })}</p>
      {isDocument(asked) ? <p class="notice open">{texts.find.noDocument}</p> : null}
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
      <Section title={texts.payments.title}>
        <PaymentList
          items={payments}
          hasFilters
          refresh={null}
          texts={texts}
          language={languageOf(c)}
        />
      </Section>
    </>,
  );
}

function pagesNamed(c: ConsoleContext, asked: string) {
  const { menu } = textsOf(c);
  const word = plain(asked);
  if (word === "") return [];
  return MENU.filter(
    ({ name, isFor }) => isFor(c.get("person")) && plain(menu[name]).includes(word),
  );
}

async function paymentsOf(c: ConsoleContext, asked: string): Promise<ListedPayment[]> {
  if (!may(c, "transactions:read")) return [];
  const filter = endToEndIdIn(asked) === null ? "externalRef" : "endToEndId";
  const query = new URLSearchParams({ [filter]: asked, limit: FOUND_MAX });
  const answer = await callApi(c, "GET", `/api/v1/transactions?${query.toString()}`);
  return answer.ok ? answer.body.items : [];
}
