/**
 * `centavo`: what a merchant's engineer needs beside the API while building, in two commands. Exits
 * with 1 where it could not be done and with 2 where the command itself was wrong.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ApiClient } from "../lib/merchant.ts";
import { accountOf, forwardUrl, configuredSecret, typeFilter } from "./config.ts";
import { CliError } from "./failure.ts";
import { listen } from "./listen.ts";
import { lock } from "./lock.ts";
import { ListenState, makeFolderOf } from "./state.ts";
import { listTypes, trigger } from "./trigger.ts";

const STATE_FILE = ".centavo/listen.json";
const PARENT_POLL_MS = 500;

const HELP = `centavo: Centavo's events on your own machine

  centavo listen --forward URL     forwards each event, signed, to a handler on your machine
      --types a,b                  only these types
      --from start|now             where the first run begins (default: now); later runs go on
                                   where the last one ended
      --state FILE                 remembers place and secret (default: ${STATE_FILE})

  centavo trigger TYPE             makes such an event happen (sandbox companies only)
  centavo trigger --list           names the types

Environment:
  CENTAVO_URL                      the service (default: http://localhost:8787)
  CENTAVO_CLIENT_ID                your application, and
  CENTAVO_API_KEY                  its key; both may be left out for a service on this machine
  CENTAVO_WEBHOOK_SECRET           signs what is forwarded (default: one that listen makes)
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
    // parseArgs says in one sentence which option it does not know or what it lacks.
    throw new CliError(error instanceof Error ? error.message : String(error), 2);
  }
}

async function runListen(options: ReturnType<typeof parsed>["values"]): Promise<void> {
  const forward = forwardUrl(options.forward);
  const types = typeFilter(options.types);
  const from = options.from ?? "now";
  if (from !== "start" && from !== "now") throw new CliError("--from must be start or now.", 2);
  const account = accountOf(process.env);
  const given = configuredSecret(process.env);
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
      secret: given ?? secretOf(state),
      types,
      from,
      stop: stopSignal(),
      log: printLine,
    });
  } finally {
    unlock();
  }
}

/** The state's own secret, shown when it is made and never again. */
function secretOf(state: ListenState): string {
  const { secret, fresh } = state.secret();
  printLine(
    fresh
      ? `Verify signatures with this secret, stored in ${state.file}: ${secret}`
      : `Signatures use the secret in ${state.file}.`,
  );
  return secret;
}

/** Ends the listener in an orderly way: by a signal, or when whoever started us is no more. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  process.once("disconnect", () => stop.abort());
  process.channel?.unref();
  if (process.env["npm_command"] === "exec") stopWithParent(stop);
  return stop.signal;
}

/** npx passes a signal on to its shell alone: without this the listener would be left behind. */
function stopWithParent(stop: AbortController): void {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) stop.abort();
  };
  setInterval(look, PARENT_POLL_MS).unref();
}

function clientOf(account: ReturnType<typeof accountOf>): ApiClient {
  return new ApiClient(account.url, account);
}
