import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_SECRETS_KEY } from "../../src/lib/local-key.ts";
import { applicationSql, companySql } from "./company-sql.ts";
import { LOCAL_APPROVER, LOCAL_COMPANIES } from "./local-companies.ts";
import { LOCAL_OPERATORS, operatorSql } from "./local-operators.ts";
import {
  LOCAL_OPERATOR_PERSON,
  LOCAL_PASSWORD,
  LOCAL_PEOPLE,
  localTotpText,
  peopleSql,
} from "./local-people.ts";
import { executeSql, ROOT, runWrangler } from "./wrangler.ts";
import { boundDatabases } from "./wrangler-config.ts";

const MIGRATIONS = join(ROOT, "migrations");

/**
 * Applies all migrations to a folder's databases and creates the local companies, operators and people in the first. Stores a
 * digest of both next to the database and skips wrangler, which takes seconds, while it is unchanged. Answers whether
 * it did anything.
 */
export async function prepareDatabase(stateDir: string): Promise<boolean> {
  const folder = join(stateDir, "v3/d1");
  const digestFile = join(folder, "prepared-with");
  const digest = migrationsDigest();
  if (readIfExists(digestFile) === digest) return false;
  const local = ["--local", "--persist-to", stateDir];
  for (const database of boundDatabases()) {
    runWrangler(["d1", "migrations", "apply", database, ...local]);
  }
  const seeds = await Promise.all(
    LOCAL_COMPANIES.map((company) => companySql(company, [LOCAL_SECRETS_KEY], Date.now())),
  );
  const approver = await applicationSql(LOCAL_APPROVER, Date.now());
  const operators = await Promise.all(LOCAL_OPERATORS.map((one) => operatorSql(one, Date.now())));
  const people = await peopleSql([LOCAL_SECRETS_KEY], Date.now());
  executeSql([...seeds, approver, ...operators, people].join("\n"), local);
  mkdirSync(folder, { recursive: true });
  writeFileSync(digestFile, digest);
  return true;
}

/** A digest of the content of a prepared database. */
export function migrationsDigest(): string {
  const digest = createHash("sha256").update(
    JSON.stringify([
      LOCAL_COMPANIES,
      LOCAL_APPROVER,
      LOCAL_OPERATORS,
      [LOCAL_PEOPLE, LOCAL_OPERATOR_PERSON, LOCAL_PASSWORD, localTotpText()],
      LOCAL_SECRETS_KEY,
      // Each is also the database's id on this machine.
      { databases: boundDatabases() },
    ]),
  );
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) {
    digest.update(`\n${file}\n`).update(readFileSync(join(MIGRATIONS, file)));
  }
  return digest.digest("hex");
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
