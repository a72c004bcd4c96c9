import { writeFileSync } from "node:fs";
import { CliError, withDiskErrors } from "./failure.ts";

/** SQLite's result codes. */
const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Locks `file` for this process and returns the function that releases it. SQLite takes a lock of the
 * operating system, which ends with the process, so it is never stale. The file stays: after a removal a
 * process could hold a lock on a file that no other process opens. Throws `CliError` while another process
 * holds the lock.
 */
export function lock(file: string): () => void {
  // Node 20 has none, and shall still run the other commands.
  const sqlite = process.getBuiltinModule?.("node:sqlite");
  if (sqlite === undefined)
    throw new CliError("listen locks its state file by SQLite, which Node has from 22.13 on.");
  createIfMissing(file);
  const database = new sqlite.DatabaseSync(file);
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

/** Never opens an existing file: closing it would release this process's own lock on it. */
function createIfMissing(file: string): void {
  withDiskErrors(file, () => {
    try {
      writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  });
}
