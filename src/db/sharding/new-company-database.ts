import { configOf, type Env } from "../../config.ts";
import type { CompanyMode } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { DIRECTORY } from "./databases.ts";

/**
 * The binding of the database for a new company: the requested one or, for a sandbox company, that of sandbox
 * companies. In production these, which cost their merchants nothing, live in a database of their own, so that
 * they fill none with money in it. Throws 409 if production has none, 400 if the requested one is for the other mode.
 */
export function databaseForNewCompany(env: Env, mode: CompanyMode, requested?: string): string {
  const { environment, sandboxDatabase } = configOf(env);
  if (sandboxDatabase === null) {
    if (mode === "sandbox" && environment === "production") throw needsOwnDatabase();
    return requested ?? DIRECTORY;
  }
  const database = requested ?? (mode === "sandbox" ? sandboxDatabase : DIRECTORY);
  if ((database === sandboxDatabase) === (mode === "sandbox")) return database;
  const only = mode === "sandbox" ? `must be ${sandboxDatabase}` : "is for sandbox companies";
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: database.",
    errors: { database: [only] },
  });
}

function needsOwnDatabase(): Problem {
  return new Problem({
    code: "INVALID_STATE",
    detail:
      "A sandbox company of production needs a database of its own: bind one and set SANDBOX_DATABASE.",
  });
}
