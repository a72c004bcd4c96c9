import {
  changeCompany as changeCompanyRoute,
  changeCompanyTerms,
  closeCompany,
  endCompanyFreeze,
  freezeCompany,
  getCompany,
  getCompanyTerms,
  reopenCompany,
} from "../../../../../api/operator/companies/routes.ts";
import { forkCompany } from "../../../../../api/operator/fork/routes.ts";
import { inviteCompanyOwner } from "../../../../../api/operator/owner-invitations/routes.ts";
import {
  changeCompanyQuotas,
  getCompanyQuotas,
} from "../../../../../api/operator/quotas/routes.ts";
import { getCompanyHealth } from "../../../../../api/operator/status/routes.ts";
import { typedReais } from "../../../../../domain/shared/money.ts";
import { callRoute, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped } from "../../../form.ts";
import type { RouteAnswer, RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { fill, localeOf, textsOf, useTexts } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, ProblemNotice } from "../../../ui/parts.tsx";
import { keyOf, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { amountOf, wholeOf } from "../../settings/fields.ts";
import { termsForm, termsOf } from "../../settings/terms.ts";
import { COMPANIES_PATH } from "../companies/company.ts";
import { toProposal } from "../proposals/proposal.ts";
import { doneOf, operatorGuards } from "../guards.ts";
import { Forked } from "./forked.tsx";
import type { Health } from "./health.tsx";
import {
  MANAGE_FORMS,
  ManageSections,
  OwnerLink,
  type Frozen,
  type ManageForm,
} from "./manage.tsx";

/** A form that is shown again: refused, or with fields that cannot be read. */
interface Again {
  name: ManageForm;
  form: Form;
  problem: ApiProblem | null;
  errors: Record<string, string[]>;
  status: number;
}

/** What an operator changes of a company: data, terms, quotas, freeze, end, its first owner. */
export function manageCompanyScreen(app: ConsoleApp): void {
  const { showForm, act } = operatorGuards(app);
  const ID = "/operator/companies/:id";
  showForm(`${ID}/manage`, "companies:write", (c) => managePage(c));
  act(`${ID}/change`, "companies:write", changeCompany);
  act(`${ID}/terms`, "companies:write", changeTerms);
  act(`${ID}/quotas`, "companies:write", changeQuotas);
  act(`${ID}/freeze`, "companies:write", changeFreeze);
  act(`${ID}/close`, "companies:write", (c, form) => {
    const params = paramsOf(c);
    return form.action === "reopen"
      ? withReason(c, "close", form, {
          done: "reopen",
          run: (reason) => callRoute(c, reopenCompany, { params, json: { reason } }),
        })
      : withReason(c, "close", form, {
          done: "close",
          run: (reason) => callRoute(c, closeCompany, { params, json: { reason } }),
        });
  });
  act(`${ID}/fork`, "companies:write", fork);
  act(`${ID}/owner-invitation`, "companies:write", inviteOwner);
}

async function managePage(
  c: ConsoleContext,
  { again, link }: { again?: Again; link?: { url: string; email: string } } = {},
) {
  const texts = textsOf(c);
  const labels = texts.operatorCompanies;
  const params = paramsOf(c);
  const [company, terms, quotas, health] = await Promise.all([
    callRoute(c, getCompany, { params }),
    callRoute(c, getCompanyTerms, { params }),
    callRoute(c, getCompanyQuotas, { params }),
    callRoute(c, getCompanyHealth, { params }),
  ]);
  if (!company.ok) return refusalPage(c, headOf(c), company);
  if (!terms.ok) return refusalPage(c, headOf(c), terms);
  if (!quotas.ok) return refusalPage(c, headOf(c), quotas);
  if (!health.ok) return refusalPage(c, headOf(c), health);
  const one = company.body.data;
  const { language } = localeOf(c);
  const stored: Record<ManageForm, Form> = {
    ...(Object.fromEntries(MANAGE_FORMS.map((name) => [name, {}])) as Record<ManageForm, Form>),
    change: {
      name: one.name,
      mode: one.mode,
      document: one.document,
      pixKey: one.pixKey ?? "",
      pixKeyType: one.pixKeyType ?? "",
    },
    terms: {
      ...termsForm(terms.body, language),
      minimumWithdraw: typedReais(terms.body.minimumWithdraw, language),
    },
    quotas: { percent: String(quotas.body.percent) },
  };
  if (again !== undefined) stored[again.name] = { ...stored[again.name], ...again.form };
  const done = doneOf(c, labels.done);
  return page(
    c,
    {
      ...headOf(c),
      title: fill(labels.manageOf, { name: one.name }),
      status: pageStatus({ status: again?.status ?? 200 }),
      actions: (
        <a class="button" href={`${COMPANIES_PATH}/${one.id}`}>
          {labels.health}
        </a>
      ),
    },
    <>
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      {link === undefined ? null : <OwnerLink {...link} />}
      <Refused again={again} />
      <ManageSections
        company={one}
        forms={stored}
        errorsOf={(name) => (again?.name === name ? again.errors : {})}
        frozen={frozenOf(health.body)}
        quotas={quotas.body}
        newKey={() => crypto.randomUUID()}
      />
    </>,
  );
}

/** A freeze of before causes were stored stops the ways out only. */
function frozenOf({ frozen, freeze }: Health): Frozen | null {
  return frozen ? (freeze ?? { withdraws: true, charges: false }) : null;
}

function Refused({ again }: { again: Again | undefined }) {
  const texts = useTexts();
  if (again === undefined) return null;
  if (again.problem !== null) return <ProblemNotice problem={again.problem} />;
  return (
    <div class="notice bad" role="alert">
      <p>{texts.operatorCompanies.notDone}</p>
    </div>
  );
}

/** Freezes what is ticked, or proposes to end the freeze. */
async function changeFreeze(c: ConsoleContext, form: Form) {
  const params = paramsOf(c);
  if (form.frozen !== "true") {
    return withReason(c, "freeze", form, {
      done: "frozen",
      run: (reason) => callRoute(c, endCompanyFreeze, { params, json: { reason } }),
    });
  }
  const stopped = { withdraws: form.withdraws === "on", charges: form.charges === "on" };
  return withReason(c, "freeze", form, {
    done: "frozen",
    run: (reason) => callRoute(c, freezeCompany, { params, json: { ...stopped, reason } }),
  });
}

/** The company's data. An emptied PIX key or document is removed. */
async function changeCompany(c: ConsoleContext, form: Form) {
  const { name = "", mode = "", document = "", pixKey = "", pixKeyType = "" } = form;
  const key = pixKey.trim();
  const changed = {
    name,
    mode: asTyped(mode),
    document: document.trim() === "" ? null : document.trim(),
    pixKey: key === "" ? null : key,
    ...(key === "" || pixKeyType === "" ? {} : { pixKeyType: asTyped(pixKeyType) }),
  };
  return withReason(c, "change", form, {
    done: "changed",
    run: (reason) =>
      callRoute(c, changeCompanyRoute, { params: paramsOf(c), json: { ...changed, reason } }),
  });
}

async function changeTerms(c: ConsoleContext, form: Form) {
  const terms = termsOf(form);
  const minimumWithdraw = amountOf(form.minimumWithdraw);
  const unreadable = [
    ...("unreadable" in terms ? terms.unreadable : []),
    ...(typeof minimumWithdraw === "number" ? [] : ["minimumWithdraw"]),
  ];
  if ("unreadable" in terms || typeof minimumWithdraw !== "number") {
    return unreadablePage(c, "terms", form, unreadable);
  }
  return withReason(c, "terms", form, {
    done: "terms",
    run: (reason) =>
      callRoute(c, changeCompanyTerms, {
        params: paramsOf(c),
        json: { ...terms, minimumWithdraw, reason },
      }),
  });
}

async function changeQuotas(c: ConsoleContext, form: Form) {
  const percent = wholeOf(form.percent);
  if (typeof percent !== "number") return unreadablePage(c, "quotas", form, ["percent"]);
  const answer = await callRoute(c, changeCompanyQuotas, {
    params: paramsOf(c),
    json: { percent },
  });
  return answer.ok ? doneAt(c, "quotas") : refusedPage(c, "quotas", form, answer);
}

/** The link is in this one answer, so it leads nowhere else. */
async function inviteOwner(c: ConsoleContext, form: Form) {
  const { email = "" } = form;
  const answer = await callRoute(c, inviteCompanyOwner, {
    params: paramsOf(c),
    json: { email },
  });
  if (!answer.ok) return refusedPage(c, "owner-invitation", form, answer);
  c.header("Cache-Control", "no-store");
  return managePage(c, { link: { url: answer.body.data.url, email } });
}

/** Copies the company. The copy's key is in this one answer, so it leads nowhere else. */
async function fork(c: ConsoleContext, form: Form) {
  const reason = (form.reason ?? "").trim();
  if (reason === "") return reasonMissing(c, "fork", form);
  const json = { reason };
  const answer = await callRoute(c, forkCompany, { params: paramsOf(c), json, ...keyOf(form) });
  if (!answer.ok) return refusedPage(c, "fork", form, answer);
  const title = textsOf(c).operatorCompanies.forkedTitle;
  c.header("Cache-Control", "no-store");
  return page(c, { ...headOf(c), title, status: 201 }, <Forked {...answer.body.data} />);
}

/** What a change answers: it is done, or (202) it is proposed to another operator. */
type ChangeAnswer =
  | RouteAnswer<typeof changeCompanyRoute>
  | RouteAnswer<typeof changeCompanyTerms>
  | RouteAnswer<typeof closeCompany>
  | RouteAnswer<typeof freezeCompany>
  | RouteAnswer<typeof endCompanyFreeze>;

/** Asks the API for a change that its reason goes with; without a reason nothing is asked. */
async function withReason(
  c: ConsoleContext,
  name: ManageForm,
  form: Form,
  ask: { done: string; run: (reason: string) => Promise<ChangeAnswer> },
) {
  const reason = (form.reason ?? "").trim();
  if (reason === "") return reasonMissing(c, name, form);
  const answer = await ask.run(reason);
  if (!answer.ok) return refusedPage(c, name, form, answer);
  if (answer.status !== 202) return doneAt(c, ask.done);
  return toProposal(c, answer.body.data.id);
}

function reasonMissing(c: ConsoleContext, name: ManageForm, form: Form) {
  const errors = { reason: [textsOf(c).operatorCompanies.reasonMissing] };
  return managePage(c, { again: { name, form, problem: null, errors, status: 400 } });
}

function unreadablePage(c: ConsoleContext, name: ManageForm, form: Form, fields: string[]) {
  const { unreadable } = textsOf(c).settings;
  const errors = Object.fromEntries(fields.map((field) => [field, [unreadable]]));
  return managePage(c, { again: { name, form, problem: null, errors, status: 400 } });
}

function refusedPage(
  c: ConsoleContext,
  name: ManageForm,
  form: Form,
  { status, body }: RouteRefusal,
) {
  return managePage(c, { again: { name, form, problem: body, errors: body.errors ?? {}, status } });
}

function doneAt(c: ConsoleContext, word: string) {
  return c.redirect(`${COMPANIES_PATH}/${c.req.param("id") ?? ""}/manage?done=${word}`, 303);
}

const paramsOf = (c: ConsoleContext) => ({ companyId: c.req.param("id") ?? "" });

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).operatorCompanies.title, active: COMPANIES_PATH };
}
