import { configOf, type Env } from "../../config.ts";
import type { CompanyMode } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { DIRECTORY } from "./databases.ts";

/**
 * The binding of the database for a new company. In production a sandbox company, which costs its merchant
 * nothing, lives in a database of its own kind, so that it fills none with money in it. Throws 409 if there is none.
 */
export function databaseForNewCompany(env: Env, mode: CompanyMode): string {
  const { environment, sandboxDatabase } = configOf(env);
  if (mode === "live") return DIRECTORY;
  if (sandboxDatabase !== null) return sandboxDatabase;
  if (environment !== "production") return DIRECTORY;
  throw new Problem({
    code: "INVALID_STATE",
    detail:
      "A sandbox company of production needs a database of its own: bind one and set SANDBOX_DATABASE.",
  });
}
