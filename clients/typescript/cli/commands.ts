import { CHARGE_COMMANDS } from "./charges.ts";
import { CLOCK_COMMANDS } from "./clock.ts";
import type { Command } from "./command.ts";
import { completionScript, SHELLS } from "./completion.ts";
import { CliError } from "./failure.ts";
import { inspectCommand } from "./inspect.ts";
import { listenCommand } from "./listen-command.ts";
import { loginCommand, logoutCommand } from "./login.ts";
import { SCENARIO_COMMANDS } from "./scenario.ts";
import { tailCommand } from "./tail.ts";
import { triggerCommand } from "./trigger.ts";

const completionCommand: Command = {
  name: "completion",
  summary: "prints what completes commands in your shell",
  argument: "SHELL",
  choices: SHELLS,
  run: ({ argument, output }) => {
    const shell = SHELLS.find((each) => each === argument);
    if (shell === undefined)
      throw new CliError(`completion knows ${SHELLS.join(", ")}, not "${argument}".`, 2);
    const script = completionScript(shell, COMMANDS);
    output.say(script, { shell, script });
  },
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  loginCommand,
  logoutCommand,
  ...CHARGE_COMMANDS,
  ...CLOCK_COMMANDS,
  ...SCENARIO_COMMANDS,
  inspectCommand,
  tailCommand,
  listenCommand,
  triggerCommand,
  completionCommand,
];
