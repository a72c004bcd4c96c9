import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requireFreshSecondFactor, restoreKeptForm } from "../../people/require-second-factor.ts";
import { fill, textsOf, useTexts } from "../../texts.ts";
import { fragment, page } from "../../ui/layout.tsx";
import { formOf, may } from "../answers.tsx";
import { DocumentResults, Results } from "./results.tsx";
import { search, searchDocument, type Found } from "./search.ts";
import { documentIn, isMistypedDocument } from "./words.ts";

/**
 * The search of every page, grouped: by name, value, order, id, and by document. It is posted, because a document
 * must stand in no address; any other text leads to an address that can be kept. The script asks with `live` and
 * shows the same results under the box.
 */
export function findScreen(app: ConsoleApp): void {
  app.get("/find", requireMember, (c) => find(c, (c.req.query("q") ?? "").trim()));
  app.post("/find", requireMember, restoreKeptForm, (c) => findPosted(c));
}

async function findPosted(c: ConsoleContext): Promise<Response> {
  const { q = "", live } = await formOf(c);
  const asked = q.trim();
  c.header("Cache-Control", "no-store");
  if (live !== undefined) return findLive(c, asked);
  const document = documentIn(asked);
  if (document !== null) return findDocument(c, document);
  if (isMistypedDocument(asked)) return foundPage(c, <Notice asked={asked} />);
  return c.redirect(`/console/find?q=${encodeURIComponent(asked)}`, 303);
}

/** A page by an address: a document typed there is searched nowhere, since browsers and logs keep it. */
async function find(c: ConsoleContext, asked: string): Promise<Response> {
  if (asked === "" || documentIn(asked) !== null || isMistypedDocument(asked)) {
    return foundPage(c, <Notice asked={asked} />);
  }
  const found = await search(c, asked);
  const path = onlyResult(found);
  if (path !== null) return c.redirect(path);
  return foundPage(
    c,
    <>
      <p>{fill(textsOf(c).find.asked, { asked })}</p>
      <Results asked={asked} found={found} />
    </>,
  );
}

/** What the script shows while somebody types; of a document only that Enter finds it. */
async function findLive(c: ConsoleContext, asked: string): Promise<Response> {
  const isNoText = documentIn(asked) !== null || isMistypedDocument(asked) || asked.length < 2;
  if (isNoText) return fragment(c, <div class="found">{hintFor(c, asked)}</div>);
  return fragment(c, <Results asked={asked} found={await search(c, asked)} />);
}

function hintFor(c: ConsoleContext, asked: string) {
  return documentIn(asked) !== null ? <p class="hint">{textsOf(c).find.pressEnter}</p> : null;
}

/** The charges of a payer: for those who may see personal data, after their second factor. */
async function findDocument(c: ConsoleContext, asked: string): Promise<Response> {
  if (!may(c, "pii:read")) return foundPage(c, <p>{textsOf(c).payers.forbidden}</p>);
  let answer: Response | undefined;
  const asks = await requireFreshSecondFactor(c, async () => {
    const payments = await searchDocument(c, asked);
    answer = await foundPage(c, <DocumentResults document={asked} payments={payments} />);
  });
  return answer ?? (asks as Response);
}

/** The page of the only charge, withdraw, link or dispute that was found. */
function onlyResult({ payments, withdraws, links, disputes, pages, hasMorePayments }: Found) {
  const paths = [
    ...payments.map(({ providerTxId }) => `/console/payments/${providerTxId}`),
    ...withdraws.map(({ id }) => `/console/withdraws/${id}`),
    ...links.map(({ id }) => `/console/payment-links/${id}`),
  ];
  const [only] = paths;
  const others = paths.length - 1 + disputes.length + pages.length;
  return only !== undefined && others === 0 && !hasMorePayments ? only : null;
}

function foundPage(c: ConsoleContext, content: Parameters<typeof page>[2]) {
  return page(c, { title: textsOf(c).find.title }, content);
}

/** Why nothing is searched: nothing was typed, or a document in an address. */
function Notice({ asked }: { asked: string }) {
  const labels = useTexts().find;
  if (asked === "") return <p>{labels.typeSomething}</p>;
  if (documentIn(asked) !== null) return <p class="notice open">{labels.noDocument}</p>;
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
