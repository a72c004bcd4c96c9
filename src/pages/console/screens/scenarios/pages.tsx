import type { Finding, Made } from "../../../../domain/scenarios/observed.ts";
import {
  summarized,
  type Passed,
  type Played,
  type PlayedStep,
} from "../../../../domain/scenarios/play.ts";
import { READY_NAMES, readyScenario } from "../../../../domain/scenarios/ready.ts";
import { wordsIn, type Scenario, type Step } from "../../../../domain/scenarios/scenario.ts";
import { fill, useLocale, useTexts, type Texts } from "../../texts.ts";
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

/** A line of the table: what became due on the way, or a step and what was expected of it. */
type Line = { kind: "passed"; first: Passed; count: number } | { kind: "step"; played: PlayedStep };

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
            {
              heading: labels.at,
              cell: (line) => dateTime(line.kind === "passed" ? line.first.at : line.played.at),
            },
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
  ];
}

function What({ line, made }: { line: Line; made: Record<string, Made> }) {
  const { scenarios: labels, clock } = useTexts();
  if (line.kind === "passed") {
    const { first, count } = line;
    return (
      <span>
        {whatRan(first.kind, clock)}{" "}
        {first.name === null ? null : <Name name={first.name} made={made} />}
        {count === 1 ? null : ` × ${count}`}
      </span>
    );
  }
  const { step } = line.played;
  const name = nameIn(step);
  return (
    <span>
      <strong>{labels.steps[step.do]}</strong>{" "}
      {step.do === "fault" ? labels.faults[step.kind] : null}
      {name === null ? null : <Name name={name} made={made} />}
    </span>
  );
}

/** What a step found of what it expected; of one that was refused against that, why. */
function Result({ line }: { line: Line }) {
  const { scenarios: labels } = useTexts();
  if (line.kind === "passed") return null;
  const { refused, detail, findings, step } = line.played;
  const isAgainst = refused !== null && refused !== step.expect?.refused;
  if (findings.length === 0 && !isAgainst) return null;
  return (
    <div>
      {isAgainst ? (
        <div>
          <Badge tone="bad">{labels.wrong}</Badge> {refused}: {detail}
        </div>
      ) : null}
      {findings.map((finding) => (
        <FindingLine finding={finding} />
      ))}
    </div>
  );
}

function FindingLine({ finding }: { finding: Finding }) {
  const { scenarios: labels } = useTexts();
  const { money } = useLocale();
  const { about, what, expected, found, holds } = finding;
  const said = (text: string) => (about === "balance" ? money(Number(text)) : text || labels.none);
  return (
    <div>
      <Badge tone={holds ? "good" : "bad"}>{holds ? labels.right : labels.wrong}</Badge>{" "}
      {aboutOf(about, what, labels)}:{" "}
      {holds ? said(found) : fill(labels.differs, { expected: said(expected), found: said(found) })}
    </div>
  );
}

/** What a finding is about, in words. */
function aboutOf(about: Finding["about"], what: string, labels: Texts["scenarios"]): string {
  const balance: Record<string, string> = labels.balance;
  switch (about) {
    case "balance":
      return balance[what] ?? what;
    case "refused":
      return labels.refusal;
    case "status":
      return fill(labels.status, { name: what });
    case "events":
      return fill(labels.events, { name: what });
  }
}

const LISTS = { charge: "payments", withdraw: "withdraws", subscription: "subscriptions" };

function Name({ name, made }: { name: string; made: Record<string, Made> }) {
  const known = made[name];
  if (known === undefined) return <code>{name}</code>;
  return (
    <a href={`/console/${LISTS[known.kind]}/${known.id}`}>
      <code>{name}</code>
    </a>
  );
}

function nameIn(step: Step): string | null {
  if ("as" in step) return step.as;
  return "of" in step ? step.of : null;
}
