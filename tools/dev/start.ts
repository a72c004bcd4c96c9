/**
 * `npm start`: the whole service on this machine. Applies the migrations, creates the two local companies
 * in an empty database, serves, and triggers the cron each minute, which `wrangler dev` does not do. PORT
 * sets the port, STATE_DIR the folder of the databases, BUNDLED_WORKER the path of code that is bundled already,
 * which is served without wrangler.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { takeOverEarlierState } from "../lib/earlier-state.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../lib/local-operators.ts";
import { LOCAL_APPROVER, LOCAL_COMPANIES } from "../lib/local-companies.ts";
import {
  LOCAL_OPERATOR_PERSON,
  LOCAL_PASSWORD,
  LOCAL_PEOPLE,
  localTotpText,
} from "../lib/local-people.ts";
import { openMailbox } from "../lib/mailbox.ts";
import { ApiClient } from "../lib/merchant.ts";
import { prepareDatabase } from "../lib/prepare.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { ROOT, startWrangler } from "../lib/wrangler.ts";
import type { Serving } from "./serve-bundle.ts";

const CRON_MS = 60_000;
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 200;
/** A line of the service's log. wrangler may add colours around it. */
const OWN_LOG_LINE = /\{"level":.*\}/;

const port = Number(process.env["PORT"] ?? 8787);
const stateDir = resolve(
  process.env["INIT_CWD"] ?? ROOT,
  process.env["STATE_DIR"] ?? ".wrangler/state",
);
const base = `http://localhost:${port}`;

if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`PORT must be a port number, not "${process.env["PORT"]}".`);
  process.exit(1);
}

const stop = stopSignal();
const mailFolder = join(stateDir, "emails");
await requireFreePort();
useEarlierState();
console.log(`Preparing the database in ${stateDir} ...`);
const isNewDatabase = await prepareDatabase(stateDir);
if (stop.aborted) process.exit(0);

const mailbox = await openMailbox(mailFolder);
const bundle = process.env["BUNDLED_WORKER"];
const vars = {
  ENVIRONMENT: "local",
  PUBLIC_URL: base,
  ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true",
  LOCAL_RATE_LIMITS: "true",
  EMAIL_FROM: "centavo@loja.local",
  LOCAL_MAILBOX: mailbox,
};
const server = bundle === undefined ? startDeveloping() : startServing(bundle);
const output: string[] = [];
for (const stream of [server.stdout, server.stderr]) {
  stream?.on("data", (chunk: Buffer) => showLogLines(String(chunk)));
}
server.on("exit", (code) => {
  // Without a code a signal ended it, such as Ctrl-C.
  if (code !== null && code !== 0) console.error(output.slice(-40).join("\n"));
  process.exit(code ?? 0);
});
stop.addEventListener("abort", () => server.kill());

await untilReady();
printWelcome(isNewDatabase ? await signInLink() : null);
await triggerCron();
setInterval(() => void triggerCron(), CRON_MS);

/** As a developer has it: wrangler bundles the Worker, again after each change. */
function startDeveloping(): ChildProcess {
  return startWrangler([
    "dev",
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    stateDir,
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
    "--show-interactive-dev-session=false",
    "--log-level",
    "log",
  ]);
}

/** As tests have it, which bundle the Worker once for all their services. */
function startServing(path: string): ChildProcess {
  const serving: Serving = { bundle: path, port, stateDir, vars };
  const script = join(ROOT, "tools/dev/serve-bundle.ts");
  return spawn(process.execPath, [script, JSON.stringify(serving)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Prints the service's own JSON lines. wrangler's output is printed only when it fails. */
function showLogLines(text: string): void {
  for (const line of text.split("\n")) {
    const own = OWN_LOG_LINE.exec(line);
    if (own !== null) console.log(own[0]);
    else if (line.trim() !== "") output.push(line);
  }
}

/** Takes over what an earlier version left in the folder; exits with 1 where it cannot say what is meant. */
function useEarlierState(): void {
  try {
    const done = takeOverEarlierState(stateDir);
    if (done !== null) console.log(done);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** Exits with 1 when another program already uses the port. */
async function requireFreePort(): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null>((answer) => {
    const probe = createServer();
    probe.once("error", answer);
    probe.listen(port, "localhost", () => probe.close(() => answer(null)));
  });
  if (error === null) return;
  console.error(`Port ${port} is not free (${error.code}). Set PORT to use another port.`);
  process.exit(1);
}

async function untilReady(): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(`${base}/openapi.json`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    await new Promise((wake) => setTimeout(wake, READY_POLL_MS));
  }
  console.error(`The service was not ready within ${READY_TIMEOUT_MS / 1000} s.`);
  console.error(output.slice(-40).join("\n"));
  server.kill();
  process.exit(1);
}

/** Triggers the cron, as Cloudflare does each minute. */
async function triggerCron(): Promise<void> {
  await fetch(`${base}/cdn-cgi/local/scheduled`).catch(() => null);
}

/**
 * The second operator's set-up link for the console; null if he has an account. He makes it himself: whom the first
 * operator gives one approves nothing of his for a day.
 */
async function signInLink(): Promise<string | null> {
  const operator = { clientId: "approver", apiKey: LOCAL_APPROVER_KEY };
  const api = new ApiClient(base, operator);
  const people = await api.call("GET", "/api/v1/operator/people?limit=100");
  const found = people.body.items?.find(({ id }: { id: string }) => id === "approver");
  if (found?.email !== null) return null;
  const link = await api.call("POST", "/api/v1/operator/people/approver/sign-in-link");
  return link.body.data?.url ?? null;
}

function printWelcome(setUpLink: string | null): void {
  const [loja, outra] = LOCAL_COMPANIES;
  const { clientId: approver, apiKey: approverKey } = LOCAL_APPROVER;
  const headers = `-H 'X-Client-Id: ${loja?.clientId}' -H 'X-API-Key: ${loja?.apiKey}'`;
  const roles = LOCAL_PEOPLE.map(({ role }) => role).join(", ");
  const withCode = LOCAL_PEOPLE.filter(({ hasAuthenticator }) => hasAuthenticator);
  console.log(`
Centavo is ready on ${base}   (guide and API reference: ${base}/docs)

  company                 X-Client-Id           X-API-Key
  1 ${loja?.name}          ${loja?.clientId}        ${loja?.apiKey}
  1, who approves         ${approver}   ${approverKey}
  2 ${outra?.name}            ${outra?.clientId}       ${outra?.apiKey}
  the operator            operator              ${LOCAL_OPERATOR_KEY}
  the second operator     approver              ${LOCAL_APPROVER_KEY}

  The console: ${base}/console   e-mail ROLE@loja.local   password ${LOCAL_PASSWORD}
  ROLE is one of ${roles}.
  ${withCode.map(({ role }) => role).join(", ")} also need a code: npm run code
  (or an authenticator app with the secret ${localTotpText()})
  The operator: ${base}/console/operator   e-mail ${LOCAL_OPERATOR_PERSON.email}, same password and code
${setUpLink === null ? "" : `  The second operator sets up an account once, within 24 hours:\n  ${setUpLink}\n`}
  E-mails are not sent but written into ${mailFolder}

Three things to try:

  1. Charge 25.00 by PIX
     curl -s ${base}/api/v1/transactions/create ${headers} \\
       -H 'Content-Type: application/json' -H 'Idempotency-Key: tx_1' \\
       -d '{"amount":2500,"paymentMethod":"PIX","customer":{"name":"Maria"}}'

  2. Pay it as the payer (replace ID by the "id" in the response)
     curl -s -X POST ${base}/api/v1/sandbox/transactions/ID/pay ${headers}

  3. See the money and withdraw it
     curl -s '${base}/api/Balance/balance/1?currency=BRL' ${headers}
     curl -s ${base}/api/Withdraw/request ${headers} \\
       -H 'Content-Type: application/json' -H 'Idempotency-Key: wd_1' -d '{"amount":1000}'

Stop with Ctrl-C. The data stays in ${stateDir}.
`);
}
