import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databasesWith, LOCKED_MAX_MS } from "../../kill/lib/database.ts";

/** SQLite keeps what it has not yet written into a file beside it. */
const PARTS = ["", "-wal", "-shm"];

/** Runs SQL in a company's object, past the service and without the triggers that forbid it. */
export function editObject(stateDir: string, companyId: number, sql: string): void {
  edit(objectFile(stateDir, companyId), (db) => {
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
    db.exec(sql);
    for (const trigger of triggers) db.exec(String(trigger["sql"]));
  });
}

/** The file of a company's object. */
export function objectFile(stateDir: string, companyId: number): string {
  const found = databasesWith(stateDir, "movements").find((file) => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: LOCKED_MAX_MS });
    try {
      return Number(db.prepare("SELECT company_id AS id FROM company").get()?.["id"]) === companyId;
    } finally {
      db.close();
    }
  });
  if (found === undefined) throw new Error(`company ${companyId} has no object in ${stateDir}`);
  return found;
}

/** Copies a database's file of a stopped service; the returned function puts the copy back. */
export function copyOf(file: string, stateDir: string): () => void {
  const folder = mkdtempSync(join(stateDir, "copy-"));
  const copy = join(folder, "copy");
  move(file, copy);
  return () => move(copy, file);
}

function move(from: string, to: string): void {
  for (const part of PARTS) {
    rmSync(`${to}${part}`, { force: true });
    if (existsSync(`${from}${part}`)) cpSync(`${from}${part}`, `${to}${part}`);
  }
}

function edit(file: string, change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { timeout: LOCKED_MAX_MS });
  try {
    db.exec("BEGIN IMMEDIATE");
    change(db);
    db.exec("COMMIT");
  } finally {
    db.close();
  }
}
