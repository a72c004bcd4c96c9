import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDatabase, migrationsDigest } from "../../tools/lib/prepare.ts";
import { ROOT } from "../../tools/lib/wrangler.ts";

/** Next to the caches of other tools; all of it can be recreated. */
const CACHE = join(ROOT, "node_modules/.cache/centavo");

/**
 * A folder for one service, with the database of a first start. Creating that takes longer than
 * most tests, so it is made once for each set of migrations and copied.
 */
export async function givenStateDir(name: string): Promise<string> {
  const prepared = await preparedState();
  const stateDir = mkdtempSync(join(tmpdir(), `centavo-${name}-`));
  cpSync(prepared, stateDir, { recursive: true });
  return stateDir;
}

/** The path of the template folder. */
export async function preparedState(): Promise<string> {
  const prepared = join(CACHE, migrationsDigest());
  if (existsSync(prepared)) return prepared;
  mkdirSync(CACHE, { recursive: true });
  const making = mkdtempSync(join(CACHE, "making-"));
  await prepareDatabase(making);
  try {
    renameSync(making, prepared);
  } catch (error) {
    // The worker of another test file was faster.
    rmSync(making, { recursive: true });
    if (!existsSync(prepared)) throw error;
  }
  return prepared;
}
