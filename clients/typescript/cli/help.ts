import { COMMON_OPTIONS, type Command, type Option } from "./command.ts";

const NAME_WIDTH = 34;

const ENVIRONMENT = `Environment, before what login stored:
  CENTAVO_URL                        the service's URL (default: http://localhost:8787)
  CENTAVO_CLIENT_ID                  your application's client id
  CENTAVO_API_KEY                    its API key; both are optional for a service on this machine
  CENTAVO_WEBHOOK_SECRET             signs forwarded events (default: a secret that listen creates)`;

/** The help of all commands, or of those of a group such as `charges`. */
export function helpOf(commands: readonly Command[]): string {
  const lines = commands.map((command) => row(usageOf(command), command.summary));
  return `centavo: a payment gateway at the command line

${lines.join("\n")}

centavo COMMAND --help explains a command; --json prints JSON.

${ENVIRONMENT}`;
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const lines = options.map(([name, option]) => row(optionOf(name, option), option.help));
  return `centavo ${usageOf(command)}: ${command.summary}\n\n${lines.join("\n")}`;
}

/** How a command is called, such as `inspect ID`. */
export function usageOf({ name, argument, isArgumentOptional = false }: Command): string {
  if (argument === undefined) return name;
  return isArgumentOptional ? `${name} [${argument}]` : `${name} ${argument}`;
}

function optionOf(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(NAME_WIDTH)} ${text}`;
}
