/**
 * `npm run operator -- <command>`: the people who operate the gateway, over HTTP.
 *
 *   first --name "Ana Souza"                   makes the first admin; BOOTSTRAP_KEY is the environment's secret
 *   list
 *   add --name "Rui Lima" --role finance
 *   set <id> [--name ...] [--role ...]
 *   link <id>                                  a new set-up link for the console; the earlier one ends
 *   remove <id>
 *   keys <id>
 *   key <id> [--overlap-hours 24] [--expires-at 2027-01-01]
 *   revoke <id> <key number>
 *
 * Each takes `--url https://...` or `--env production`. Keys and links are printed once. docs/deploy.md says how an
 * operator signs in. Exits with 2 when the service refuses, or for a wrong option.
 */
import { parseArgs } from "node:util";
import { addOperator, printSignInLink, setupApi } from "../lib/add-operator.ts";
import {
  fail,
  itemsOf,
  operatorApi,
  requestOrFail,
  SERVICE_OPTIONS,
  serviceUrl,
} from "../lib/operator-client.ts";

const USAGE =
  "usage: npm run operator -- first | list | add | set | link | remove | keys | key | revoke";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...SERVICE_OPTIONS,
    name: { type: "string" },
    role: { type: "string" },
    reason: { type: "string" },
    "overlap-hours": { type: "string" },
    "expires-at": { type: "string" },
  },
});

const [command = "", id = "", keyId = ""] = positionals;
const { name, role, reason } = options;
const COMMANDS: Record<string, () => Promise<void>> = {
  first: () => addOperator(setupApi(serviceUrl(options), bootstrapKey()), chosen("admin")),
  list,
  add: () => addOperator(operatorApi(options), chosen(role ?? fail("--role is required."))),
  set: () => change("PATCH", { name, role, reason }),
  link: () => printSignInLink(operatorApi(options), requireId()),
  remove: () => change("DELETE"),
  keys,
  key: issueKey,
  revoke: async () => printKey((await request("DELETE", `${keysPath()}/${keyId}`)).data),
};
await (COMMANDS[command] ?? (() => fail(USAGE)))();

function chosen(chosenRole: string) {
  return { name: name ?? fail("--name is required."), role: chosenRole, reason };
}

async function list(): Promise<void> {
  for await (const person of itemsOf(operatorApi(options), "/people")) {
    const { id: clientId, role: held, name: called, email } = person;
    console.log(`${clientId}  ${held.padEnd(8)} ${called}${email === null ? "" : `  ${email}`}`);
  }
}

async function change(method: string, body?: object): Promise<void> {
  const { data } = await request(method, personPath(), body);
  const verb = method === "DELETE" ? "Removed" : "Changed";
  console.log(`${verb} ${data.name} (${data.role}).`);
}

async function keys(): Promise<void> {
  for (const key of (await request("GET", keysPath())).items) printKey(key);
}

async function issueKey(): Promise<void> {
  const overlap = options["overlap-hours"];
  const body = {
    overlapHours: overlap === undefined ? undefined : Number(overlap),
    expiresAt: options["expires-at"],
    reason,
  };
  const { data } = await request("POST", keysPath(), body);
  console.log(`Store this key; it is shown only once:\n\n  X-API-Key     ${data.key}\n`);
}

function printKey(key: {
  id: number;
  prefix: string;
  expiresAt: string | null;
  revokedAt: string | null;
}) {
  const until = key.expiresAt === null ? "" : `  until ${key.expiresAt}`;
  const revoked = key.revokedAt === null ? "" : `  revoked ${key.revokedAt}`;
  console.log(`${String(key.id).padStart(6)}  ${key.prefix}...${until}${revoked}`);
}

async function request(method: string, path: string, body?: object) {
  return (await requestOrFail(operatorApi(options), method, path, body)).body;
}

function personPath(): string {
  return `/people/${requireId()}`;
}

function requireId(): string {
  return /^[\w-]{1,64}$/.test(id) ? id : fail("Give the id of the operator.");
}

function keysPath(): string {
  if (command === "revoke" && !/^[1-9]\d{0,14}$/.test(keyId)) fail("Give the number of the key.");
  return `${personPath()}/keys`;
}

function bootstrapKey(): string {
  // Its name until 2.0 was another.
  const { BOOTSTRAP_KEY, OPERATOR_KEY } = process.env;
  return BOOTSTRAP_KEY ?? OPERATOR_KEY ?? fail("Set BOOTSTRAP_KEY to the environment's secret.");
}
