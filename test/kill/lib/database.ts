import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assertDefined } from "./required.ts";

/** The file of the database that has the companies' applications. */
export function directoryIn(stateDir: string): string {
  const files = readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sqlite"))
    .map((file) => join(stateDir, file));
  return assertDefined(files.find(isDirectory), "D1's file");
}

function isDirectory(file: string): boolean {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const named = "SELECT 1 FROM sqlite_schema WHERE name = 'applications'";
    return db.prepare(named).get() !== undefined;
  } finally {
    db.close();
  }
}
