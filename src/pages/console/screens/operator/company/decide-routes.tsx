import { callApi, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { fill, languageOf, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { ProblemNotice } from "../../../ui/parts.tsx";
import { nextKey, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { COMPANIES_API, COMPANIES_PATH } from "../companies/company.ts";
import { PROPOSALS_PATH } from "../proposals/proposal.ts";
import { operatorWays } from "../ways.ts";
import { DecideForm } from "./decide.tsx";
import type { UndecidedItem } from "./health.tsx";

const NOT_FOUND = { title: "", active: COMPANIES_PATH };

/** The decision on a payout, refund, cancel or return whose provider gives no last answer. */
export function decideScreen(app: ConsoleApp): void {
  const { showForm, act } = operatorWays(app);
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
  const words = texts.operatorCompanies;
  const [company, item] = [c.req.param("id") ?? "", c.req.param("item") ?? ""];
  const api = `${COMPANIES_API}/${encodeURIComponent(company)}`;
  const [health, receiver] = await Promise.all([
    callApi(c, "GET", `${api}/health`),
    kind === "withdraws" ? receiverOf(c, api, item) : null,
  ]);
  if (!health.ok) return refusalPage(c, { ...NOT_FOUND, title: words.title }, health);
  const { payouts, operations } = health.body.undecided;
  const list: UndecidedItem[] = kind === "withdraws" ? payouts : operations;
  const found = list.find(({ id }) => id === item);
  const { form = {}, status = 200, problem = null, errors = {} } = refused ?? {};
  return page(
    c,
    {
      active: COMPANIES_PATH,
      title: fill(words.decideOf, { id: item }),
      status: pageStatus({ status: found === undefined && status === 200 ? 404 : status }),
      actions: (
        <a class="button" href={`${COMPANIES_PATH}/${encodeURIComponent(company)}`}>
          {words.health}
        </a>
      ),
    },
    <>
      {problem === null ? null : <ProblemNotice problem={problem} texts={texts} />}
      {found === undefined ? (
        <p>{words.decidedAlready}</p>
      ) : (
        <DecideForm
          item={found}
          receiver={receiver}
          action={`${COMPANIES_PATH}/${encodeURIComponent(company)}/${kind}/${encodeURIComponent(item)}/decide`}
          form={form}
          errors={errors}
          idempotencyKey={nextKey(form, status)}
          texts={texts}
          language={languageOf(c)}
        />
      )}
    </>,
  );
}

/** The PIX key that a payout goes to. */
async function receiverOf(c: ConsoleContext, api: string, id: string): Promise<string | null> {
  const answer = await callApi(c, "GET", `${api}/inspect?withdrawId=${encodeURIComponent(id)}`);
  const row = answer.ok ? answer.body.object.withdraws?.[0] : undefined;
  return typeof row?.pix_key === "string" ? row.pix_key : null;
}

async function decide(c: ConsoleContext, kind: Kind, form: Form) {
  const [company, item] = [c.req.param("id") ?? "", c.req.param("item") ?? ""];
  const { outcome = "", endToEndId = "" } = form;
  const reason = (form.reason ?? "").trim();
  if (reason === "") {
    const errors = { reason: [textsOf(c).operatorCompanies.reasonMissing] };
    return decidePage(c, kind, { form, status: 400, problem: null, errors });
  }
  const path = `${COMPANIES_API}/${encodeURIComponent(company)}/${kind}/${encodeURIComponent(item)}/decide`;
  const body = { outcome, reason, ...(endToEndId === "" ? {} : { endToEndId }) };
  const answer = await callApi(c, "POST", path, { body });
  if (answer.ok) {
    return c.redirect(`${PROPOSALS_PATH}/${answer.body.data.id}?done=proposed`, 303);
  }
  const { status, body: problem } = answer;
  return decidePage(c, kind, { form, status, problem, errors: problem.errors ?? {} });
}
