/** From an account to a service that answers. Each step looks at what is there first, so a run can be repeated. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../merchant.ts";
import { alarmSecrets, testAlarms } from "./alarms.ts";
import { NO_ARCHIVE, prepareArchive } from "./archive.ts";
import { contract } from "./contract.ts";
import {
  environmentConfig,
  writeEnvironment,
  type Environment,
  type EnvironmentConfig,
} from "./environment.ts";
import { makeFirstOperator } from "./first-operator.ts";
import { signIn, type DeployedBinding, type DeployTools, type Platform } from "./platform.ts";
import { commitOf, schemasOfCode, schemaText } from "./release.ts";
import { SecretsFile } from "./secrets-file.ts";
import { giveShare } from "./share.ts";
import { smokeTest } from "./smoke-test.ts";

export interface DeployOptions {
  environment: Environment;
  /** A host of a zone of the account; without one the address stays what it is, at first under workers.dev. */
  domain?: string | undefined;
  firstOperator: string;
  /** Per cent of the requests for the new version; 100 replaces the old one. */
  percent: number;
  /** Whether nobody is to hear of alarms. */
  noAlarms: boolean;
}

const SECRET_BYTES = 32;
/** A new host name gets its certificate within minutes. */
const ANSWER_POLLS = 120;
const ANSWER_POLL_MS = 5_000;

/** What the steps find out. */
interface Plan {
  config: EnvironmentConfig;
  /** What the Worker has now; null before the first deploy. */
  deployed: DeployedBinding[] | null;
  url: string;
  file: SecretsFile;
  commit: string | null;
  hasArchive: boolean;
}

/** Deploys an environment. Throws with what went wrong; a repeat goes on from there. */
export async function deploy(options: DeployOptions, tools: DeployTools): Promise<void> {
  const { environment } = options;
  const platform = await signIn(tools);
  await checkPlan(platform, tools);
  const plan = await prepare(platform, options, tools);
  const { config, url, file } = plan;
  const databases = databaseIds(config);
  const alarms = alarmSecrets(plan, options.noAlarms, tools);
  const secretsKey = await newSecretsKey(platform, plan, tools);
  const secrets = { ...alarms, ...(secretsKey === null ? {} : { SECRETS_KEY: secretsKey }) };
  const path = writeEnvironment(environment, config);
  tools.print(`Account ${platform.accountId}, Worker ${config.name}, ${url}`);

  for (const { binding } of config.d1_databases) {
    await tools.wrangler(["d1", "migrations", "apply", binding, "--remote", "--config", path]);
  }
  tools.print(
    `Migrations applied: ${config.d1_databases.map((one) => one.database_name).join(", ")}`,
  );
  await makeFirstOperatorOf(platform, databases, options, plan, tools);
  await upload(platform, path, secrets, { options, plan, tools });
  if (options.percent === 100) {
    await untilAnswers(url, plan.commit, tools);
    await check(url, plan, options, tools);
    await contract(environment, config, tools);
  }
  await showNew(url, file, tools);
  tools.print(nextSteps(options, plan));
  if (!plan.hasArchive) tools.print(NO_ARCHIVE);
}

async function checkPlan(platform: Platform, { print }: DeployTools): Promise<void> {
  const isPaid = await platform.isPaid();
  if (isPaid === true) return;
  print(
    isPaid === null
      ? "These credentials may not read the account's plan. Workers Paid is needed: the free one ends a request after 10 ms of CPU."
      : "The account seems not to have Workers Paid. The free plan ends a request after 10 ms of CPU, which is too little to sign in.",
  );
}

/** Finds or makes databases, the archive, queues and the address, and completes the configuration with them. */
async function prepare(
  platform: Platform,
  options: DeployOptions,
  { env, print }: DeployTools,
): Promise<Plan> {
  const config = environmentConfig(options.environment);
  const deployed = await platform.bindingsOf(config.name);
  if (deployed === null && options.percent < 100) {
    throw new Error("The first deploy cannot have a share: leave --percent out.");
  }
  for (const database of config.d1_databases) {
    database.database_id ??= await platform.database(database.database_name);
  }
  const hasArchive = await prepareArchive(platform, config, deployed, print);
  await platform.makeQueues(config.queues.producers.map(({ queue }) => queue));
  const url = await addressOf(platform, config, deployed, options.domain);
  const commit = commitOf(env);
  config.account_id = platform.accountId;
  config.vars = {
    ...config.vars,
    PUBLIC_URL: url,
    SCHEMA: schemaText(await schemasOfCode()),
    ...(commit === null ? {} : { COMMIT: commit }),
  };
  const file = new SecretsFile(options.environment);
  return { config, deployed, url, commit, hasArchive, file };
}

/**
 * The public address: the domain that is asked for, else PUBLIC_URL of `wrangler.toml`, else what is deployed now, else
 * under workers.dev. Callbacks of PSPs and links of payers use it, so it never changes by itself.
 */
async function addressOf(
  platform: Platform,
  config: EnvironmentConfig,
  deployed: DeployedBinding[] | null,
  domain: string | undefined,
): Promise<string> {
  const now = deployed?.find(({ name }) => name === "PUBLIC_URL")?.text;
  const chosen = domain === undefined ? (config.vars["PUBLIC_URL"] ?? now) : `https://${domain}`;
  if (chosen !== undefined && !chosen.endsWith(".workers.dev")) {
    config.routes ??= [{ pattern: new URL(chosen).host, custom_domain: true }];
    return chosen;
  }
  config.workers_dev = true;
  const subdomain = await platform.subdomain(`centavo-${platform.accountId.slice(0, 8)}`);
  return `https://${config.name}.${subdomain}.workers.dev`;
}

/**
 * The key that seals what the service stores, if the Worker has none: SECRETS_KEY, or the one that an earlier run made, or
 * a new one, but in no build, where nobody would see it. It is in the file before the platform gets it. Throws where a
 * new key could not open what is stored.
 */
async function newSecretsKey(
  platform: Platform,
  { config, deployed, file }: Plan,
  { env }: DeployTools,
): Promise<string | null> {
  const has = deployed?.some(({ name, type }) => name === "SECRETS_KEY" && type === "secret_text");
  if (has === true) return null;
  const known = env["SECRETS_KEY"] ?? file.read().secretsKey;
  if (known !== undefined) return known;
  // A build's secrets may be on their way by the dashboard. Without them the Worker refuses to start.
  if (env["CI"] !== undefined) return null;
  for (const id of Object.values(databaseIds(config))) {
    const [table] = await platform.query(
      id,
      "SELECT count(*) AS tables FROM sqlite_master WHERE name = 'companies'",
    );
    if (table?.["tables"] === 0 || table === undefined) continue;
    const [row] = await platform.query(id, "SELECT count(*) AS companies FROM companies");
    if (Number(row?.["companies"]) > 0) {
      throw new Error(
        `${config.name} has companies, sealed under the key that it had. Give it by the variable SECRETS_KEY: SECRETS_KEY=... npm run deploy`,
      );
    }
  }
  const secretsKey = randomBytes(SECRET_BYTES).toString("base64");
  file.add({ secretsKey });
  return secretsKey;
}

async function makeFirstOperatorOf(
  platform: Platform,
  databases: Record<string, string>,
  { firstOperator }: DeployOptions,
  { file }: Plan,
  { env, print }: DeployTools,
): Promise<void> {
  if (env["CI"] !== undefined) {
    print(
      "The log of a build is no place for keys: docs/deploy.md#operators makes the first operator.",
    );
    return;
  }
  await makeFirstOperator(platform, databases["DB"] ?? "", { file, name: firstOperator });
}

/** Deploys the code, or gives it a share of the requests beside the version before. */
async function upload(
  platform: Platform,
  path: string,
  secrets: Record<string, string>,
  { options, plan, tools }: { options: DeployOptions; plan: Plan; tools: DeployTools },
): Promise<void> {
  const message = ["--message", `commit ${plan.commit ?? "unknown"}`];
  if (options.percent < 100) {
    const { config, commit } = plan;
    const { percent } = options;
    await giveShare(platform, { worker: config.name, commit, percent, path, message }, tools);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  try {
    const file = join(folder, "secrets.json");
    const withSecrets = Object.keys(secrets).length === 0 ? [] : ["--secrets-file", file];
    if (withSecrets.length > 0) writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    await tools.wrangler(["deploy", "--config", path, ...message, ...withSecrets]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Waits until the deployed version answers at its address. */
async function untilAnswers(
  url: string,
  commit: string | null,
  { print, wait }: DeployTools,
): Promise<void> {
  for (let poll = 0; poll < ANSWER_POLLS; poll++) {
    const health = await healthOf(url);
    if (health !== null && (commit === null || health.commit === commit)) {
      print(`${url} answers: version ${health.version}, commit ${health.commit}`);
      return;
    }
    await wait(ANSWER_POLL_MS);
  }
  throw new Error(
    `${url}/health does not answer with commit ${commit}. DNS may take longer: run this again.`,
  );
}

async function healthOf(url: string): Promise<{ version: string; commit: string | null } | null> {
  try {
    const response = await fetch(`${url}/health`, { redirect: "manual" });
    return response.status === 200 ? ((await response.json()) as never) : null;
  } catch {
    return null;
  }
}

async function check(
  url: string,
  { file }: Plan,
  { environment }: DeployOptions,
  { env, print, wait }: DeployTools,
): Promise<void> {
  const made = file.read().operator;
  const [clientId, apiKey] = [env["CENTAVO_OPERATOR_ID"], env["CENTAVO_OPERATOR_KEY"]];
  const credentials =
    made ?? (clientId === undefined || apiKey === undefined ? null : { clientId, apiKey });
  if (credentials === null) {
    print("Not tried out: set CENTAVO_OPERATOR_ID and CENTAVO_OPERATOR_KEY for the smoke test.");
    return;
  }
  const operator = new ApiClient(url, credentials);
  const id = await smokeTest(operator, { wait, environment });
  print(
    `Smoke test: charge ${id} was paid in a sandbox company, and a webhook came back to ${url}.`,
  );
  print(await testAlarms(operator));
}

/** Shows what this and earlier runs have made, once: forgets it after that. */
async function showNew(url: string, file: SecretsFile, { print }: DeployTools): Promise<void> {
  const { secretsKey, operator } = file.read();
  // First, because it may fail: then a repeat shows everything.
  const setUp = operator === undefined ? "" : await setUpLink(url, operator);
  if (secretsKey !== undefined) {
    print(`
The key of all that the service stores sealed. Keep it away from the service's machines: the platform never
tells it again, and it is needed to rotate keys (docs/deploy.md).

  SECRETS_KEY   ${secretsKey}
`);
  }
  if (operator !== undefined) {
    print(`${operator.name} is the first operator, with the role admin. This is not shown again:

  X-Client-Id   ${operator.clientId}
  X-API-Key     ${operator.apiKey}

${setUp}`);
  }
  file.remove();
}

async function setUpLink(
  url: string,
  operator: { clientId: string; apiKey: string },
): Promise<string> {
  const path = `/api/v1/operator/people/${operator.clientId}/sign-in-link`;
  const { status, body } = await new ApiClient(url, operator).call("POST", path);
  if (status !== 201) throw new Error(`the set-up link was answered ${status}: ${body?.detail}`);
  return `The console is set up here, once, until ${body.data.expiresAt}:

  ${body.data.url}
`;
}

function databaseIds({ d1_databases: databases }: EnvironmentConfig): Record<string, string> {
  return Object.fromEntries(databases.map((one) => [one.binding, one.database_id ?? ""]));
}

function nextSteps({ environment, percent }: DeployOptions, { url }: Plan): string {
  if (percent < 100) {
    return `Look at the logs, then: npm run deploy -- --env ${environment} [--percent 50], or npm run rollback -- --env ${environment}`;
  }
  return `Next:
  1. Set up the console by the link above, and store the keys.
  2. The first company: npm run company -- create --url ${url} --name "Loja" --mode live
  3. Its PSP: docs/providers.md
  Back to the version before: npm run rollback -- --env ${environment}`;
}
