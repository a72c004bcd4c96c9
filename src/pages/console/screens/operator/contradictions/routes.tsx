import {
  decideContradiction,
  getContradiction,
  listContradictions,
} from "../../../../../api/operator/contradictions/routes.ts";
import { listProposals } from "../../../../../api/operator/proposals/routes.ts";
import { callRoute, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped, ifTyped } from "../../../form.ts";
import type { RouteBody, TypedText } from "../../../../../http/openapi/route-types.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice, Section } from "../../../ui/parts.tsx";
import { mayAsOperator, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { ProposalList } from "../proposals/list.tsx";
import { toProposal } from "../proposals/proposal.ts";
import { doneOf, operatorGuards } from "../guards.ts";
import { CONTRADICTIONS_PATH, decisionRequest, typedDecision } from "./contradiction.ts";
import { ConfirmProposal, ContradictionFacts, DecisionFacts, ProposeForm } from "./detail.tsx";
import { ContradictionList, Tabs } from "./list.tsx";

/** A form that is shown again. */
interface Refused {
  form: Form;
  status: number;
  problem?: ApiProblem;
  errors?: Record<string, string[]>;
}

/** Contradictions: the list, one of them, and its decision by two operators. */
export function contradictionsScreen(app: ConsoleApp): void {
  const { show, act } = operatorGuards(app);
  const ONE = "/operator/contradictions/:id";
  show("/operator/contradictions", "companies:read", showContradictions);
  show(ONE, "companies:read", (c) => showContradiction(c));
  // The check is a page of a form: the language switch leads back to it by GET.
  show(`${ONE}/check`, "companies:read", (c) =>
    c.redirect(`${CONTRADICTIONS_PATH}/${c.req.param("id") ?? ""}`),
  );
  act(`${ONE}/check`, "money:decide", checkProposal);
  act(`${ONE}/decide`, "money:decide", decide);
}

async function showContradictions(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.contradictions;
  const { status = "", after = "" } = c.req.query();
  const listOf = (each: "proposed" | "open" | TypedText) =>
    callRoute(c, listContradictions, { query: { status: each, after: ifTyped(after) } });
  if (status !== "") {
    const answer = await listOf(asTyped(status));
    if (!answer.ok) return refusalPage(c, headOf(c), answer);
    const { body } = answer;
    return page(
      c,
      headOf(c),
      <>
        <Tabs active={status} />
        <ContradictionList caption={labels.title} items={body.items} empty={labels.noneOfThem} />
        <NextPage url={c.req.url} list={body} />
      </>,
    );
  }
  const [proposed, open] = await Promise.all([listOf("proposed"), listOf("open")]);
  if (!proposed.ok) return refusalPage(c, headOf(c), proposed);
  if (!open.ok) return refusalPage(c, headOf(c), open);
  const lists = [
    ["proposed", proposed.body],
    ["open", open.body],
  ] as const;
  return page(
    c,
    headOf(c),
    <>
      <Tabs active="" />
      {lists.map(([each, { items, hasMore }]) => (
        <Section title={labels.statuses[each]}>
          <ContradictionList
            caption={labels.statuses[each]}
            items={items}
            empty={labels.nothing[each]}
          />
          {hasMore ? (
            <p>
              <a href={`${CONTRADICTIONS_PATH}?status=${each}`}>{labels.all}</a>
            </p>
          ) : null}
        </Section>
      ))}
    </>,
  );
}

/** The names of the operators of some proposals, by their ids. */
function namesOf(items: RouteBody<typeof listProposals>["items"]): Map<string, string> {
  const operators = items.flatMap(({ proposedBy, decidedBy }) => [proposedBy, decidedBy]);
  return new Map(
    operators.filter((operator) => operator !== null).map(({ id, name }) => [id, name]),
  );
}

async function showContradiction(c: ConsoleContext, refused?: Refused) {
  const texts = textsOf(c);
  const target = `contradiction:${c.req.param("id") ?? ""}`;
  const [answer, proposals] = await Promise.all([
    find(c),
    callRoute(c, listProposals, { query: { target } }),
  ]);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const found = answer.body;
  const items = proposals.ok ? proposals.body.items : [];
  const mayDecide = mayAsOperator(c, "money:decide");
  const done = doneOf(c, texts.contradictions.done);
  const { problem, form = {}, status = 200, errors } = refused ?? {};
  return page(
    c,
    {
      ...headOf(c),
      title: fill(texts.contradictions.one, { id: found.id }),
      status: pageStatus({ status }),
    },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <ContradictionFacts found={found} />
      <DecisionFacts found={found} names={namesOf(items)} />
      <Section title={texts.proposals.title}>
        <ProposalList items={items} />
      </Section>
      {mayDecide && found.decision === null ? (
        <ProposeForm
          found={found}
          typed={typedDecision(form)}
          errors={errors ?? problem?.errors ?? {}}
        />
      ) : null}
    </>,
  );
}

/** What a proposal would book, before it is made. */
async function checkProposal(c: ConsoleContext, form: Form) {
  const texts = textsOf(c);
  const labels = texts.contradictions;
  const typed = typedDecision(form);
  const request = decisionRequest(typed);
  const errors = {
    ...(request === null ? { amount: [labels.amountWrong] } : {}),
    ...(typed.reason === "" ? { reason: [texts.operatorCompanies.reasonMissing] } : {}),
    ...(typed.action === "credit" && typed.transactionId === ""
      ? { transactionId: [labels.transactionMissing] }
      : {}),
  };
  if (request === null || Object.keys(errors).length > 0) {
    return showContradiction(c, { form, status: 400, errors });
  }
  const answer = await find(c);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(
    c,
    { ...headOf(c), title: labels.confirm },
    <ConfirmProposal
      found={answer.body}
      typed={typed}
      amount={request.amount ?? null}
      idempotencyKey={crypto.randomUUID()}
    />,
  );
}

/** Proposes a decision, which another operator approves. */
async function decide(c: ConsoleContext, form: Form) {
  const request = decisionRequest(typedDecision(form));
  if (request === null) {
    const errors = { amount: [textsOf(c).contradictions.amountWrong] };
    return showContradiction(c, { form, status: 400, errors });
  }
  const answer = await callRoute(c, decideContradiction, {
    params: paramsOf(c),
    json: request,
  });
  if (!answer.ok) {
    return showContradiction(c, { form, status: answer.status, problem: answer.body });
  }
  return toProposal(c, answer.body.data.id);
}

function find(c: ConsoleContext) {
  return callRoute(c, getContradiction, { params: paramsOf(c) });
}

const paramsOf = (c: ConsoleContext) => ({ id: c.req.param("id") ?? "" });

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).contradictions.title, active: CONTRADICTIONS_PATH };
}
