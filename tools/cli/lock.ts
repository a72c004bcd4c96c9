import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CliError, withDiskErrors } from "./failure.ts";

/** SQLite's result codes. */
const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Takes `file` for this process and answers how to give it back. The lock is the kernel's, on an empty
 * SQLite database: it ends with its process however that ends, so none is ever stale. The file stays:
 * were it removed, whoever had just opened it would hold a lock that nobody else sees. Throws `CliError`
 * where another holds it.
 */
export function lock(file: string): () => void {
  make(file);
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode;
    if (code === BUSY) throw new CliError("Another listener already uses this state file.");
    if (code === NOT_A_DATABASE)
      throw new CliError(`${file} cannot be used as a lock; remove the file.`);
    throw error;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

/** Opening and closing one that is there would end this process's own lock on it. */
function make(file: string): void {
  withDiskErrors(file, () => {
    try {
      writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  });
}
