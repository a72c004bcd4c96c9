import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.ts";

/** Each try meets another process that took or left the lock in between. */
const TRIES_MAX = 5;

/**
 * Takes `file` for this process and answers how to give it back. The lock of a process that is no
 * more is taken over. Throws `Failure` where one that lives holds it.
 */
export function lock(file: string): () => void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      // A link is there at once with its content, so that nobody reads a half-written lock.
      if (linked(own, file)) return () => rmSync(file, { force: true });
      const holder = holderOf(file);
      if (holder !== null && isAlive(holder)) {
        throw new Failure(
          `Process ${holder} listens with this state file already; if it is no listener, remove ${file}.`,
        );
      }
      if (holder !== null) removeOf(file, holder);
    }
    throw new Failure(`${file} could not be taken.`);
  } finally {
    rmSync(own, { force: true });
  }
}

function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Moves a dead holder's lock away; one that another process has taken meanwhile is put back. */
function removeOf(file: string, holder: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (holderOf(aside) !== holder) linked(aside, file);
  rmSync(aside, { force: true });
}

/** The process that a lock names; null where there is no lock any more. */
function holderOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
}

/** In a container our own number may have been the last listener's. */
function isAlive(holder: string): boolean {
  const pid = Number(holder);
  if (!Number.isSafeInteger(pid) || pid < 1 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
