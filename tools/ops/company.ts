/**
 * `npm run company -- --name "Loja" --mode live --env production [--pix-key K --pix-key-type T
 * --document D] [--database DB_2]`: creates a company with one application and one API key in a deployed
 * database, and prints its credentials once. SECRETS_KEY must be the environment's own key. `--dry-run`
 * prints the SQL instead. Exits with 2 for a wrong option.
 */
import { parseArgs } from "node:util";
import { systemRandom } from "../../src/domain/shared/clock.ts";
import { parseDocument } from "../../src/domain/shared/document.ts";
import { newUuid } from "../../src/domain/shared/ids.ts";
import { parsePixKey, PIX_KEY_TYPES, type PixKey } from "../../src/domain/shared/pix-key.ts";
import { parseKeyRing } from "../../src/lib/secret-box.ts";
import { newWebhookSecret } from "../../src/webhooks/signing/secrets.ts";
import { claimSql, companySql, directorySql, type NewCompany } from "../lib/company-sql.ts";
import { executeSql, runWrangler } from "../lib/wrangler.ts";
import { boundDatabases } from "../lib/wrangler-config.ts";

const API_KEY_BYTES = 32;
const WRONG_KEY = "SECRETS_KEY must be the environment's key or keys, each 32 bytes in base64.";
/** The default database, which also assigns every company number. */
const DIRECTORY = "DB";

const { values: options } = parseArgs({
  options: {
    name: { type: "string" },
    mode: { type: "string", default: "sandbox" },
    env: { type: "string", default: "production" },
    "pix-key": { type: "string" },
    "pix-key-type": { type: "string" },
    document: { type: "string", default: "" },
    database: { type: "string", default: DIRECTORY },
    "dry-run": { type: "boolean", default: false },
  },
});

const secretsKeys = parseKeyRing(process.env["SECRETS_KEY"] ?? "") ?? fail(WRONG_KEY);
const company = newCompany();
if (options["dry-run"]) {
  if (options.database !== DIRECTORY) console.log(claimSql(options.database));
  console.log(await companySql(company, secretsKeys, Date.now()));
} else {
  await createCompany(["--env", options.env, "--remote"]);
  console.log(`Created company "${company.name}". Store these credentials; they are shown only once:

  X-Client-Id       ${company.clientId}
  X-API-Key         ${company.apiKey}
  webhook secret    ${company.webhookSecret}
`);
}

/** In a database other than `DB`: claims the number, creates the company, then registers it in `DB`. */
async function createCompany(where: string[]): Promise<void> {
  const { database } = options;
  if (database === DIRECTORY) {
    executeSql(await companySql(company, secretsKeys, Date.now()), where);
    return;
  }
  const command = ["--json", "--command", claimSql(database)];
  const printed = runWrangler(["d1", "execute", DIRECTORY, ...where, "--yes", ...command]);
  const [claimed] = JSON.parse(printed) as { results: { id: number }[] }[];
  const id = claimed?.results[0]?.id;
  if (id === undefined) throw new Error(`the directory returned no company number: ${printed}`);
  executeSql(await companySql(company, secretsKeys, Date.now(), id), where, database);
  executeSql(directorySql(company, id), where);
}

function newCompany(): NewCompany {
  if (!boundDatabases(options.env).includes(options.database)) {
    fail(`--database must be one of ${boundDatabases(options.env).join(", ")}.`);
  }
  if (options.name === undefined || options.name === "") fail("--name is required.");
  const mode = options.mode;
  if (mode !== "sandbox" && mode !== "live") fail("--mode must be sandbox or live.");
  if (options.document !== "" && parseDocument(options.document) === null) {
    fail("--document is not a valid CPF or CNPJ.");
  }
  return {
    name: options.name,
    mode,
    providerCompanyId: newUuid(systemRandom),
    clientId: `app_${newUuid(systemRandom).replaceAll("-", "")}`,
    apiKey: `sk_${mode === "live" ? "live" : "test"}_${base64Url(API_KEY_BYTES)}`,
    webhookSecret: newWebhookSecret(systemRandom),
    mainPixKey: mainPixKey(),
    bankDocument: parseDocument(options.document)?.number ?? "",
    duplicateWithdrawGuard: true,
  };
}

function mainPixKey(): PixKey | null {
  const key = options["pix-key"];
  if (key === undefined) return null;
  const type = PIX_KEY_TYPES.find((known) => known === options["pix-key-type"]);
  if (type === undefined) fail(`--pix-key-type must be one of ${PIX_KEY_TYPES.join(", ")}.`);
  const parsed = parsePixKey(key, type);
  if (parsed.kind !== "valid") fail(`--pix-key is not a valid ${type} key.`);
  return parsed.key;
}

function base64Url(bytes: number): string {
  return Buffer.from(systemRandom.bytes(bytes)).toString("base64url");
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
