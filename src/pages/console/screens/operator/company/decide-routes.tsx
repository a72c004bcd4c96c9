import { decideOperation, decideWithdraw } from "../../../../../api/operator/decisions/routes.ts";
import { inspectCompany } from "../../../../../api/operator/inspection/routes.ts";
import { getCompanyHealth } from "../../../../../api/operator/status/routes.ts";
import { callRoute, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped } from "../../../form.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { ProblemNotice } from "../../../ui/parts.tsx";
import { nextKey, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { toProposal } from "../proposals/proposal.ts";
import { operatorGuards } from "../guards.ts";
import { DecideForm } from "./decide.tsx";
import type { UndecidedItem } from "./health.tsx";

const NOT_FOUND = { title: "", active: COMPANIES_PATH };

/** The decision on a payout, refund, cancel or return whose provider gives no last answer. */
export function decideScreen(app: ConsoleApp): void {
  const { showForm, act } = operatorGuards(app);
  for (const kind of ["withdraws", "operations"] as const) {
    const path = `/operator/companies/:id/${kind}/:item/decide`;
    showForm(path, "money:decide", (c) => decidePage(c, kind));
    act(path, "money:decide", (c, form) => decide(c, kind, form));
  }
}

type Kind = "withdraws" | "operations";

async function decidePage(
  c: ConsoleContext,
  kind: Kind,
  refused?: {
    form: Form;
    status: number;
    problem: ApiProblem | null;
    errors: Record<string, string[]>;
  },
) {
  const texts = textsOf(c);
  const labels = texts.operatorCompanies;
  const [company, item] = [c.req.param("id") ?? "", c.req.param("item") ?? ""];
  const [health, receiver] = await Promise.all([
    callRoute(c, getCompanyHealth, { params: { companyId: company } }),
    kind === "withdraws" ? receiverOf(c, company, item) : null,
  ]);
  if (!health.ok) return refusalPage(c, { ...NOT_FOUND, title: labels.title }, health);
  const { payouts, operations } = health.body.undecided;
  const list: UndecidedItem[] = kind === "withdraws" ? payouts : operations;
  const found = list.find(({ id }) => id === item);
  const { form = {}, status = 200, problem = null, errors = {} } = refused ?? {};
  return page(
    c,
    {
      active: COMPANIES_PATH,
      title: fill(labels.decideOf, { id: item }),
      status: pageStatus({ status: found === undefined && status === 200 ? 404 : status }),
      actions: (
        <a class="button" href={`${COMPANIES_PATH}/${encodeURIComponent(company)}`}>
          {labels.health}
        </a>
      ),
    },
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      {found === undefined ? (
        <p>{labels.decidedAlready}</p>
      ) : (
        <DecideForm
          item={found}
          receiver={receiver}
          action={`${COMPANIES_PATH}/${encodeURIComponent(company)}/${kind}/${encodeURIComponent(item)}/decide`}
          form={form}
          errors={errors}
          idempotencyKey={nextKey(form, status)}
        />
      )}
    </>,
  );
}

/** The PIX key that a payout goes to. */
async function receiverOf(
  c: ConsoleContext,
  companyId: string,
  withdrawId: string,
): Promise<string | null> {
  const answer = await callRoute(c, inspectCompany, {
    params: { companyId },
    query: { withdrawId },
  });
  const row = answer.ok ? answer.body.object["withdraws"]?.[0] : undefined;
  return typeof row?.["pix_key"] === "string" ? row["pix_key"] : null;
}

async function decide(c: ConsoleContext, kind: Kind, form: Form) {
  const [company, item] = [c.req.param("id") ?? "", c.req.param("item") ?? ""];
  const { outcome = "", endToEndId = "" } = form;
  const reason = (form.reason ?? "").trim();
  if (reason === "") {
    const errors = { reason: [textsOf(c).operatorCompanies.reasonMissing] };
    return decidePage(c, kind, { form, status: 400, problem: null, errors });
  }
  const said = { outcome: asTyped(outcome), reason };
  const answer =
    kind === "withdraws"
      ? await callRoute(c, decideWithdraw, {
          params: { companyId: company, id: item },
          json: { ...said, ...(endToEndId === "" ? {} : { endToEndId }) },
        })
      : await callRoute(c, decideOperation, {
          params: { companyId: company, operationId: item },
          json: said,
        });
  if (answer.ok) {
    return toProposal(c, answer.body.data.id);
  }
  const { status, body: problem } = answer;
  return decidePage(c, kind, { form, status, problem, errors: problem.errors ?? {} });
}
