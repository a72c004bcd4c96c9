import { verifyCompany } from "../../../../../api/operator/audit/routes.ts";
import { getCompany } from "../../../../../api/operator/companies/routes.ts";
import { inspectCompany } from "../../../../../api/operator/inspection/routes.ts";
import { getPixApi, registerPixApiWebhook } from "../../../../../api/operator/pix-api/routes.ts";
import { getCompanyHealth, getCompanyStatus } from "../../../../../api/operator/status/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import type { RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { fill, textsOf, useTexts } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, ProblemNotice } from "../../../ui/parts.tsx";
import { mayAsOperator, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { doneOf, operatorGuards } from "../guards.ts";
import { accountsPath } from "./accounts.tsx";
import { HealthFacts, UndecidedSection } from "./health.tsx";
import { InspectedRows, InspectForm } from "./inspection.tsx";
import { PspSection } from "./psp.tsx";
import {
  BeginForm,
  carried,
  CheckResult,
  isDone,
  nextStep,
  progressed,
  type Progress,
} from "./verify.tsx";

/** Steps of a check that one request runs: each reads some hundred rows. */
const STEPS_PER_REQUEST = 10;

/** One company: its health, the check of its books, its rows. */
export function companyScreen(app: ConsoleApp): void {
  const { show, showForm, act } = operatorGuards(app);
  const ID = "/operator/companies/:id";
  show(ID, "companies:read", (c) => showCompany(c));
  showForm(`${ID}/reconcile`, "companies:support", (c) => verifyPage(c, null));
  act(`${ID}/reconcile`, "companies:support", verify);
  show(`${ID}/inspect`, "companies:read", inspect);
  act(`${ID}/callback`, "companies:write", registerCallback);
}

async function showCompany(c: ConsoleContext, refused?: RouteRefusal) {
  const texts = textsOf(c);
  const params = paramsOf(c);
  const asksBanks = c.req.query("banks") === "1";
  const [company, health, psp, bank] = await Promise.all([
    callRoute(c, getCompany, { params }),
    callRoute(c, getCompanyHealth, { params }),
    callRoute(c, getPixApi, { params }),
    asksBanks ? callRoute(c, getCompanyStatus, { params }) : null,
  ]);
  if (!company.ok) return refusalPage(c, headOf(c), company);
  if (!health.ok) return refusalPage(c, headOf(c), health);
  const one = company.body.data;
  const done = doneOf(c, texts.operatorCompanies.done);
  return page(
    c,
    {
      ...headOf(c),
      title: one.name,
      status: pageStatus({ status: refused?.status ?? 200 }),
      actions: <Actions c={c} id={one.id} />,
    },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.body} />}
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <HealthFacts company={one} health={health.body} />
      <UndecidedSection
        company={one}
        health={health.body}
        mayDecide={mayAsOperator(c, "money:decide")}
      />
      <PspSection
        company={one}
        psp={psp.ok ? psp.body : null}
        bank={bank?.ok === true ? bank.body : null}
        passes={health.body.passes}
        mayChange={mayAsOperator(c, "companies:write")}
        idempotencyKey={crypto.randomUUID()}
      />
    </>,
  );
}

/** The ways from a company's page that the operator's role may go. */
function Actions({ c, id }: { c: ConsoleContext; id: number }) {
  const { operatorCompanies: labels, providerAccounts, menu } = useTexts();
  const path = `${COMPANIES_PATH}/${id}`;
  return (
    <>
      {mayAsOperator(c, "companies:support") ? (
        <a class="button" href={`${path}/reconcile`}>
          {labels.verify}
        </a>
      ) : null}
      <a class="button" href={`${path}/inspect`}>
        {labels.inspect}
      </a>
      <a class="button" href={accountsPath(id)}>
        {providerAccounts.title}
      </a>
      <a class="button" href={`/console/operator/audit?companyId=${id}`}>
        {menu.operatorAudit}
      </a>
      {mayAsOperator(c, "companies:write") ? (
        <>
          <a class="button" href={`/console/operator/moves/${id}`}>
            {labels.move}
          </a>
          <a class="button primary" href={`${path}/manage`}>
            {labels.manage}
          </a>
        </>
      ) : null}
    </>
  );
}

/** Registers the callback URL at the PSP again: also the check that the PSP answers and takes the credentials. */
async function registerCallback(c: ConsoleContext) {
  const answer = await callRoute(c, registerPixApiWebhook, { params: paramsOf(c) });
  if (!answer.ok) return showCompany(c, answer);
  const word = answer.body.webhook === "registered" ? "callback" : "callbackFailed";
  return c.redirect(`${pathOf(c)}?done=${word}`, 303);
}

function verifyPage(c: ConsoleContext, progress: Progress | null, refused?: RouteRefusal) {
  const texts = textsOf(c);
  const labels = texts.operatorCompanies;
  const shared = {
    action: `${pathOf(c)}/reconcile`,
    idempotencyKey: crypto.randomUUID(),
    texts,
  };
  return page(
    c,
    {
      ...headOf(c),
      title: fill(labels.verifyOf, { id: c.req.param("id") ?? "" }),
      status: pageStatus({ status: refused?.status ?? 200 }),
      actions: (
        <a class="button" href={pathOf(c)}>
          {labels.health}
        </a>
      ),
    },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.body} />}
      {progress === null ? null : <CheckResult {...shared} progress={progress} />}
      {progress === null || isDone(progress) ? <BeginForm {...shared} /> : null}
    </>,
  );
}

/** Runs some steps, and shows what they found with the form that goes on. */
async function verify(c: ConsoleContext, form: Form) {
  const repair = form.repair === "on";
  let progress = carried(form);
  for (let step = 0; step < STEPS_PER_REQUEST; step++) {
    const json = nextStep(progress, repair);
    const answer = await callRoute(c, verifyCompany, { params: paramsOf(c), json });
    if (!answer.ok) return verifyPage(c, progress, answer);
    progress = progressed(progress, answer.body, repair);
    if (isDone(progress)) break;
  }
  return verifyPage(c, progress);
}

async function inspect(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.operatorCompanies;
  const of = (c.req.query("of") ?? "").trim();
  const name = /^\d+$/.test(of) ? "withdrawId" : "transactionId";
  const query = of === "" ? {} : { [name]: of };
  const answer = await callRoute(c, inspectCompany, { params: paramsOf(c), query });
  return page(
    c,
    {
      ...headOf(c),
      title: fill(labels.inspectOf, { id: c.req.param("id") ?? "" }),
      status: pageStatus(answer),
      actions: (
        <a class="button" href={pathOf(c)}>
          {labels.health}
        </a>
      ),
    },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} />}
      <InspectForm id={of} action={`${pathOf(c)}/inspect`} />
      {answer.ok ? <InspectedRows found={answer.body} /> : null}
    </>,
  );
}

const paramsOf = (c: ConsoleContext) => ({ companyId: c.req.param("id") ?? "" });

function pathOf(c: ConsoleContext): string {
  return `${COMPANIES_PATH}/${encodeURIComponent(c.req.param("id") ?? "")}`;
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).operatorCompanies.title, active: COMPANIES_PATH };
}
