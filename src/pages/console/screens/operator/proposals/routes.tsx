import {
  approveProposal,
  getProposal,
  listProposals,
  refuseProposal,
} from "../../../../../api/operator/proposals/routes.ts";
import { PROPOSAL_STATUSES } from "../../../../../domain/operators/proposal.ts";
import { callRoute, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped, ifTyped } from "../../../form.ts";
import { textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../../ui/parts.tsx";
import { mayAsOperator, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { doneOf, operatorGuards } from "../guards.ts";
import { DecideForms, ProposalFacts } from "./detail.tsx";
import { ProposalList } from "./list.tsx";
import { PROPOSALS_PATH } from "./proposal.ts";

const HOME = "/console/operator";

/** A form that is shown again. */
interface Refused {
  form: Form;
  status: number;
  problem: ApiProblem | null;
  errors: Record<string, string[]>;
}

/** What one operator proposed, for another one to approve or refuse. */
export function proposalsScreen(app: ConsoleApp): void {
  const { show, act } = operatorGuards(app);
  const ONE = "/operator/proposals/:id";
  show("/operator/proposals", "companies:read", showProposals);
  show(ONE, "companies:read", (c) => showProposal(c));
  act(`${ONE}/approve`, "money:decide", (c, form) => decide(c, form, "approve"));
  act(`${ONE}/refuse`, "money:decide", (c, form) => decide(c, form, "refuse"));
}

async function showProposals(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.proposals;
  const { status = "pending", after = "" } = c.req.query();
  const answer = await callRoute(c, listProposals, {
    query: { status: asTyped(status), after: ifTyped(after) },
  });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(
    c,
    headOf(c),
    <>
      <nav class="tabs" aria-label={labels.status}>
        {PROPOSAL_STATUSES.map((each) => (
          <a
            href={`${PROPOSALS_PATH}?status=${each}`}
            {...(each === status ? { "aria-current": "page" } : {})}
          >
            {labels.statuses[each]}
          </a>
        ))}
      </nav>
      <ProposalList items={answer.body.items} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

async function showProposal(c: ConsoleContext, refused?: Refused) {
  const texts = textsOf(c);
  const labels = texts.proposals;
  const answer = await callRoute(c, getProposal, { params: paramsOf(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const found = answer.body.data;
  const { form = {}, status = 200, problem = null, errors = {} } = refused ?? {};
  const done = doneOf(c, labels.done);
  const isOfCompany = found.action.startsWith("company.");
  return page(
    c,
    { ...headOf(c), title: labels.actions[found.action], status: pageStatus({ status }) },
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <ProposalFacts found={found} />
      <DecideForms
        found={found}
        isOwn={found.proposedBy.id === c.get("operator")?.clientId}
        mayDecide={mayAsOperator(c, isOfCompany ? "companies:write" : "money:decide")}
        form={form}
        errors={errors}
        newKey={() => crypto.randomUUID()}
      />
      <p>
        <a href={PROPOSALS_PATH}>{labels.all}</a>
      </p>
    </>,
  );
}

async function decide(c: ConsoleContext, form: Form, answer: "approve" | "refuse") {
  const reason = (form.reason ?? "").trim();
  if (reason === "") {
    const errors = { reason: [textsOf(c).operatorCompanies.reasonMissing] };
    return showProposal(c, { form, status: 400, problem: null, errors });
  }
  const input = { params: paramsOf(c), json: { reason } };
  const decided =
    answer === "approve"
      ? await callRoute(c, approveProposal, input)
      : await callRoute(c, refuseProposal, input);
  if (decided.ok) {
    const { id } = decided.body.data;
    return c.redirect(`${PROPOSALS_PATH}/${id}?done=${answer}d`, 303);
  }
  const { status, body: problem } = decided;
  return showProposal(c, { form, status, problem, errors: problem.errors ?? {} });
}

const paramsOf = (c: ConsoleContext) => ({ id: c.req.param("id") ?? "" });

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).proposals.title, active: HOME };
}
