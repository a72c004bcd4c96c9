import { getRequest, listRequests } from "../../../../api/requests/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { ProblemNotice, Section } from "../../ui/parts.tsx";
import { pageStatus, refusalPage } from "../answers.tsx";
import { NewestSteps, Timeline, TraceForm } from "./pages.tsx";

const PATH = "/console/requests";

/** What requests did, by the trace ids that their answers carry. */
export function requestsScreen(app: ConsoleApp): void {
  app.get("/requests", requireMember, requirePermission("keys:write"), (c) => {
    const traceId = c.req.query("traceId")?.trim() ?? "";
    return traceId === "" ? showNewest(c) : showTrace(c, traceId);
  });
}

async function showNewest(c: ConsoleContext) {
  const texts = textsOf(c);
  const answer = await callRoute(c, listRequests, { query: { limit: 50 } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(
    c,
    headOf(c),
    <>
      <TraceForm traceId="" errors={[]} />
      <Section title={texts.requests.newest}>
        <NewestSteps steps={answer.body.items} />
      </Section>
    </>,
  );
}

async function showTrace(c: ConsoleContext, traceId: string) {
  const texts = textsOf(c);
  const query = { to: c.req.query("to") };
  const answer = await callRoute(c, getRequest, { params: { traceId }, query });
  const { errors = {} } = answer.ok ? {} : answer.body;
  return page(
    c,
    { ...headOf(c), status: pageStatus(answer) },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} />}
      <TraceForm traceId={traceId} errors={errors["traceId"] ?? []} />
      {answer.ok ? (
        <Section title={texts.requests.timeline}>
          <Timeline
            traceId={answer.body.data.traceId}
            steps={answer.body.data.items}
            searchedFrom={answer.body.data.searchedFrom}
          />
        </Section>
      ) : null}
    </>,
  );
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).requests.title, active: PATH };
}
