/** Where alarms go: given to a deploy by variables, and tried out at its end. */
import type { ApiClient } from "../merchant.ts";
import type { EnvironmentConfig } from "./environment.ts";
import type { DeployedBinding } from "./platform.ts";

/** One of them is enough. */
const TARGETS = ["ALARM_WEBHOOK_URL", "ALARM_SLACK_URL", "ALARM_EMAIL"];
const VARIABLES = [...TARGETS, "ALARM_WEBHOOK_SECRET"];

interface TestedTargets {
  targets: { name: string; sent: boolean; error: string | null }[];
  incomplete: string[];
}

/**
 * The variables about alarms that this run was given, which the Worker gets as secrets. Throws where nobody would hear of an
 * alarm, and nobody said that this is meant; a build only says so.
 */
export function alarmSecrets(
  { config, deployed }: { config: EnvironmentConfig; deployed: DeployedBinding[] | null },
  noAlarms: boolean,
  { env, print }: { env: NodeJS.ProcessEnv; print: (text: string) => void },
): Record<string, string> {
  const given = Object.fromEntries(
    VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const isSet = (name: string) =>
    Object.hasOwn(given, name) ||
    Object.hasOwn(config.vars, name) ||
    deployed?.some((binding) => binding.name === name) === true;
  if (noAlarms || TARGETS.some(isSet)) return given;
  const why =
    "Nobody would hear of an alarm. Give ALARM_SLACK_URL, or ALARM_WEBHOOK_URL and ALARM_WEBHOOK_SECRET, or ALARM_EMAIL " +
    "(docs/operating.md#alarms): ALARM_SLACK_URL=https://... npm run deploy";
  if (env["CI"] === undefined) throw new Error(`${why}, or say --no-alarms.`);
  print(why);
  return given;
}

/** Has the service send a message to each target, and says what became of it. */
export async function testAlarms(operator: ApiClient): Promise<string> {
  const { status, body } = await operator.call("POST", "/api/v1/operator/alarms/test");
  if (status !== 200) return `The alarms were not tried out: ${status} ${body?.detail ?? ""}`;
  const { targets, incomplete } = body.data as TestedTargets;
  const lines = targets.map(({ name, sent, error }) =>
    sent ? `Test alarm: sent by ${name}.` : `Test alarm: NOT sent by ${name}: ${error}.`,
  );
  if (targets.length === 0) lines.push("No alarm goes anywhere (docs/operating.md#alarms).");
  return [...lines, ...incomplete].join("\n");
}
