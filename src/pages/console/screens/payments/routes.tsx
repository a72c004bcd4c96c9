import { etag } from "hono/etag";
import {
  searchTransactions,
  searchTransactionsByBody,
} from "../../../../api/transactions/read/routes.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import {
  requireFreshForPersonalData,
  requireFreshSecondFactor,
} from "../../people/require-second-factor.ts";
import type { RouteAnswer } from "../../../../http/openapi/route-types.ts";
import { fill, textsOf } from "../../texts.ts";
import { fragment, page } from "../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { download, formOf, may, pageStatus, refusalPage } from "../answers.tsx";
import { apiFilters, filtersOf, queryOf, type Filters } from "./filters.ts";
import { PaymentList, ShownSums } from "./list.tsx";
import { FilterChips, FilterForm, PayerForm } from "./search.tsx";
import { readViews, savedViewRoutes } from "./view-routes.tsx";
import { SaveViewForm, ViewChips } from "./views.tsx";

const PATH = "/console/payments";
const PAGE_SIZE = 50;

/** The list of payments, with its filters in the URL. */
export function paymentsScreen(app: ConsoleApp): void {
  savedViewRoutes(app);
  app.get("/payments", requireMember, requirePermission("transactions:read"), etag(), (c) =>
    showPayments(c),
  );
  app.get(
    "/payments.csv",
    requireMember,
    requirePermission("transactions:read"),
    requireFreshForPersonalData,
    (c) => exportPayments(c),
  );
  app.post(
    "/payments",
    requireMember,
    requirePermission("pii:read"),
    requireFreshSecondFactor,
    (c) => findByDocument(c),
  );
}

async function showPayments(c: ConsoleContext) {
  const filters = filtersOf(c.req.query());
  const after = c.req.query("after");
  const query = { ...apiFilters(filters), limit: PAGE_SIZE, after };
  const answer = await callRoute(c, searchTransactions, { query });
  if (!answer.ok) return listPage(c, filters, null, answer);
  const refresh = `${PATH}?${queryOf({ ...filters, after, fragment: "1" })}`;
  const list = (
    <PaymentList
      items={answer.body.items}
      hasFilters={Object.keys(filters).length > 0}
      refresh={refresh}
    />
  );
  if (c.req.query("fragment") === "1") return fragment(c, list);
  return listPage(c, filters, list, answer);
}

/** The answer is the page itself: the document stands in no address. It shows the newest payments only. */
async function findByDocument(c: ConsoleContext) {
  const texts = textsOf(c);
  const { document = "" } = await formOf(c);
  const json = { document, limit: PAGE_SIZE };
  const answer = await callRoute(c, searchTransactionsByBody, { json });
  if (!answer.ok) {
    const problem = answer.body;
    return page(
      c,
      { ...headOf(c), status: pageStatus(answer) },
      <>
        <ProblemNotice problem={problem} />
        <PayerForm document={document} errors={problem.errors ?? {}} />
      </>,
    );
  }
  return page(
    c,
    headOf(c),
    <>
      <PayerForm document={document} />
      {answer.body.hasMore ? (
        <p class="notice open">{fill(texts.payments.newestOnly, { count: PAGE_SIZE })}</p>
      ) : null}
      <PaymentList items={answer.body.items} hasFilters refresh={null} />
    </>,
  );
}

async function exportPayments(c: ConsoleContext) {
  const query = apiFilters(filtersOf(c.req.query()));
  const answer = await callRouteForFile(c, searchTransactions, "text/csv", { query });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return download(answer, { type: "text/csv; charset=utf-8", name: textsOf(c).payments.file });
}

/** The filters and what they found; where the API refused them, what it says at each field. */
async function listPage(
  c: ConsoleContext,
  filters: Filters,
  list: ReturnType<typeof PaymentList> | null,
  answer: RouteAnswer<typeof searchTransactions>,
) {
  const after = answer.ok ? answer.body.after : null;
  const { errors = {} } = answer.ok ? {} : answer.body;
  // Without them the list is still of use.
  const views = await readViews(c);
  const texts = textsOf(c);
  const csv = `${PATH}.csv?${queryOf(filters)}`;
  const actions = (
    <a class="button" href={csv}>
      {texts.payments.csv}
    </a>
  );
  return page(
    c,
    { ...headOf(c), actions, status: pageStatus(answer) },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} />}
      {views.ok ? <ViewChips views={views.body.items} filters={filters} /> : null}
      <FilterForm filters={filters} errors={errors} />
      <FilterChips filters={filters} />
      {list !== null && Object.keys(filters).length > 0 ? <SaveViewForm filters={filters} /> : null}
      {may(c, "pii:read") ? <PayerForm /> : null}
      {list}
      {answer.ok ? <ShownSums items={answer.body.items} /> : null}
      <NextPage url={c.req.url} list={{ after }} />
    </>,
  );
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).payments.title, active: PATH };
}
