import { createCompany, listCompanies } from "../../../../../api/operator/companies/routes.ts";
import { listCompanyMoves } from "../../../../../api/operator/company-moves/routes.ts";
import { callRoute, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped, ifTyped } from "../../../form.ts";
import type { JsonOf } from "../../../../../http/openapi/route-types.ts";
import { textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../../ui/parts.tsx";
import {
  keyOf,
  mayAsOperator,
  nextKey,
  pageStatus,
  refusalPage,
  type Form,
} from "../../answers.tsx";
import { operatorGuards } from "../guards.ts";
import { COMPANIES_PATH } from "./company.ts";
import { CompanyList, SearchForm } from "./list.tsx";
import { Made, NewCompanyForm } from "./new.tsx";

/** The companies of the gateway: the list, and a new one. */
export function companiesScreen(app: ConsoleApp): void {
  const { show, showForm, act } = operatorGuards(app);
  show("/operator/companies", "companies:read", showCompanies);
  showForm("/operator/companies/new", "companies:write", (c) => newCompanyPage(c));
  act("/operator/companies", "companies:write", makeCompany);
}

async function showCompanies(c: ConsoleContext) {
  const texts = textsOf(c);
  const { search = "", status = "", after = "" } = c.req.query();
  const answer = await callRoute(c, listCompanies, {
    query: {
      search: ifTyped(search),
      status: ifTyped(status),
      after: ifTyped(after),
    },
  });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(
    c,
    {
      ...headOf(c),
      ...(mayAsOperator(c, "companies:write")
        ? {
            actions: (
              <a class="button primary" href={`${COMPANIES_PATH}/new`}>
                {texts.operatorCompanies.new}
              </a>
            ),
          }
        : {}),
    },
    <>
      <SearchForm search={search} status={status} />
      <CompanyList items={answer.body.items} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

async function newCompanyPage(
  c: ConsoleContext,
  refused?: { form: Form; problem: ApiProblem; status: number },
) {
  const texts = textsOf(c);
  const { form = {}, problem, status = 200 } = refused ?? {};
  const moves = await callRoute(c, listCompanyMoves);
  return page(
    c,
    { ...headOf(c), title: texts.operatorCompanies.new, status: pageStatus({ status }) },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <NewCompanyForm
        form={form}
        errors={problem?.errors ?? {}}
        idempotencyKey={nextKey(form, status)}
        databases={moves.ok ? moves.body.databases : []}
      />
    </>,
  );
}

/** Makes a company. Its key is in this one answer, so it leads nowhere else. */
async function makeCompany(c: ConsoleContext, form: Form) {
  const answer = await callRoute(c, createCompany, { json: companyRequest(form), ...keyOf(form) });
  if (!answer.ok) {
    return newCompanyPage(c, { form, problem: answer.body, status: answer.status });
  }
  const texts = textsOf(c);
  c.header("Cache-Control", "no-store");
  return page(
    c,
    { ...headOf(c), title: texts.operatorCompanies.madeTitle, status: 201 },
    <Made company={answer.body.data} />,
  );
}

function companyRequest(form: Form): JsonOf<typeof createCompany> {
  const text = (name: string) => (form[name] ?? "").trim();
  return {
    name: text("name"),
    mode: asTyped(text("mode")),
    document: ifTyped(text("document")),
    pixKey: ifTyped(text("pixKey")),
    pixKeyType: ifTyped(text("pixKeyType")),
    database: ifTyped(text("database")),
    reason: ifTyped(text("reason")),
  };
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).operatorCompanies.title, active: COMPANIES_PATH };
}
