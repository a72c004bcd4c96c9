import { parseArgs } from "node:util";
import { Centavo, type CentavoOptions } from "../src/index.ts";
import { accountOf, type Account, type Environment } from "./account.ts";
import { storedAccount } from "./credentials.ts";
import { CliError } from "./failure.ts";
import type { Output } from "./output.ts";

/** An option of a command. */
export interface Option {
  help: string;
  /** What the value is, such as `URL`; left out for an option without a value. */
  value?: string;
  /** The values that there are. */
  choices?: readonly string[];
}

/** A command of the CLI: what it is called with, and what it does. */
export interface Command {
  /** One word, or two such as `charges create`. */
  name: string;
  /** Ends the sentence "the command ...". */
  summary: string;
  /** The name of its one argument, such as `ID`; left out for none. */
  argument?: string;
  isArgumentOptional?: boolean;
  /** The values that the argument has, for completion. */
  choices?: readonly string[];
  options?: Record<string, Option>;
  run: (call: Call) => Promise<void> | void;
}

/** Options of every command. */
export const COMMON_OPTIONS: Record<string, Option> = {
  json: { help: "prints JSON, one document a line" },
  help: { help: "explains the command" },
};

type Values = Record<string, string | boolean | undefined>;

/** A call of a command: its argument and options, and the service that it works with. */
export class Call {
  /** Empty without one. */
  readonly argument: string;
  readonly output: Output;
  readonly environment: Environment;
  readonly #values: Values;
  #account: Account | null = null;

  constructor(argument: string, values: Values, output: Output, environment: Environment) {
    this.argument = argument;
    this.output = output;
    this.environment = environment;
    this.#values = values;
  }

  /** An option's value; undefined where it was not given. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Whether an option without a value was given. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** One of an option's values; `fallback` where it was not given. Throws `CliError` for any other. */
  choice<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const given = this.text(name) ?? fallback;
    const found = values.find((value) => value === given);
    if (found === undefined)
      throw new CliError(`--${name} must be ${values.join(" or ")}, not "${given}".`, 2);
    return found;
  }

  /** The service and credentials. Throws `CliError` where they are not known. */
  get account(): Account {
    this.#account ??= accountOf(this.environment, storedAccount(this.environment));
    return this.#account;
  }

  /** A client of the service. */
  centavo(options: Pick<CentavoOptions, "retries"> = { retries: 1 }): Centavo {
    const { url, ...credentials } = this.account;
    return new Centavo({ baseUrl: url, ...credentials, ...options });
  }
}

/** The argument and options in `args`. Throws `CliError` for what the command does not take. */
export function parsed({ options = {} }: Command, args: string[]) {
  const known = Object.entries({ ...COMMON_OPTIONS, ...options });
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(
        known.map(([name, { value }]) => [
          name,
          {
            type: value === undefined ? ("boolean" as const) : ("string" as const),
            ...(name === "help" ? { short: "h" } : {}),
          },
        ]),
      ),
    });
  } catch (error) {
    // The message of parseArgs names the unknown option or the missing value.
    throw new CliError(error instanceof Error ? error.message : String(error), 2);
  }
}
