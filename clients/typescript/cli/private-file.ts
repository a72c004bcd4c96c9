import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { withDiskErrors } from "./failure.ts";

/** Creates the folder of a file that only its owner reads. Throws `CliError` when that fails. */
export function makeFolderOf(file: string): void {
  withDiskErrors(dirname(file), () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
}

/** Writes JSON that only the file's owner reads. A new file replaces the old one, so a crash leaves one of both. */
export function writePrivately(file: string, content: object): void {
  const fresh = `${file}.${process.pid}.new`;
  withDiskErrors(file, () => {
    // Made anew: an older file or link of this name would keep its mode, or lead elsewhere.
    rmSync(fresh, { force: true });
    const text = `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(fresh, text, { mode: 0o600, flush: true, flag: "wx" });
    renameSync(fresh, file);
    const entry = openSync(dirname(file), "r");
    fsyncSync(entry);
    closeSync(entry);
  });
}

/** A file's JSON: undefined without the file, null for what is no JSON. */
export function readJson(file: string): unknown {
  const text = withDiskErrors(file, () => textOf(file));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
