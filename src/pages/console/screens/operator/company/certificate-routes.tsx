import {
  giveUpCertificateRoute,
  nameCertificateRoute,
} from "../../../../../api/operator/certificates/routes.ts";
import { listProviderAccounts } from "../../../../../api/operator/provider-accounts/routes.ts";
import type { RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { holdsPrivateKey } from "../../../../../lib/certificates/x509.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, ProblemNotice } from "../../../ui/parts.tsx";
import { mayAsOperator, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { doneOf, operatorGuards } from "../guards.ts";
import { accountsPath } from "./accounts.tsx";
import {
  certificatePath,
  NameSection,
  RequestSection,
  TrialSection,
  UploadSection,
} from "./certificate.tsx";

/** The next client certificate of an account: making it, handing it in, and how its trials go. */
export function certificateScreen(app: ConsoleApp): void {
  const { show, act } = operatorGuards(app);
  const PATH = "/operator/companies/:id/providers/:account/certificate";
  show(PATH, "companies:read", (c) => certificatePage(c));
  act(PATH, "companies:write", name);
  act(`${PATH}/give-up`, "companies:write", giveUp);
}

async function certificatePage(c: ConsoleContext, again?: { form: Form; refused: RouteRefusal }) {
  const labels = textsOf(c).certificates;
  const { companyId, account: wanted } = paramsOf(c);
  const answer = await callRoute(c, listProviderAccounts, { params: { companyId } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const account = answer.body.data.find((each) => each.account === wanted && each.leftAt === null);
  if (account?.provider !== "pix-api") return c.notFound();
  const { form = {}, refused } = again ?? {};
  const done = doneOf(c, labels.done);
  const props = { companyId, account };
  return page(
    c,
    {
      ...headOf(c),
      title: fill(labels.titleOf, { account: wanted }),
      status: pageStatus({ status: refused?.status ?? 200 }),
      actions: (
        <a class="button" href={accountsPath(companyId)}>
          {labels.accounts}
        </a>
      ),
    },
    <>
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      {refused === undefined ? null : <ProblemNotice problem={refused.body} />}
      <p>{labels.about}</p>
      <TrialSection {...props} />
      {mayAsOperator(c, "companies:write") ? (
        <>
          <RequestSection {...props} profile={c.req.query("profile")} />
          <UploadSection account={account} />
          <NameSection
            {...props}
            form={form}
            errors={refused?.body.errors ?? {}}
            newKey={() => crypto.randomUUID()}
          />
        </>
      ) : null}
    </>,
  );
}

async function name(c: ConsoleContext, form: Form) {
  const { binding = "", certificate = "", request = "" } = form;
  const answer = await callRoute(c, nameCertificateRoute, {
    params: paramsOf(c),
    json: {
      binding: binding.trim(),
      ...(certificate.trim() === "" ? {} : { certificate }),
      ...(request.trim() === "" ? {} : { request }),
    },
  });
  if (!answer.ok) return certificatePage(c, { form: withoutKeys(form), refused: answer });
  return doneAt(c, "named");
}

async function giveUp(c: ConsoleContext) {
  const answer = await callRoute(c, giveUpCertificateRoute, { params: paramsOf(c) });
  if (!answer.ok) return certificatePage(c, { form: {}, refused: answer });
  return doneAt(c, "givenUp");
}

/** What was typed, without a private key that somebody pasted: no page shows it again. */
function withoutKeys(form: Form): Form {
  return Object.fromEntries(
    Object.entries(form).map(([field, text]) => [field, holdsPrivateKey(text) ? "" : text]),
  );
}

function doneAt(c: ConsoleContext, word: string) {
  const { companyId, account } = paramsOf(c);
  return c.redirect(`${certificatePath(companyId, account)}?done=${word}`, 303);
}

const paramsOf = (c: ConsoleContext) => ({
  companyId: encodeURIComponent(c.req.param("id") ?? ""),
  account: encodeURIComponent(c.req.param("account") ?? ""),
});

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).operatorCompanies.title, active: COMPANIES_PATH };
}
