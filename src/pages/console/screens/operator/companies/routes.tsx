import { callApi, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { languageOf, textsOf } from "../../../texts.ts";
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
import { operatorWays } from "../ways.ts";
import { COMPANIES_API, COMPANIES_PATH } from "./company.ts";
import { CompanyList, SearchForm } from "./list.tsx";
import { Made, NewCompanyForm } from "./new.tsx";

/** The companies of the gateway: the list, and a new one. */
export function companiesScreen(app: ConsoleApp): void {
  const { show, showForm, act } = operatorWays(app);
  show("/operator/companies", "companies:read", showCompanies);
  showForm("/operator/companies/new", "companies:write", (c) => newCompanyPage(c));
  act("/operator/companies", "companies:write", makeCompany);
}

async function showCompanies(c: ConsoleContext) {
  const texts = textsOf(c);
  const { search = "", status = "", after = "" } = c.req.query();
  const query = new URLSearchParams(
    Object.entries({ search, status, after }).filter(([, value]) => value !== ""),
  );
  const answer = await callApi(c, "GET", `${COMPANIES_API}?${query.toString()}`);
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
      <SearchForm texts={texts} search={search} status={status} />
      <CompanyList texts={texts} language={languageOf(c)} items={answer.body.items} />
      <NextPage url={c.req.url} after={answer.body.after} text={texts.shell.next} />
    </>,
  );
}

async function newCompanyPage(
  c: ConsoleContext,
  refused?: { form: Form; problem: ApiProblem; status: number },
) {
  const texts = textsOf(c);
  const { form = {}, problem, status = 200 } = refused ?? {};
  const moves = await callApi(c, "GET", "/api/v1/operator/moves");
  return page(
    c,
    { ...headOf(c), title: texts.operatorCompanies.new, status: pageStatus({ status }) },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} texts={texts} />}
      <NewCompanyForm
        texts={texts}
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
  const names = ["name", "mode", "document", "pixKey", "pixKeyType", "database", "reason"];
  const body = Object.fromEntries(
    names.map((name) => [name, (form[name] ?? "").trim()]).filter(([, typed]) => typed !== ""),
  );
  const answer = await callApi(c, "POST", COMPANIES_API, { body, ...keyOf(form) });
  if (!answer.ok) {
    return newCompanyPage(c, { form, problem: answer.body, status: answer.status });
  }
  const texts = textsOf(c);
  c.header("Cache-Control", "no-store");
  return page(
    c,
    { ...headOf(c), title: texts.operatorCompanies.madeTitle, status: 201 },
    <Made company={answer.body.data} texts={texts} />,
  );
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).operatorCompanies.title, active: COMPANIES_PATH };
}
