import type { getSandboxClock, moveSandboxClock } from "../../../../api/sandbox/clock/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Choice, DoneNotice, Facts, Field, List, Section } from "../../ui/parts.tsx";
import { pathOfRan, whatRan } from "./what-ran.ts";

export const CLOCK_PATH = "/console/clock";

type Clock = RouteBody<typeof getSandboxClock>["data"];
type Moved = RouteBody<typeof moveSandboxClock>["data"];

/** What a person asked of the clock: a duration, or a day. */
export interface TypedMove {
  advance: string;
  set: string;
}

/** The company's time, and the forms that move it. */
export function ClockForms(props: {
  clock: Clock | null;
  typed: TypedMove;
  problem: ApiProblem | null;
}) {
  const { clock, typed, problem } = props;
  const { dateTime } = useLocale();
  const { clock: labels } = useTexts();
  const { advance, set } = problem?.errors ?? {};
  return (
    <>
      <p>{labels.about}</p>
      {clock === null ? null : (
        <Facts
          of={[
            [labels.now, dateTime(clock.now)],
            [labels.until, clock.until === null ? null : dateTime(clock.until)],
          ]}
        />
      )}
      <Section title={labels.advance}>
        <form class="action" method="post" action={CLOCK_PATH} data-once="">
          <Choice
            label={labels.by}
            name="advance"
            value={typed.advance}
            options={Object.entries(labels.durations)}
            errors={advance}
          />
          <button type="submit" class="primary">
            {labels.advance}
          </button>
        </form>
      </Section>
      <Section title={labels.go}>
        <form class="action" method="post" action={CLOCK_PATH} data-once="">
          <Field
            label={labels.day}
            name="set"
            type="date"
            value={typed.set}
            hint={labels.dayHint}
            errors={set}
            required
          />
          <button type="submit">{labels.go}</button>
        </form>
      </Section>
    </>
  );
}

/** Where the clock is after a move, and what became due on the way; a way on where there is more. */
export function WhatRan({ moved: { now, until, ran, hasMore } }: { moved: Moved }) {
  const { dateTime } = useLocale();
  const { clock: labels } = useTexts();
  return (
    <>
      <DoneNotice>
        <p>{fill(labels.moved, { now: dateTime(now) })}</p>
        {hasMore ? (
          <form method="post" action={CLOCK_PATH} data-once="">
            <input type="hidden" name="set" value={now} />
            <p>{fill(labels.hasMore, { until: dateTime(until) })}</p>
            <button type="submit">{labels.goOn}</button>
          </form>
        ) : null}
      </DoneNotice>
      <Section title={labels.ran}>
        <List
          caption={labels.ran}
          rows={ran}
          empty={<p>{labels.nothing}</p>}
          columns={[
            { heading: labels.at, cell: ({ at }) => dateTime(at) },
            { heading: labels.what, cell: ({ kind }) => whatRan(kind, labels) },
            { heading: labels.id, cell: (item) => <OfWhat item={item} /> },
          ]}
        />
      </Section>
    </>
  );
}

function OfWhat({ item }: { item: Moved["ran"][number] }) {
  const path = pathOfRan(item);
  const id = <code>{item.id}</code>;
  return path === null ? id : <a href={path}>{id}</a>;
}
