import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_SECRETS_KEY } from "../../src/lib/local-key.ts";
import { companySql } from "./company-sql.ts";
import { LOCAL_COMPANIES } from "./local-companies.ts";
import { executeSql, ROOT, runWrangler } from "./wrangler.ts";
import { boundDatabases } from "./wrangler-config.ts";

const MIGRATIONS = join(ROOT, "migrations");

/**
 * Gives a folder's databases all migrations and the first the local companies. What was done is noted beside
 * the database, so that a start that finds nothing new asks wrangler, which takes seconds, nothing.
 */
export async function prepareDatabase(stateDir: string): Promise<void> {
  const folder = join(stateDir, "v3/d1");
  const note = join(folder, "prepared-with");
  const wanted = migrationsDigest();
  if (readNote(note) === wanted) return;
  const local = ["--local", "--persist-to", stateDir];
  for (const database of boundDatabases(null)) {
    runWrangler(["d1", "migrations", "apply", database, ...local]);
  }
  const seeds = await Promise.all(
    LOCAL_COMPANIES.map((company) => companySql(company, LOCAL_SECRETS_KEY, Date.now())),
  );
  executeSql(seeds.join("\n"), local);
  mkdirSync(folder, { recursive: true });
  writeFileSync(note, wanted);
}

/** A digest of all that goes into a prepared database. */
export function migrationsDigest(): string {
  const digest = createHash("sha256").update(
    JSON.stringify([LOCAL_COMPANIES, LOCAL_SECRETS_KEY, boundDatabases(null)]),
  );
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) {
    digest.update(`\n${file}\n`).update(readFileSync(join(MIGRATIONS, file)));
  }
  return digest.digest("hex");
}

function readNote(note: string): string | null {
  try {
    return readFileSync(note, "utf8");
  } catch {
    return null;
  }
}
