import type { Finding, Made } from "../../../../domain/scenarios/observed.ts";
import {
  summarized,
  type Passed,
  type Played,
  type PlayedStep,
} from "../../../../domain/scenarios/play.ts";
import { READY_NAMES, readyScenario } from "../../../../domain/scenarios/ready.ts";
import { wordsIn, type Scenario, type Step } from "../../../../domain/scenarios/scenario.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Badge, DoneNotice, List, Section } from "../../ui/parts.tsx";
import { whatRan } from "../clock/what-ran.ts";

export const SCENARIOS_PATH = "/console/scenarios";

/** The ready scenarios: what each teaches, and a button that plays it. */
export function ScenarioList() {
  const { language } = useLocale();
  const { scenarios: labels } = useTexts();
  const rows = READY_NAMES.flatMap((name) => {
    const scenario = readyScenario(name);
    return scenario === null ? [] : [{ name, scenario }];
  });
  return (
    <>
      <p>{labels.about}</p>
      <List
        caption={labels.caption}
        rows={rows}
        empty={null}
        columns={[
          { heading: labels.scenario, cell: ({ scenario }) => wordsIn(scenario.name, language) },
          {
            heading: labels.teaches,
            cell: ({ scenario }) => wordsIn(scenario.description, language),
          },
          {
            heading: labels.play,
            cell: ({ name, scenario }) => (
              <form method="post" action={SCENARIOS_PATH} data-once="">
                <input type="hidden" name="scenario" value={name} />
                <button
                  type="submit"
                  aria-label={`${labels.play}: ${wordsIn(scenario.name, language)}`}
                >
                  {labels.play}
                </button>
              </form>
            ),
          },
        ]}
      />
    </>
  );
}

/** A line of the table: what became due, what was done, or what was expected of it. */
type Line =
  | { kind: "passed"; first: Passed; count: number }
  | { kind: "step"; played: PlayedStep }
  | { kind: "finding"; finding: Finding };

/** What happened when a scenario was played, step by step, and whether it was as the scenario says. */
export function PlayedScenario({ scenario, played }: { scenario: Scenario; played: Played }) {
  const { language, dateTime } = useLocale();
  const { scenarios: labels } = useTexts();
  return (
    <>
      <Verdict holds={played.holds} />
      <Section title={wordsIn(scenario.name, language)}>
        <p>{wordsIn(scenario.description, language)}</p>
        <List
          caption={labels.happened}
          rows={played.steps.flatMap((each) => linesOf(each))}
          empty={null}
          columns={[
            { heading: labels.at, cell: (line) => timeOf(line, dateTime) },
            { heading: labels.what, cell: (line) => <What line={line} made={played.made} /> },
            { heading: labels.result, cell: (line) => <Result line={line} /> },
          ]}
        />
      </Section>
      <p>
        <a class="button" href={SCENARIOS_PATH}>
          {labels.all}
        </a>
      </p>
    </>
  );
}

/** A notice that something is not as it should be. */
export function NotGood({ text }: { text: string }) {
  return (
    <div class="notice bad" role="alert">
      <p>{text}</p>
    </div>
  );
}

function Verdict({ holds }: { holds: boolean }) {
  const { scenarios: labels } = useTexts();
  return holds ? (
    <DoneNotice>
      <p>{labels.holds}</p>
    </DoneNotice>
  ) : (
    <NotGood text={labels.fails} />
  );
}

function linesOf(played: PlayedStep): Line[] {
  return [
    ...summarized(played.passed).map(({ first, count }): Line => ({
      kind: "passed",
      first,
      count,
    })),
    { kind: "step", played },
    ...played.findings.map((finding): Line => ({ kind: "finding", finding })),
  ];
}

function timeOf(line: Line, dateTime: (iso: string) => string): string {
  if (line.kind === "finding") return "";
  return dateTime(line.kind === "passed" ? line.first.at : line.played.at);
}

function What({ line, made }: { line: Line; made: Record<string, Made> }) {
  const { scenarios: labels, clock } = useTexts();
  switch (line.kind) {
    case "passed":
      return (
        <>
          {whatRan(line.first.kind, clock)}{" "}
          {line.first.name === null ? null : <Name name={line.first.name} made={made} />}
          {line.count === 1 ? null : ` × ${line.count}`}
        </>
      );
    case "step": {
      const { step } = line.played;
      const name = nameIn(step);
      return (
        <>
          <strong>{labels.steps[step.do]}</strong>{" "}
          {step.do === "fault" ? labels.faults[step.kind] : null}
          {name === null ? null : <Name name={name} made={made} />}
        </>
      );
    }
    case "finding":
      return <Expected finding={line.finding} made={made} />;
  }
}

/** What was expected, and of what. */
function Expected({ finding, made }: { finding: Finding; made: Record<string, Made> }) {
  const { scenarios: labels } = useTexts();
  const { about, what } = finding;
  if (about === "balance") return <>{labels.balance[what as keyof typeof labels.balance]}</>;
  if (about === "refused") return <>{labels.refusal}</>;
  return (
    <>
      {about === "status" ? labels.status : labels.events} <Name name={what} made={made} />
    </>
  );
}

function Name({ name, made }: { name: string; made: Record<string, Made> }) {
  const known = made[name];
  if (known === undefined) return <code>{name}</code>;
  const list = known.kind === "charge" ? "payments" : "withdraws";
  return (
    <a href={`/console/${list}/${known.id}`}>
      <code>{name}</code>
    </a>
  );
}

function Result({ line }: { line: Line }) {
  const { scenarios: labels } = useTexts();
  const { money } = useLocale();
  if (line.kind === "passed") return null;
  if (line.kind === "step") {
    const { refused } = line.played;
    return refused === null ? null : <code>{refused}</code>;
  }
  const { about, expected, found, holds } = line.finding;
  const said = (text: string) => (about === "balance" ? money(Number(text)) : text || labels.none);
  return (
    <Badge tone={holds ? "good" : "bad"}>
      {holds ? said(found) : fill(labels.differs, { expected: said(expected), found: said(found) })}
    </Badge>
  );
}

function nameIn(step: Step): string | null {
  if ("as" in step) return step.as;
  return "of" in step ? step.of : null;
}
