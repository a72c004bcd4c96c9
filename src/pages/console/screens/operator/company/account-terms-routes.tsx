import {
  changeProviderAccount,
  listProviderAccounts,
} from "../../../../../api/operator/provider-accounts/routes.ts";
import type { RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped } from "../../../form.ts";
import { fill, localeOf, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { ActionForm, ProblemNotice, Section } from "../../../ui/parts.tsx";
import { pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { ReasonField } from "../companies/new.tsx";
import { operatorGuards } from "../guards.ts";
import { toProposal } from "../proposals/proposal.ts";
import { TermsFields, termsForm, termsOf } from "./account-terms.tsx";
import { accountsPath } from "./accounts.tsx";

/** What a connected account carries, when and at what cost: read and changed. */
export function accountTermsScreen(app: ConsoleApp): void {
  const { showForm, act } = operatorGuards(app);
  const PATH = "/operator/companies/:id/providers/:account/terms";
  showForm(PATH, "companies:write", (c) => termsPage(c));
  act(PATH, "companies:write", change);
}

async function termsPage(c: ConsoleContext, again?: { form: Form; refused: RouteRefusal }) {
  const texts = textsOf(c);
  const labels = texts.providerAccounts;
  const { companyId, account: wanted } = paramsOf(c);
  const head = { title: fill(labels.termsOf, { account: wanted }), active: COMPANIES_PATH };
  const answer = await callRoute(c, listProviderAccounts, { params: { companyId } });
  if (!answer.ok) return refusalPage(c, head, answer);
  const account = answer.body.data.find((each) => each.account === wanted && each.leftAt === null);
  if (account === undefined) return c.notFound();
  const { form = termsForm(account, localeOf(c).language), refused } = again ?? {};
  const errors = refused?.body.errors ?? {};
  return page(
    c,
    {
      ...head,
      status: pageStatus({ status: refused?.status ?? 200 }),
      actions: (
        <a class="button" href={accountsPath(companyId)}>
          {labels.title}
        </a>
      ),
    },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.body} />}
      <Section title={labels.terms}>
        <ActionForm
          action={`${accountsPath(companyId)}/${wanted}/terms`}
          idempotencyKey={crypto.randomUUID()}
          submit={labels.changeTerms}
        >
          <TermsFields
            kind={account.provider}
            isOn={(method) => form[`method-${method}`] === "on"}
            form={form}
            errors={errors}
          />
          <ReasonField form={form} errors={errors} />
        </ActionForm>
      </Section>
    </>,
  );
}

/** Changes the terms, or proposes the change where another operator must approve it. */
async function change(c: ConsoleContext, form: Form) {
  const params = paramsOf(c);
  const answer = await callRoute(c, changeProviderAccount, {
    params,
    json: { ...termsOf(form), reason: asTyped(form.reason ?? "") },
  });
  if (!answer.ok) return termsPage(c, { form, refused: answer });
  if (answer.status === 202) {
    return toProposal(c, answer.body.data.id);
  }
  return c.redirect(`${accountsPath(params.companyId)}?done=termsChanged`, 303);
}

const paramsOf = (c: ConsoleContext) => ({
  companyId: encodeURIComponent(c.req.param("id") ?? ""),
  account: c.req.param("account") ?? "",
});
