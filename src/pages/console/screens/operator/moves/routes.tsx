import {
  getCompanyMove,
  listCompanyMoves,
  moveCompany,
} from "../../../../../api/operator/company-moves/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import type { JsonOf, RouteAnswer, RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, ProblemNotice, Section } from "../../../ui/parts.tsx";
import { mayAsOperator, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { doneOf, operatorGuards } from "../guards.ts";
import { BeginMove, MoveList, MoveProgress, MOVES_PATH } from "./pages.tsx";

/** Steps of a move that one request runs: each copies some hundred rows. */
const STEPS_PER_REQUEST = 20;

type Refused = { form: Form; answer: RouteRefusal };

/** Moves of companies between databases: those that run, a new one, its progress, its end or rollback. */
export function movesScreen(app: ConsoleApp): void {
  const { show, act } = operatorGuards(app);
  show("/operator/moves", "companies:read", (c) => showMoves(c));
  show("/operator/moves/:id", "companies:read", (c) => showMove(c));
  act("/operator/moves", "companies:write", begin);
  act("/operator/moves/:id/step", "companies:write", goOn);
}

async function showMoves(c: ConsoleContext, refused?: Refused) {
  const texts = textsOf(c);
  const labels = texts.moves;
  const answer = await callRoute(c, listCompanyMoves);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(
    c,
    { ...headOf(c), status: pageStatus(refused?.answer ?? { status: 200 }) },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.answer.body} />}
      <MoveList items={answer.body.items} />
      {mayAsOperator(c, "companies:write") ? (
        <Section title={labels.new}>
          <BeginMove
            databases={answer.body.databases}
            form={refused?.form ?? {}}
            idempotencyKey={crypto.randomUUID()}
          />
        </Section>
      ) : null}
    </>,
  );
}

async function showMove(c: ConsoleContext, refused?: RouteRefusal) {
  const texts = textsOf(c);
  const id = c.req.param("id") ?? "";
  const answer = await callRoute(c, getCompanyMove, { params: { companyId: id } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const done = doneOf(c, texts.moves.done);
  return page(
    c,
    {
      ...headOf(c),
      title: fill(texts.moves.one, { id }),
      status: pageStatus({ status: refused?.status ?? 200 }),
    },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.body} />}
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <MoveProgress
        companyId={id}
        move={answer.body}
        mayChange={mayAsOperator(c, "companies:write")}
        newKey={() => crypto.randomUUID()}
      />
    </>,
  );
}

/** Begins a move with its first steps. */
async function begin(c: ConsoleContext, form: Form) {
  const { company = "", to = "" } = form;
  const answer = await runSteps(c, company.trim(), { to });
  if (!answer.ok) return showMoves(c, { form, answer });
  return c.redirect(`${MOVES_PATH}/${encodeURIComponent(company.trim())}?done=begun`, 303);
}

/** Some more steps towards `to`, or of the rollback where it is empty. */
async function goOn(c: ConsoleContext, { to = "" }: Form) {
  const id = c.req.param("id") ?? "";
  const answer = await runSteps(c, id, to === "" ? { abort: true } : { to });
  if (!answer.ok) return showMove(c, answer);
  const isEnded = answer.body.target === null;
  const word = isEnded ? (to === "" ? "aborted" : "moved") : "step";
  return c.redirect(`${MOVES_PATH}/${encodeURIComponent(id)}?done=${word}`, 303);
}

/** Runs steps until the move ends, somebody else runs it, or this request has done its share. */
async function runSteps(
  c: ConsoleContext,
  id: string,
  json: JsonOf<typeof moveCompany>,
): Promise<RouteAnswer<typeof moveCompany>> {
  const input = { params: { companyId: id }, json };
  let answer = await callRoute(c, moveCompany, input);
  for (let step = 1; step < STEPS_PER_REQUEST; step++) {
    if (!answer.ok || answer.body.target === null || answer.body.busy) break;
    answer = await callRoute(c, moveCompany, input);
  }
  return answer;
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).moves.title, active: MOVES_PATH };
}
