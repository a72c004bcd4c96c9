/**
 * `centavo`: two commands that help a merchant's engineer to build against the API. Exits with 1 when the
 * command failed and with 2 when the command line or environment was wrong.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ApiClient } from "../lib/merchant.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { accountOf, forwardUrl, configuredSecret, typeFilter } from "./config.ts";
import { CliError } from "./failure.ts";
import { listen } from "./listen.ts";
import { lock } from "./lock.ts";
import { ListenState, makeFolderOf } from "./state.ts";
import { listTypes, trigger } from "./trigger.ts";

const STATE_FILE = ".centavo/listen.json";

const HELP = `centavo: receive and trigger Centavo's events on your own machine

  centavo listen --forward URL     forwards each event, signed, to a handler on your machine
      --types a,b                  forwards only these event types
      --from start|now             starts the first run here (default: now); later runs continue
                                   after the last forwarded event
      --state FILE                 stores position and secret here (default: ${STATE_FILE})

  centavo trigger TYPE             creates an event of this type (sandbox companies only)
  centavo trigger --list           lists the event types

Environment:
  CENTAVO_URL                      the service's URL (default: http://localhost:8787)
  CENTAVO_CLIENT_ID                your application's client id
  CENTAVO_API_KEY                  its API key; both are optional for a service on this machine
  CENTAVO_WEBHOOK_SECRET           signs forwarded events (default: a secret that listen creates)
`;

const printLine = (line: string) => console.log(line);

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

async function run(args: string[]): Promise<void> {
  const { values: options, positionals } = parsed(args);
  const [command, ...rest] = positionals;
  if (options.help === true || (command === undefined && args.length === 0)) {
    printLine(HELP);
    return;
  }
  if (command === "listen" && rest.length === 0) return runListen(options);
  if (command === "trigger" && options.list === true) return listTypes(printLine);
  const [type] = rest;
  if (command === "trigger" && type !== undefined && rest.length === 1) {
    return trigger(clientOf(accountOf(process.env)), type, printLine);
  }
  throw new CliError(
    "Use centavo listen --forward URL or centavo trigger TYPE (centavo --help).",
    2,
  );
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        forward: { type: "string" },
        types: { type: "string" },
        from: { type: "string" },
        state: { type: "string" },
        list: { type: "boolean" },
      },
    });
  } catch (error) {
    // The message of parseArgs names the unknown option or the missing value.
    throw new CliError(error instanceof Error ? error.message : String(error), 2);
  }
}

async function runListen(options: ReturnType<typeof parsed>["values"]): Promise<void> {
  const forward = forwardUrl(options.forward);
  const types = typeFilter(options.types);
  const from = options.from ?? "now";
  if (from !== "start" && from !== "now") throw new CliError("--from must be start or now.", 2);
  const account = accountOf(process.env);
  const secret = configuredSecret(process.env);
  const file = resolve(options.state ?? STATE_FILE);
  makeFolderOf(file);
  const unlock = lock(`${file}.lock`);
  try {
    const state = new ListenState(file);
    await listen({
      client: clientOf(account),
      state,
      key: `${account.url} ${account.clientId}`,
      forward,
      secret: secret ?? secretOf(state),
      types,
      from,
      stop: stopSignal(),
      log: printLine,
    });
  } finally {
    unlock();
  }
}

/** The secret of the state file. It is printed only when it is created. */
function secretOf(state: ListenState): string {
  const { secret, fresh } = state.secret();
  printLine(
    fresh
      ? `Verify signatures with this secret, stored in ${state.file}: ${secret}`
      : `listen signs with the secret in ${state.file}.`,
  );
  return secret;
}

function clientOf(account: ReturnType<typeof accountOf>): ApiClient {
  return new ApiClient(account.url, account);
}
