import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../env.ts";

export type Database = ReturnType<typeof databaseFor>;

/**
 * The database of a company: the one way to D1, so that companies can be spread over several
 * databases (10 GB each) without touching a feature.
 */
export function databaseFor(env: Env, _companyId: number) {
  return drizzle(env.DB);
}

/** The database that knows every application, for requests that have not said who they are yet. */
export function directoryOf(env: Env) {
  return drizzle(env.DB);
}
