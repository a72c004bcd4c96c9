/**
 * `centavo`: what a merchant's engineer does at the command line. Exits with 1 when the command failed and with 2 when
 * the command line or environment was wrong.
 */
import manifest from "../package.json" with { type: "json" };
import { Call, parsed, type Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { CliError, explained } from "./failure.ts";
import { commandHelp, helpOf, usageOf } from "./help.ts";
import { Output, printable } from "./output.ts";

const printLine = (line: string) => console.log(line);

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  console.error(printable(error.message));
  process.exitCode = error.exitCode;
}

async function run(args: string[]): Promise<void> {
  const [first = "--help", second = ""] = args;
  if (["--help", "-h", "help"].includes(first)) return printLine(helpOf(COMMANDS));
  if (first === "--version") return printLine(manifest.version);
  const command = COMMANDS.find(({ name }) => name === `${first} ${second}` || name === first);
  if (command !== undefined) return runCommand(command, args.slice(command.name.split(" ").length));
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && ["", "--help", "-h"].includes(second)) return printLine(helpOf(group));
  const named = group.length > 0 ? `${first} ${second}` : first;
  throw new CliError(`"${named}" is no command; centavo --help lists them.`, 2);
}

async function runCommand(command: Command, args: string[]): Promise<void> {
  const { values, positionals } = parsed(command, args);
  if (values["help"] === true) return printLine(commandHelp(command));
  const [argument = "", ...others] = positionals;
  const isMissing =
    argument === "" && command.argument !== undefined && !command.isArgumentOptional;
  const isTooMuch = others.length > 0 || (argument !== "" && command.argument === undefined);
  if (isMissing || isTooMuch)
    throw new CliError(`Use centavo ${usageOf(command)} (centavo ${command.name} --help).`, 2);
  const call = new Call(
    argument,
    values,
    new Output(values["json"] === true, printLine),
    process.env,
  );
  try {
    await command.run(call);
  } catch (error) {
    throw error instanceof CliError ? error : explained(error, call.account.url);
  }
}
