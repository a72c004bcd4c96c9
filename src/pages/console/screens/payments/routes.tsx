import { etag } from "hono/etag";
import { callApi, fetchApi, type ApiAnswer, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import {
  requireFreshForPersonalData,
  requireFreshSecondFactor,
} from "../../people/require-second-factor.ts";
import { fill, languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { formOf, may, pageStatus, refusalPage } from "../answers.tsx";
import { apiFilters, filtersOf, queryOf, type Filters } from "./filters.ts";
import { PaymentList } from "./list.tsx";
import { FilterForm, PayerForm } from "./search.tsx";
import { readViews, savedViewRoutes } from "./view-routes.tsx";
import { SaveViewForm, ViewChips } from "./views.tsx";

const PATH = "/console/payments";
const PAGE_SIZE = "50";

/** The list of payments, with its filters in the URL. */
export function paymentsScreen(app: ConsoleApp): void {
  savedViewRoutes(app);
  app.get("/payments", requirePerson, requirePermission("transactions:read"), etag(), (c) =>
    showPayments(c),
  );
  app.get(
    "/payments.csv",
    requirePerson,
    requirePermission("transactions:read"),
    requireFreshForPersonalData,
    (c) => exportPayments(c),
  );
  app.post(
    "/payments",
    requirePerson,
    requirePermission("pii:read"),
    requireFreshSecondFactor,
    (c) => findByDocument(c),
  );
}

async function showPayments(c: ConsoleContext) {
  const filters = filtersOf(c.req.query());
  const after = c.req.query("after");
  const asked = {
    ...apiFilters(filters),
    limit: PAGE_SIZE,
    ...(after === undefined ? {} : { after }),
  };
  const answer = await callApi(c, "GET", `/api/v1/transactions?${queryOf(asked)}`);
  if (!answer.ok) return listPage(c, filters, null, answer);
  const fragment = `${PATH}?${queryOf({ ...filters, ...(after === undefined ? {} : { after }), fragment: "1" })}`;
  const list = (
    <PaymentList
      items={answer.body.items}
      hasFilters={Object.keys(filters).length > 0}
      refresh={fragment}
      texts={textsOf(c)}
      language={languageOf(c)}
    />
  );
  if (c.req.query("fragment") === "1") return c.html(list);
  return listPage(c, filters, list, answer);
}

/** The answer is the page itself: the document stands in no address. It shows the newest payments only. */
async function findByDocument(c: ConsoleContext) {
  const texts = textsOf(c);
  const { document = "" } = await formOf(c);
  const body = { document, limit: Number(PAGE_SIZE) };
  const answer = await callApi(c, "POST", "/api/v1/transactions/search", { body });
  if (!answer.ok) {
    const problem: ApiProblem = answer.body;
    return page(
      c,
      { ...headOf(c), status: pageStatus(answer) },
      <>
        <ProblemNotice problem={problem} texts={texts} />
        <PayerForm texts={texts} document={document} errors={problem.errors ?? {}} />
      </>,
    );
  }
  return page(
    c,
    headOf(c),
    <>
      <PayerForm texts={texts} document={document} />
      {answer.body.hasMore === true ? (
        <p class="notice open">{fill(texts.payments.newestOnly, { count: PAGE_SIZE })}</p>
      ) : null}
      <PaymentList
        items={answer.body.items}
        hasFilters
        refresh={null}
        texts={texts}
        language={languageOf(c)}
      />
    </>,
  );
}

async function exportPayments(c: ConsoleContext) {
  const query = queryOf(apiFilters(filtersOf(c.req.query())));
  const path = `/api/v1/transactions?${query}`;
  const answer = await fetchApi(c, "GET", path, { accept: "text/csv" });
  if (!answer.ok) {
    const { status, ok, headers } = answer;
    return refusalPage(c, headOf(c), { status, ok, headers, body: await answer.json() });
  }
  return new Response(answer.body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="payments.csv"`,
    },
  });
}

/** The filters and what they found; where the API refused them, what it says at each field. */
async function listPage(
  c: ConsoleContext,
  filters: Filters,
  list: ReturnType<typeof PaymentList> | null,
  answer: ApiAnswer<{ after?: string | null } & Partial<ApiProblem>>,
) {
  const { after = null, errors = {} } = answer.body;
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
      {list === null ? <ProblemNotice problem={answer.body as ApiProblem} texts={texts} /> : null}
      {views.ok ? <ViewChips views={views.body.items} filters={filters} texts={texts} /> : null}
      <FilterForm filters={filters} errors={errors} texts={texts} />
      {list !== null && Object.keys(filters).length > 0 ? (
        <SaveViewForm filters={filters} texts={texts} />
      ) : null}
      {may(c, "pii:read") ? <PayerForm texts={texts} /> : null}
      {list}
      <NextPage url={c.req.url} after={after} text={texts.shell.next} />
    </>,
  );
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).payments.title, active: PATH };
}
