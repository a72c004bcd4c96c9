import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assertDefined } from "./required.ts";

/** A running service locks a file for less. */
export const LOCKED_MAX_MS = 5_000;

/** The file of the database that has the companies' applications. */
export function directoryIn(stateDir: string): string {
  return assertDefined(databasesWith(stateDir, "applications")[0], "D1's file");
}

/** The files of the databases that have a table: D1's, and one of each company's object. */
export function databasesWith(stateDir: string, table: string): string[] {
  return readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sqlite"))
    .map((file) => join(stateDir, file))
    .filter((file) => hasTable(file, table));
}

function hasTable(file: string, table: string): boolean {
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCKED_MAX_MS });
  try {
    return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined;
  } finally {
    db.close();
  }
}
