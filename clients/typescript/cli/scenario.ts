import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TIME_ZONE } from "../../../src/domain/shared/business-day.ts";
import type { Finding } from "../../../src/domain/scenarios/observed.ts";
import {
  playScenario,
  summarized,
  type Played,
  type PlayedStep,
} from "../../../src/domain/scenarios/play.ts";
import { READY_NAMES, readyScenario } from "../../../src/domain/scenarios/ready.ts";
import { parseScenario, wordsIn, type Scenario } from "../../../src/domain/scenarios/scenario.ts";
import { ScenarioRefused, type ScenarioService } from "../../../src/domain/scenarios/service.ts";
import { stopSignal } from "../../../tools/lib/stop-signal.ts";
import { ConnectionError } from "../src/index.ts";
import type { Account } from "./account.ts";
import type { Command } from "./command.ts";
import { CliError, withDiskErrors } from "./failure.ts";

/** Longer than the service takes to write an event down. */
const PAUSE_MS = 300;
const TIMEOUT_MS = 60_000;
/** `YYYY-MM-DD HH:MM:SS`, as Sweden writes it. */
const TIMES = new Intl.DateTimeFormat("sv-SE", {
  timeZone: TIME_ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});

const runScenarioCommand: Command = {
  name: "scenario run",
  summary: "plays a file of steps, or a ready scenario, by the clock (sandbox companies only)",
  argument: "FILE",
  choices: READY_NAMES,
  run: async ({ argument, account, output }) => {
    const scenario = readyScenario(argument) ?? scenarioIn(argument);
    const stop = stopSignal();
    output.say(wordsIn(scenario.name, "en"), { scenario: argument });
    const played = await playOn(account, scenario, stop);
    for (const step of played.steps) output.say(textOf(step), step);
    if (!played.holds) throw new CliError("Not all went as the scenario says.");
    output.say("All went as the scenario says.", { holds: true });
  },
};

const listCommand: Command = {
  name: "scenario list",
  summary: "lists the ready scenarios",
  run: ({ output }) => {
    for (const name of READY_NAMES) {
      const scenario = readyScenario(name);
      if (scenario === null) continue;
      const description = wordsIn(scenario.description, "en");
      output.say(`${name.padEnd(28)} ${description}`, { name, description });
    }
  },
};

/** What merchants fear, played by the company's clock. */
export const SCENARIO_COMMANDS: readonly Command[] = [runScenarioCommand, listCommand];

/** The scenario in a file. Throws `CliError` for a file that is none, with a line for each fault. */
function scenarioIn(file: string): Scenario {
  const text = withDiskErrors(file, () => readFileSync(file, "utf8"));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CliError(`${file} is no JSON: ${error instanceof Error ? error.message : ""}`, 2);
  }
  const { scenario, faults } = parseScenario(value);
  if (scenario === null) throw new CliError(`${file}: ${faults.join("; ")}`, 2);
  return scenario;
}

async function playOn(account: Account, scenario: Scenario, stop: AbortSignal): Promise<Played> {
  try {
    return await playScenario(serviceOf(account, stop), scenario, `scenario_${randomUUID()}`);
  } catch (error) {
    if (error === stop.reason) throw new CliError("Stopped. The company's terms are as before.");
    if (!(error instanceof ScenarioRefused)) throw error;
    throw new CliError(`The service refuses to play it: ${error.message}`);
  }
}

function serviceOf({ url, clientId, apiKey }: Account, stop: AbortSignal): ScenarioService {
  return {
    stop,
    send: async ({ method, path, body, idempotencyKey }) => {
      const request: RequestInit = {
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          "X-Client-Id": clientId,
          "X-API-Key": apiKey,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const key = idempotencyKey ?? null;
      try {
        const response = await fetch(url + path, request);
        return { status: response.status, body: await response.json() };
      } catch (error) {
        throw new ConnectionError(`No answer of ${url}.`, key, error);
      }
    },
    pause: () => sleep(PAUSE_MS),
  };
}

/** What passed on the way to a step, the step, and what it expected. */
function textOf({ at, step, passed, refused, detail, findings }: PlayedStep): string {
  const about = "as" in step ? ` ${step.as}` : "of" in step ? ` ${step.of}` : "";
  const refusal = refused === null ? "" : `: ${refused} ${detail ?? ""}`;
  return [
    ...summarized(passed).map(({ first: { at: when, kind, name }, count }) =>
      row(when, `  ${kind.replaceAll("_", " ")} ${name ?? ""}${count === 1 ? "" : ` x ${count}`}`),
    ),
    row(at, `${step.do}${about}${refusal}`),
    ...findings.map((each) => row("", `  ${findingText(each)}`)),
  ].join("\n");
}

function findingText({ about, what, expected, found, holds }: Finding): string {
  const name = about === "events" ? `events of ${what}` : what;
  return holds ? `ok   ${name}: ${found}` : `NOT  ${name}: expected ${expected}, found ${found}`;
}

function row(at: string, text: string): string {
  const time = at === "" ? "" : TIMES.format(Date.parse(at));
  return `${time.padEnd(20)} ${text}`.trimEnd();
}
