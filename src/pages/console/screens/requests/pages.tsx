import type { listRequests } from "../../../../api/requests/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Badge, Field, List } from "../../ui/parts.tsx";

const PATH = "/console/requests";

type Step = RouteBody<typeof listRequests>["items"][number];

/** Asks for a trace id. */
export function TraceForm(props: { traceId: string; errors: string[] }) {
  const labels = useTexts().requests;
  return (
    <form class="filters" action={PATH}>
      <Field
        label={labels.traceId}
        name="traceId"
        value={props.traceId}
        hint={labels.traceHint}
        errors={props.errors}
        autocomplete="off"
      />
      <button type="submit">{labels.find}</button>
    </form>
  );
}

/** What one request did, oldest first; and the way further back, where more may be there. */
export function Timeline(props: { traceId: string; steps: Step[]; searchedFrom: string | null }) {
  const { dateTime } = useLocale();
  const { traceId, steps, searchedFrom } = props;
  const labels = useTexts().requests;
  const further = new URLSearchParams({ traceId, to: searchedFrom ?? "" }).toString();
  return (
    <>
      <StepList
        steps={steps}
        caption={labels.timeline}
        empty={searchedFrom === null ? labels.nothing : labels.nothingHere}
        hasTrace={false}
      />
      {searchedFrom === null ? null : (
        <p>
          {fill(labels.searchedFrom, { at: dateTime(searchedFrom) })}{" "}
          <a class="button" href={`${PATH}?${further}`}>
            {labels.further}
          </a>
        </p>
      )}
    </>
  );
}

/** The last changes, newest first, each with the way to its request. */
export function NewestSteps({ steps }: { steps: Step[] }) {
  const labels = useTexts().requests;
  return <StepList steps={steps} caption={labels.newest} empty={labels.none} hasTrace />;
}

function StepList(props: { steps: Step[]; caption: string; empty: string; hasTrace: boolean }) {
  const { dateTime } = useLocale();
  const { steps, caption, empty, hasTrace } = props;
  const labels = useTexts().requests;
  const trace = {
    heading: labels.traceId,
    cell: ({ traceId }: Step) => <TraceLink traceId={traceId} />,
  };
  return (
    <List
      caption={caption}
      rows={steps}
      empty={<p>{empty}</p>}
      columns={[
        { heading: labels.at, cell: ({ at }) => dateTime(at) },
        { heading: labels.action, cell: ({ action }) => <code>{action}</code> },
        { heading: labels.target, cell: ({ target }) => <Target target={target} /> },
        { heading: labels.actor, cell: ({ actor }) => actor?.name ?? "–" },
        {
          heading: labels.refusal,
          cell: ({ code }) => (code === null ? "–" : <Badge tone="bad">{code}</Badge>),
        },
        ...(hasTrace ? [trace] : []),
      ]}
    />
  );
}

function TraceLink({ traceId }: Pick<Step, "traceId">) {
  if (traceId === null) return <>–</>;
  return (
    <a href={`${PATH}?traceId=${traceId}`}>
      <code>{traceId}</code>
    </a>
  );
}

/** The thing, with the way to its page where it has one. */
function Target({ target }: Pick<Step, "target">) {
  const [kind = "", id = ""] = target.split(":");
  const path = { transaction: "payments", withdraw: "withdraws", dispute: "disputes" }[kind];
  if (path === undefined) return <code>{target}</code>;
  return (
    <a href={`/console/${path}/${encodeURIComponent(id)}`}>
      <code>{target}</code>
    </a>
  );
}
