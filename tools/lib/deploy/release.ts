/** What a release needs of the schemas, and which commit it is: variables of each deployed version. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../root.ts";

/** By its path, because its types need the Workers platform, which tools lack. */
const OBJECT_MIGRATIONS = join(ROOT, "src/company/storage/migrations.ts");
const CONTRACTS = join(ROOT, "migrations/contract");
const COMMIT_LENGTH = 12;

/** How far a version's schemas go. */
export interface Schemas {
  /** Migrations of D1 that only add. */
  added: number;
  /** Migrations of D1 that take away what older code needs: code that knows fewer writes nothing. */
  contracted: number;
  /** Migrations of a company's object: code that knows fewer writes nothing. */
  object: number;
}

/** The schemas of this code. */
export async function schemasOfCode(): Promise<Schemas> {
  const { MIGRATIONS } = (await import(OBJECT_MIGRATIONS)) as { MIGRATIONS: readonly string[] };
  return {
    added: sqlFiles(join(ROOT, "migrations")).length,
    contracted: sqlFiles(CONTRACTS).length,
    object: MIGRATIONS.length,
  };
}

/** As the variable SCHEMA: `7.0.6`. */
export function schemaText({ added, contracted, object }: Schemas): string {
  return `${added}.${contracted}.${object}`;
}

/** Null for what is no such text. */
export function parseSchemas(text: string | undefined): Schemas | null {
  const [, added, contracted, object] = /^(\d+)\.(\d+)\.(\d+)$/.exec(text ?? "") ?? [];
  if (object === undefined) return null;
  return { added: Number(added), contracted: Number(contracted), object: Number(object) };
}

/** The commit that is deployed, with "-dirty" when files differ from it; null outside a repository. */
export function commitOf(env: Record<string, string | undefined>): string | null {
  const built = env["WORKERS_CI_COMMIT_SHA"];
  if (built !== undefined) return built.slice(0, COMMIT_LENGTH);
  const head = git("rev-parse", `--short=${COMMIT_LENGTH}`, "HEAD");
  if (head === null) return null;
  return git("status", "--porcelain", "--untracked-files=no") === "" ? head : `${head}-dirty`;
}

function git(...args: string[]): string | null {
  const done = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return done.status === 0 ? done.stdout.trim() : null;
}

function sqlFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sql")) : [];
}
