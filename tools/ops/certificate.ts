/**
 * `npm run certificate -- <command>`: a PSP's client certificate, from its key to the Worker's binding. docs/providers.md
 * says when.
 *
 *   request --name psp-loja --common-name C [--profile itau] [--organization O] [--unit U] [--city L] [--state SP]
 *           makes psp-loja.key.pem (readable by you alone) and psp-loja.csr.pem, and says what the bank wants
 *   check   --cert cert.pem --key key.pem [--ca ca.pem] [--common-name C]    what it says, and days left
 *   upload  --cert ... --key ... --binding PSP_LOJA_2 [--env production]     checks it, sends it with its key to
 *           Cloudflare, and writes the binding into wrangler.toml, for the next deploy
 *   next    --company 7 --account first --binding PSP_LOJA_2 --cert cert.pem [--request psp-loja.csr.pem] [--env E]
 *           names it to the service, which tries it and swaps it in; without --cert its days left are not known
 *   trials  --company 7 --account first [--env E]    how they go
 *   try     --config psp.json    a token and a read at the PSP with the file's certificate (npm run psp-check has all)
 *
 * `next` and `trials` take an operator's credentials as `npm run company` does. The key is never printed or sent but to Cloudflare. Exits with 1 where a certificate cannot be used, with 2 for a wrong option.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CERTIFICATE_WAYS } from "../../src/domain/psp/profiles/psp-profile.ts";
import { PSP_PROFILES, type PspProfileName } from "../../src/domain/psp/profiles/psp-profiles.ts";
import { withCertificate } from "../lib/certificates/binding.ts";
import { makeCertificateRequest } from "../lib/certificates/request.ts";
import { judgeCertificate } from "../lib/certificates/verdict.ts";
import { ENVIRONMENTS } from "../lib/deploy/environment.ts";
import { signIn } from "../lib/deploy/platform.ts";
import { fail, operatorApi, requestOrFail } from "../lib/operator-client.ts";
import { checkPsp } from "../lib/psp-check/check.ts";
import { readConfig } from "../lib/psp-check/config.ts";
import { nodeFetch } from "../lib/psp-check/transport.ts";
import { configFile } from "../lib/wrangler-config.ts";
import { wranglerOutput } from "../lib/wrangler.ts";

const USAGE = "usage: npm run certificate -- request | check | upload | next | trials | try";
const BINDING = /^[A-Z][A-Z0-9_]{0,63}$/;
const FILE_NAME = /^[\w.-]{1,64}$/;
/** The part of an account's view that `next` and `trials` show. */
interface ShownAccount {
  certificateDaysLeft: number | null;
  settings: { certificate?: string | null };
  nextCertificate: {
    binding: string;
    state: string;
    successes: number;
    successesNeeded: number;
    result: string | null;
    beside: string | null;
    nextTryAt: string | null;
  } | null;
}

/** Less is little time for a bank to answer. */
const SOON_DAYS = 30;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string" },
    "common-name": { type: "string" },
    profile: { type: "string" },
    organization: { type: "string" },
    unit: { type: "string" },
    city: { type: "string" },
    state: { type: "string" },
    cert: { type: "string" },
    key: { type: "string" },
    ca: { type: "string" },
    binding: { type: "string" },
    env: { type: "string" },
    url: { type: "string" },
    company: { type: "string" },
    account: { type: "string" },
    request: { type: "string" },
    config: { type: "string" },
  },
});

const COMMANDS: Record<string, () => Promise<void>> = {
  request,
  check: async () => void checked(),
  upload,
  next,
  trials,
  try: tryOut,
};
await (COMMANDS[positionals[0] ?? ""] ?? (() => fail(USAGE)))();

async function request(): Promise<void> {
  const { name = fail("--name is required."), city, state, unit, organization } = options;
  const commonName = options["common-name"] ?? fail("--common-name is required.");
  if (!FILE_NAME.test(name)) fail("--name must be letters, digits, dots and hyphens.");
  const profile = profileOf(options.profile);
  const [keyFile, requestFile] = [pathOf(`${name}.key.pem`), pathOf(`${name}.csr.pem`)];
  if (existsSync(keyFile)) fail(`${keyFile} is there already: a key is never written over.`);
  const made = await makeCertificateRequest({ commonName, organization, unit, city, state });
  writeFileSync(keyFile, made.key, { mode: 0o600, flag: "wx" });
  writeFileSync(requestFile, made.request);
  console.log(`${keyFile}: the private key. Send it to nobody, keep it out of every repository.`);
  console.log(`${requestFile}: the request.`);
  const way = profile?.certificate ?? null;
  console.log(
    way === null
      ? "No public source says how this bank makes certificates: ask it whether it signs requests."
      : `${profile?.title}: ${CERTIFICATE_WAYS[way.value]} (${way.source.name}, ${way.source.date}).`,
  );
}

/** Says what the certificate is; exits with 1 where it cannot be used. */
function checked(): { cert: string; key: string } {
  const cert = readOption("cert");
  const key = readOption("key");
  const ca = options.ca === undefined ? null : readOption("ca");
  const name = options["common-name"] ?? null;
  const { faults, subject, notAfter, daysLeft } = judgeCertificate(
    { cert, key, ca, name },
    Date.now(),
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  const soon = daysLeft < SOON_DAYS ? " Ask the bank for the next one now." : "";
  console.log(
    `${subject}: until ${new Date(notAfter).toISOString()}, ${daysLeft} days left.${soon}`,
  );
  return { cert, key };
}

async function upload(): Promise<void> {
  const { binding = fail("--binding is required.") } = options;
  if (!BINDING.test(binding)) fail("--binding must be a name such as PSP_LOJA_2.");
  const environment =
    ENVIRONMENTS.find((each) => each === (options.env ?? "production")) ??
    fail(`--env must be ${ENVIRONMENTS.join(" or ")}.`);
  const { cert, key } = checked();
  const platform = await signIn({ wrangler: wranglerOutput, env: process.env });
  const name = `${binding}-${new Date().toISOString().slice(0, 10)}`;
  const id = await platform.uploadCertificate({ name, cert, key });
  const file = configFile();
  const config = readFileSync(file, "utf8");
  writeFileSync(file, withCertificate(config, environment, { binding, id }));
  console.log(`Uploaded as ${id}; ${file} binds it as ${binding}.`);
  console.log(
    `Next: npm run deploy -- --env ${environment}; then name ${binding} in the PSP's settings, or npm run certificate -- next.`,
  );
}

/** Names the certificate to the service; only its public part goes there. */
async function next(): Promise<void> {
  const { binding = fail("--binding is required.") } = options;
  const body = {
    binding,
    ...(options.cert === undefined ? {} : { certificate: readOption("cert") }),
    ...(options.request === undefined ? {} : { request: readOption("request") }),
  };
  const { body: answer } = await requestOrFail(
    operatorApi(options),
    "PUT",
    `${accountPath()}/certificate`,
    body,
  );
  sayTrials(answer.data);
}

async function trials(): Promise<void> {
  const { company = "", account = "" } = options;
  const path = accountPath().replace(/\/[^/]*$/, "");
  const { body } = await requestOrFail(operatorApi(options), "GET", path);
  const found = body.data.find((each: { account: string }) => each.account === account);
  sayTrials(found ?? fail(`Company ${company} has no account ${account}.`));
}

function accountPath(): string {
  const { company = fail("--company is required."), account = fail("--account is required.") } =
    options;
  return `/companies/${encodeURIComponent(company)}/providers/${encodeURIComponent(account)}`;
}

/** What the service knows of an account's certificates. */
function sayTrials(shown: ShownAccount): void {
  const left = shown.certificateDaysLeft ?? "an unknown number of";
  console.log(`In use: ${shown.settings.certificate ?? "none"}, ${left} days left.`);
  const trial = shown.nextCertificate;
  if (trial === null) return console.log("No other certificate is tried.");
  const { binding, state, successes, successesNeeded, result, beside, nextTryAt } = trial;
  console.log(
    `${binding}: ${state}, ${successes} of ${successesNeeded} trials in a row; last: ${result ?? "none yet"} (beside it: ${beside ?? "none yet"}); next: ${nextTryAt ?? "none"}.`,
  );
}

async function tryOut(): Promise<void> {
  const read = readConfig(pathOf(options.config ?? fail("Give a file: --config psp.json")));
  if (!read.valid) {
    fail(read.faults.map(({ field, fault }) => `${field}: ${fault}`).join("\n"));
  }
  const { config } = read;
  const only = ["token", "mtls", "pix_list"] as const;
  const { deviations } = await checkPsp(config, nodeFetch(config.certificate), { only });
  for (const { point, found, answer } of deviations) {
    console.error(`${point}: ${found}. Answer: ${answer}`);
  }
  if (deviations.length > 0) process.exit(1);
  console.log("The PSP gave a token and answered a read.");
}

function profileOf(name: string | undefined) {
  if (name === undefined) return null;
  const known = Object.keys(PSP_PROFILES) as PspProfileName[];
  const found = known.find((each) => each === name);
  return found === undefined
    ? fail(`--profile must be one of ${known.join(", ")}.`)
    : PSP_PROFILES[found];
}

function readOption(name: "cert" | "key" | "ca" | "request"): string {
  const path = pathOf(options[name] ?? fail(`--${name} is required.`));
  return existsSync(path) ? readFileSync(path, "utf8") : fail(`There is no ${path}.`);
}

/** A path as the caller of npm means it. */
function pathOf(file: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), file);
}
