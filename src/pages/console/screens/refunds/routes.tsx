import { listWaitingRefunds, refundDecisions } from "../../../../api/refunds/routes.ts";
import { personClientId } from "../../../../domain/access/person.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, textsOf, useLocale, useTexts } from "../../texts.ts";
import { ActorFact } from "../../ui/actor-name.tsx";
import { page } from "../../ui/layout.tsx";
import {
  ActionForm,
  DoneNotice,
  Facts,
  Field,
  NextPage,
  ProblemNotice,
  Section,
} from "../../ui/parts.tsx";
import { formOf, keyOf, may, nextKey, pageStatus, refusalPage } from "../answers.tsx";

const REFUNDS_PATH = "/console/refunds";

type Waiting = RouteBody<typeof listWaitingRefunds>["items"][number];

/** Refunds and returns that wait for a second person, and the decision. */
export function refundsScreen(app: ConsoleApp): void {
  app.get("/refunds", requireMember, requirePermission("transactions:read"), (c) => showWaiting(c));
  for (const decision of ["approve", "refuse"] as const) {
    app.post(
      `/refunds/:id{[0-9a-f-]+}/${decision}`,
      requireMember,
      requirePermission("withdraws:approve"),
      requireFreshSecondFactor,
      (c) => decide(c, decision),
    );
  }
}

async function showWaiting(
  c: ConsoleContext,
  refused?: { status: number; problem: ApiProblem },
): Promise<Response> {
  const texts = textsOf(c);
  const { refunds: labels } = texts;
  const head = { title: labels.title, active: REFUNDS_PATH };
  const after = c.req.method === "GET" ? c.req.query("after") : undefined;
  const answer = await callRoute(c, listWaitingRefunds, { query: { approval: "pending", after } });
  if (!answer.ok) return refusalPage(c, head, answer);
  const { items } = answer.body;
  const notices: Record<string, string> = labels.done;
  const done = c.req.query("done") ?? "";
  return page(
    c,
    { ...head, status: pageStatus({ status: refused?.status ?? 200 }) },
    <>
      {refused === undefined ? null : <ProblemNotice problem={refused.problem} />}
      {Object.hasOwn(notices, done) ? <DoneNotice>{notices[done]}</DoneNotice> : null}
      <p>{items.length === 0 ? labels.none : labels.lead}</p>
      {items.map((waiting) => (
        <WaitingRefund
          waiting={waiting}
          isOwn={waiting.requestedBy?.id === personClientId(c.get("person"))}
          mayDecide={may(c, "withdraws:approve")}
        />
      ))}
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

function WaitingRefund(props: { waiting: Waiting; isOwn: boolean; mayDecide: boolean }) {
  const { money, dateTime } = useLocale();
  const { waiting, isOwn, mayDecide } = props;
  const { refunds: labels, shell } = useTexts();
  const { id, kind, amount, transactionId, approvalExpiresAt } = waiting;
  const shown = money(amount);
  return (
    <Section title={fill(labels.kind[kind], { amount: shown })}>
      <Facts
        of={[
          [
            labels.requestedBy,
            waiting.requestedBy === null ? null : <ActorFact actor={waiting.requestedBy} />,
          ],
          [labels.createdAt, dateTime(waiting.createdAt)],
          [labels.waitsUntil, approvalExpiresAt === null ? null : dateTime(approvalExpiresAt)],
        ]}
      />
      {transactionId === null ? null : (
        <p>
          <a href={`/console/payments/${transactionId}`}>{labels.charge}</a>
        </p>
      )}
      {waiting.paymentId === null ? null : (
        <details>
          <summary>{shell.technical}</summary>
          {labels.payment}: <code>{waiting.paymentId}</code>
        </details>
      )}
      {isOwn ? <p>{labels.anotherDecides}</p> : null}
      {isOwn || !mayDecide ? null : (
        <>
          <ActionForm
            action={`${REFUNDS_PATH}/${id}/approve`}
            idempotencyKey={nextKey({}, 200)}
            submit={fill(labels.approve, { amount: shown })}
          />
          <ActionForm
            action={`${REFUNDS_PATH}/${id}/refuse`}
            idempotencyKey={nextKey({}, 200)}
            submit={labels.refuse}
            isDangerous
          >
            <Field label={labels.reason} name="reason" />
          </ActionForm>
        </>
      )}
    </Section>
  );
}

async function decide(c: ConsoleContext, decision: "approve" | "refuse"): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const form = await formOf(c);
  const { reason = "" } = form;
  const answer = await callRoute(c, refundDecisions[decision], {
    params: { id },
    json: reason === "" ? {} : { reason },
    ...keyOf(form),
  });
  if (answer.ok) return c.redirect(`${REFUNDS_PATH}?done=${decision}`, 303);
  return showWaiting(c, { status: answer.status, problem: answer.body });
}
