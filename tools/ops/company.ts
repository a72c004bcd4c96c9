/**
 * `npm run company -- <command>`: creates and changes companies over HTTP.
 *
 *   create --name "Loja" --mode live [--document D] [--pix-key K [--pix-key-type T]] [--database DB_2]
 *          [--scopes S,S]    the scopes of its first key (docs/api.md); without it all but keys:write, withdraws:approve
 *   list
 *   show 3
 *   rename 3 --name "Loja Nova"
 *   set 3 [--mode live] [--document D] [--pix-key K [--pix-key-type T]]    ("none" removes; another operator approves
 *          another PIX key, which needs --reason)
 *   close 3 --reason "..."
 *   reopen 3 --reason "..."
 *
 * Each takes `--url https://...` or `--env production`, and `--reason` for the audit trail. `create` prints the
 * credentials once; `--idempotency-key` repeats one whose answer was lost. docs/deploy.md says how an operator
 * signs in. Exits with 2 when the service refuses, or for a wrong option.
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import {
  fail,
  itemsOf,
  operatorApi,
  requestOrFail,
  SERVICE_OPTIONS,
} from "../lib/operator-client.ts";

const USAGE = "usage: npm run company -- create | list | show | rename | set | close | reopen";
/** The word that removes a key or document. */
const NONE = "none";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...SERVICE_OPTIONS,
    name: { type: "string" },
    mode: { type: "string" },
    document: { type: "string" },
    "pix-key": { type: "string" },
    "pix-key-type": { type: "string" },
    database: { type: "string" },
    scopes: { type: "string" },
    reason: { type: "string" },
    "idempotency-key": { type: "string" },
  },
});

const [command, id] = positionals;
const api = operatorApi(options);
const COMMANDS: Record<string, () => Promise<void>> = {
  create,
  list,
  show: async () => print((await requestOrFail(api, "GET", companyPath())).body.data),
  rename: () => patch({ name: options.name ?? fail("--name is required.") }),
  set: () => patch({ mode: options.mode, ...account() }),
  close: () => post("close"),
  reopen: () => post("reopen"),
};
await (COMMANDS[command ?? ""] ?? (() => fail(USAGE)))();

async function create(): Promise<void> {
  const { name = fail("--name is required."), mode = "sandbox", database, reason } = options;
  const key = options["idempotency-key"] ?? randomUUID();
  console.error(`Idempotency key ${key}: if there is no answer, repeat with --idempotency-key.`);
  const scopes = options.scopes?.split(",").map((scope) => scope.trim());
  const body = { name, mode, database, reason, scopes, ...account() };
  const headers = { "Idempotency-Key": key };
  const { data } = (await requestOrFail(api, "POST", "/companies", body, headers)).body;
  if (data.key === null) {
    console.log(
      `Company ${data.id} "${data.name}" was created before. Issue another key for it. What that one sends out waits for approval for 24 hours, or the company's longer cool-down.`,
    );
    return;
  }
  console.log(`Created company ${data.id} "${data.name}". Store these credentials; they are shown only once:

  X-Client-Id       ${data.application.clientId}
  X-API-Key         ${data.key}
  webhook secret    ${data.webhookSecret}
`);
}

async function list(): Promise<void> {
  for await (const company of itemsOf(api, "/companies")) {
    const closed = company.closedAt === null ? "" : `  closed ${company.closedAt}`;
    console.log(
      `${String(company.id).padStart(6)}  ${company.mode.padEnd(8)} ${company.name}${closed}`,
    );
  }
}

async function patch(change: object): Promise<void> {
  const body = { ...change, reason: options.reason };
  const { status, body: answer } = await requestOrFail(api, "PATCH", companyPath(), body);
  if (status !== 202) return print(answer.data);
  const { id: proposal, expiresAt } = answer.data;
  console.log(
    `The main PIX key changes once another operator approves proposal ${proposal} until ${expiresAt}.`,
  );
}

async function post(verb: string): Promise<void> {
  const body = { reason: options.reason ?? fail("--reason is required.") };
  print((await requestOrFail(api, "POST", `${companyPath()}/${verb}`, body)).body.data);
}

/** The bank account's fields that were given. */
function account() {
  return {
    document: orNull(options.document),
    pixKey: orNull(options["pix-key"]),
    pixKeyType: options["pix-key-type"],
  };
}

/** Null for the word that removes. */
function orNull(text: string | undefined): string | null | undefined {
  return text === NONE ? null : text;
}

function companyPath(): string {
  if (id === undefined || !/^[1-9]\d{0,7}$/.test(id)) fail("Give the number of the company.");
  return `/companies/${id}`;
}

function print(data: object): void {
  for (const [name, value] of Object.entries(data)) {
    console.log(`  ${name.padEnd(18)} ${String(value ?? "-")}`);
  }
}
