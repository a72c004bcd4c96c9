import { etag } from "hono/etag";
import { getWithdrawReceipt } from "../../../../api/receipts/routes.ts";
import {
  getWithdrawApproval,
  withdrawDecisions,
} from "../../../../api/withdraws/approvals/routes.ts";
import { getWithdraw, requestWithdraw } from "../../../../api/withdraws/routes.ts";
import { searchWithdraws } from "../../../../api/withdraws/search/routes.ts";
import { personClientId } from "../../../../domain/access/person.ts";
import { parsePayoutId } from "../../../../domain/shared/ids.ts";
import { assert } from "../../../../lib/assert.ts";
import { getWithdrawTimeline } from "../../../../api/withdraws/timeline/routes.ts";
import { callRoute, callRouteForFile, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { chooseCompany } from "../../people/choices.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import {
  requireFreshForPersonalData,
  requireFreshSecondFactor,
} from "../../people/require-second-factor.ts";
import { ifTyped } from "../../form.ts";
import { dayRange } from "../../format.ts";
import type { QueryOf } from "../../../../http/openapi/route-types.ts";
import { refusalTitle } from "../../../shared/refusals/refusals.ts";
import { fill, localeOf, textsOf, useTexts } from "../../texts.ts";
import { fragment, page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { download, formOf, keyOf, may, nextKey, pageStatus, refusalPage } from "../answers.tsx";
import { Decision } from "./decision.tsx";
import { WithdrawFacts } from "./detail.tsx";
import { ConfirmForm, RequestForm } from "./forms.tsx";
import { FilterForm, WithdrawList } from "./list.tsx";
import { typedOf, withdrawRequest, type Typed } from "./request.ts";
import { timelineRights, TimelineSection } from "../payment/timeline.tsx";
import { WITHDRAWS_PATH } from "./withdraw.ts";

const ID = "/withdraws/:id{\\d+}";

/** Withdraws: the list, a request that is checked before it is made, and the decision of a second person. */
export function withdrawsScreen(app: ConsoleApp): void {
  app.get("/withdraws", requireMember, requirePermission("withdraws:read"), etag(), (c) =>
    showWithdraws(c),
  );
  app.get(
    "/withdraws.csv",
    requireMember,
    requirePermission("withdraws:read"),
    requireFreshForPersonalData,
    (c) => downloadList(c),
  );
  app.get(
    "/withdraws/new",
    requireMember,
    requirePermission("withdraws:write"),
    requireFreshSecondFactor,
    (c) => requestPage(c),
  );
  app.post(
    "/withdraws/new",
    requireMember,
    requirePermission("withdraws:write"),
    requireFreshSecondFactor,
    (c) => checkRequest(c),
  );
  app.post(
    "/withdraws",
    requireMember,
    requirePermission("withdraws:write"),
    requireFreshSecondFactor,
    (c) => makeWithdraw(c),
  );
  app.get("/approvals/:payoutId", requireMember, requirePermission("withdraws:read"), (c) =>
    openApproval(c),
  );
  app.get(ID, requireMember, requirePermission("withdraws:read"), (c) => showWithdraw(c));
  app.get(`${ID}/receipt.pdf`, requireMember, requirePermission("withdraws:read"), (c) =>
    downloadReceipt(c),
  );
  for (const decision of ["approve", "refuse"] as const) {
    app.post(
      `${ID}/${decision}`,
      requireMember,
      requirePermission("withdraws:approve"),
      requireFreshSecondFactor,
      (c) => decide(c, decision),
    );
  }
}

async function showWithdraws(c: ConsoleContext) {
  const filters = filtersOf(c);
  const after = c.req.query("after");
  if (after !== undefined) filters.set("after", after);
  const answer = await callRoute(c, searchWithdraws, { query: apiQuery(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  filters.set("fragment", "1");
  const list = (
    <WithdrawList items={answer.body.items} refresh={`${WITHDRAWS_PATH}?${filters.toString()}`} />
  );
  if (c.req.query("fragment") === "1") return fragment(c, list);
  const { status = "", approval = "", from = "", to = "" } = c.req.query();
  return page(
    c,
    { ...headOf(c), actions: <ListActions c={c} /> },
    <>
      <FilterForm status={status} approval={approval} from={from} to={to} />
      {list}
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

function ListActions({ c }: { c: ConsoleContext }) {
  const { withdraws } = useTexts();
  return (
    <>
      <a class="button" href={`${WITHDRAWS_PATH}.csv?${filtersOf(c).toString()}`}>
        {withdraws.csv}
      </a>
      {may(c, "withdraws:write") ? (
        <a class="button primary" href={`${WITHDRAWS_PATH}/new`}>
          {withdraws.new}
        </a>
      ) : null}
    </>
  );
}

interface Shown {
  typed: Typed;
  problem: ApiProblem | null;
  amountError: string | null;
  status: number;
}

function requestPage(
  c: ConsoleContext,
  { typed, problem, amountError, status }: Shown = {
    typed: typedOf({}),
    problem: null,
    amountError: null,
    status: 200,
  },
) {
  const texts = textsOf(c);
  return page(
    c,
    { ...headOf(c), title: texts.withdraws.new, status: pageStatus({ status }) },
    <RequestForm typed={typed} problem={problem} amountError={amountError} />,
  );
}

/** The API's dry run: what would happen, and every check that would refuse it. */
async function checkRequest(c: ConsoleContext) {
  const texts = textsOf(c);
  const typed = typedOf(await formOf(c));
  const json = withdrawRequest(typed);
  if (json === null) {
    const amountError = texts.withdraws.amountWrong;
    return requestPage(c, { typed, problem: null, amountError, status: 400 });
  }
  const idempotencyKey = crypto.randomUUID();
  const answer = await callRoute(c, requestWithdraw, { json, idempotencyKey, dryRun: true });
  if (!answer.ok) {
    const { status } = answer;
    return requestPage(c, { typed, problem: problemOf(c, answer.body), amountError: null, status });
  }
  assert(answer.status === 200, "a dry run makes no withdraw");
  return page(
    c,
    { ...headOf(c), title: texts.withdraws.confirm },
    <ConfirmForm typed={typed} dryRun={answer.body} idempotencyKey={idempotencyKey} />,
  );
}

async function makeWithdraw(c: ConsoleContext) {
  const form = await formOf(c);
  const typed = typedOf(form);
  const json = withdrawRequest(typed);
  if (json === null) {
    const amountError = textsOf(c).withdraws.amountWrong;
    return requestPage(c, { typed, problem: null, amountError, status: 400 });
  }
  const answer = await callRoute(c, requestWithdraw, { json, ...keyOf(form) });
  if (!answer.ok) {
    const { status } = answer;
    return requestPage(c, { typed, problem: problemOf(c, answer.body), amountError: null, status });
  }
  assert(answer.status === 201, "this was no dry run");
  return c.redirect(`${WITHDRAWS_PATH}/${answer.body.id}?done=requested`, 303);
}

/** From an e-mail's link to the withdraw, in its company if the person may open that. */
function openApproval(c: ConsoleContext) {
  const subject = parsePayoutId(c.req.param("payoutId") ?? "");
  const isTheirs = c
    .get("session")
    .memberships.some(({ companyId }) => companyId === subject?.companyId);
  if (subject === null || !isTheirs) return c.notFound();
  chooseCompany(c, subject.companyId);
  return c.redirect(`${WITHDRAWS_PATH}/${subject.withdrawId}`, 303);
}

/** A decision that was refused, with the reason that was typed. */
interface RefusedDecision {
  problem: ApiProblem;
  status: number;
  reason: string;
}

async function showWithdraw(c: ConsoleContext, refused?: RefusedDecision) {
  const texts = textsOf(c);
  const id = c.req.param("id") ?? "";
  const answer = await callRoute(c, getWithdraw, { params: { id } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const withdraw = answer.body;
  const timeline = await callRoute(c, getWithdrawTimeline, { params: { id } });
  const notices: Record<string, string> = texts.withdraws.done;
  const asked = c.req.query("done") ?? "";
  const done = Object.hasOwn(notices, asked) ? notices[asked] : undefined;
  const isPending = withdraw.approval === "pending" && may(c, "withdraws:approve");
  const facts = isPending ? await callRoute(c, getWithdrawApproval, { params: { id } }) : null;
  return page(
    c,
    {
      ...headOf(c),
      title: fill(texts.withdraws.one, { id }),
      status: pageStatus({ status: refused?.status ?? 200 }),
      ...(withdraw.enTransaction === "Paid" ? { actions: <Receipt id={id} /> } : {}),
    },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.problem} />}
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <WithdrawFacts withdraw={withdraw} />
      {facts?.ok === true ? (
        <Decision
          withdraw={withdraw}
          facts={facts.body.data}
          isOwn={withdraw.requestedBy?.id === personClientId(c.get("person"))}
          idempotencyKey={nextKey({}, 200)}
          reason={refused?.reason ?? ""}
        />
      ) : null}
      {timeline.ok ? (
        <details class="section technical">
          <summary>{texts.shell.technical}</summary>
          <TimelineSection
            id={null}
            items={timeline.body.items}
            hasMore={false}
            rights={timelineRights(c.get("person"))}
          />
        </details>
      ) : null}
    </>,
  );
}

function Receipt({ id }: { id: string }) {
  const { receipt } = useTexts().withdraws;
  return (
    <a class="button" href={`${WITHDRAWS_PATH}/${id}/receipt.pdf`}>
      {receipt}
    </a>
  );
}

async function decide(c: ConsoleContext, decision: "approve" | "refuse") {
  const id = c.req.param("id") ?? "";
  const form = await formOf(c);
  const { reason = "" } = form;
  const answer = await callRoute(c, withdrawDecisions[decision], {
    params: { id },
    json: reason === "" ? {} : { reason },
    ...keyOf(form),
  });
  if (!answer.ok) {
    return showWithdraw(c, { problem: answer.body, status: answer.status, reason });
  }
  return c.redirect(`${WITHDRAWS_PATH}/${id}?done=${decision}`, 303);
}

async function downloadList(c: ConsoleContext) {
  const type = "text/csv";
  const answer = await callRouteForFile(c, searchWithdraws, type, { query: apiQuery(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return download(answer, { type, name: textsOf(c).withdraws.file });
}

async function downloadReceipt(c: ConsoleContext) {
  const type = "application/pdf";
  const id = c.req.param("id") ?? "";
  const answer = await callRouteForFile(c, getWithdrawReceipt, type, { params: { id } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return download(answer, { type, name: fill(textsOf(c).withdraws.receiptFile, { id }) });
}

/** The filters of the URL as the API takes them. */
function apiQuery(c: ConsoleContext): QueryOf<typeof searchWithdraws> {
  const { status, approval, from, to }: Partial<Record<string, string>> = Object.fromEntries(
    filtersOf(c),
  );
  return {
    status: ifTyped(status),
    approval: ifTyped(approval),
    ...dayRange({ from, to }),
    after: c.req.query("after"),
  };
}

/** The filters of the URL that the API takes. */
function filtersOf(c: ConsoleContext): URLSearchParams {
  const names = ["status", "approval", "from", "to"] as const;
  const typed = names.map((name): [string, string] => [name, c.req.query(name) ?? ""]);
  return new URLSearchParams(typed.filter(([, value]) => value !== ""));
}

/** The contract's answer for a missing main PIX key has a message only. */
function problemOf(c: ConsoleContext, body: ApiProblem | { message: string }): ApiProblem {
  if (!("message" in body)) return body;
  const { noMainKey } = textsOf(c).withdraws;
  const traceId = c.env.outer.get("traceId");
  const title = refusalTitle(localeOf(c));
  return { title, detail: noMainKey, code: "PIX_KEY_MISSING", traceId };
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).withdraws.title, active: WITHDRAWS_PATH };
}
