import { configOf, type Env } from "../../config.ts";
import type { CompanyMode } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { findStorageFigures } from "../operator/storage-figures.ts";
import { databasesOf } from "./databases.ts";
import { breaks } from "../../lib/fields/rules.ts";

/**
 * The binding of the database for a new company: the emptiest of those for its mode by the last measurement, or the
 * requested one. Throws 409 where there is none for its mode, 400 for one that is not bound or is for the other mode.
 */
export async function databaseForNewCompany(
  env: Env,
  mode: CompanyMode,
  requested?: string,
): Promise<string> {
  if (requested !== undefined) {
    requireDatabaseFor(env, mode, requested);
    return requested;
  }
  const [first, ...others] = databasesFor(env, mode);
  if (first === undefined) throw needsOwnDatabase();
  if (others.length === 0) return first;
  const figures = await findStorageFigures(env, [first, ...others]);
  // One that was not measured yet has just been added.
  const bytesOf = (name: string) => figures.get(name)?.bytes ?? 0;
  return others.reduce((least, name) => (bytesOf(name) < bytesOf(least) ? name : least), first);
}

/**
 * Throws 409 where there is no database for companies of a mode, 400 unless the named one is for them. In production
 * sandbox companies, which cost their merchants nothing, live in a database of their own, so that they fill none
 * with money in it.
 */
export function requireDatabaseFor(env: Env, mode: CompanyMode, database: string): void {
  const fitting = databasesFor(env, mode);
  if (fitting.length === 0) throw needsOwnDatabase();
  if (fitting.includes(database)) return;
  const rule = databasesOf(env).has(database)
    ? breaks("otherMode", { values: fitting.join(", ") })
    : breaks("oneOf", { values: fitting.join(", ") });
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: database.",
    errors: { database: [rule] },
  });
}

/** The bindings of the databases for companies of a mode, the directory first. */
function databasesFor(env: Env, mode: CompanyMode): string[] {
  const { environment, sandboxDatabase } = configOf(env);
  const all = [...databasesOf(env).keys()];
  if (sandboxDatabase !== null) {
    return all.filter((name) => (name === sandboxDatabase) === (mode === "sandbox"));
  }
  return mode === "sandbox" && environment === "production" ? [] : all;
}

function needsOwnDatabase(): Problem {
  return new Problem({
    code: "INVALID_STATE",
    reason: "no_database",
    detail:
      "A sandbox company of production needs a database of its own: bind one and set SANDBOX_DATABASE.",
  });
}
