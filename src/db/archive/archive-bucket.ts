import {
  archiveFileRange,
  archiveFolder,
  type ArchivedKind,
} from "../../domain/storage/archive-files.ts";
import type { Env } from "../../config.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** Nothing waits longer for a file. */
const FILE_TIMEOUT_MS = 5_000;
/** Names that one call to the bucket lists: the platform's limit. */
const LIST_MAX = 1_000;
/** Attempts to write a file that others change at the same time. */
const REWRITES_MAX = 5;
/** Lists of one folder: a million files, of which a company has a few hundred in a large month. */
const LISTS_MAX = 1_000;

/** A line of a file: a row's number, and all else that it has. */
export interface ArchivedLine {
  number: number;
}

/** Whether a line has a number: enough to keep or drop it. */
export function isArchivedLine(value: unknown): value is ArchivedLine {
  return typeof value === "object" && value !== null && "number" in value;
}

/** A file as it was read; `etag` tells whether it has changed since. */
export interface ArchivedFile<Line extends ArchivedLine> {
  lines: Line[];
  /** The texts of lines that are none of these, such as half ones. */
  damaged: string[];
  etag: string;
}

/**
 * The lines of a file, one JSON object each, that `isLine` knows; null if there is no file. Rejects if the bucket does
 * not answer.
 */
export async function readFile<Line extends ArchivedLine>(
  env: Env,
  name: string,
  isLine: (value: unknown) => value is Line,
): Promise<ArchivedFile<Line> | null> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return null;
  const read = async () => {
    const object = await bucket.get(name);
    return object === null ? null : { text: await object.text(), etag: object.etag };
  };
  const found = await withTimeout(read(), FILE_TIMEOUT_MS);
  if (found === null) return null;
  const lines: Line[] = [];
  const damaged: string[] = [];
  for (const text of found.text.split("\n").filter((each) => each !== "")) {
    const value = parsed(text);
    if (isLine(value)) lines.push(value);
    else damaged.push(text);
  }
  return { lines, damaged, etag: found.etag };
}

/** Undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of a damaged line, as `fileText` begins it; null if it does not tell. */
export function numberOfDamaged(text: string): number | null {
  const [, number] = /^\{"number":(\d+)[,}]/.exec(text) ?? [];
  return number === undefined ? null : Number(number);
}

/** The text of a file with these lines. */
export function fileText(lines: readonly ArchivedLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * Writes a file that is not there yet; false if one is: it may lack lines that a run took out of it again, and what an
 * erasure took stays erased. Rejects if the bucket has not taken it.
 */
export async function addFile(bucket: R2Bucket, name: string, text: string): Promise<boolean> {
  const put = bucket.put(name, text, { onlyIf: new Headers({ "If-None-Match": "*" }) });
  return (await withTimeout(put, FILE_TIMEOUT_MS)) !== null;
}

/**
 * Changes a file: `change` answers its other lines, or null where all may stay. Asks again while others change the file
 * at the same time; false if they do not stop. Rejects if the bucket does not answer.
 */
export async function changeFile<Line extends ArchivedLine>(
  env: Env,
  name: string,
  isLine: (value: unknown) => value is Line,
  change: (
    file: ArchivedFile<Line>,
  ) => Partial<Pick<ArchivedFile<Line>, "lines" | "damaged">> | null,
): Promise<boolean> {
  for (let attempt = 0; attempt < REWRITES_MAX; attempt++) {
    const file = await readFile(env, name, isLine);
    const changed = file === null ? null : change(file);
    if (file === null || changed === null) return true;
    if (await rewriteFile(env, name, { ...file, ...changed })) return true;
  }
  return false;
}

/** Writes a file again with other lines, or deletes it if none is left; false if it has changed since it was read. */
async function rewriteFile(
  env: Env,
  name: string,
  { lines, damaged, etag }: ArchivedFile<ArchivedLine>,
): Promise<boolean> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return false;
  if (lines.length + damaged.length === 0) {
    await withTimeout(bucket.delete(name), FILE_TIMEOUT_MS);
    return true;
  }
  const text = fileText(lines) + damaged.map((each) => `${each}\n`).join("");
  const put = bucket.put(name, text, { onlyIf: { etagMatches: etag } });
  return (await withTimeout(put, FILE_TIMEOUT_MS)) !== null;
}

/** The names of a company's files of a month, with the numbers between which their rows are. */
export async function listFiles(
  env: Env,
  kind: ArchivedKind,
  companyId: number,
  month: string,
): Promise<{ name: string; first: number; last: number }[]> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return [];
  const prefix = archiveFolder(kind, companyId, month);
  const files: { name: string; first: number; last: number }[] = [];
  let startAfter = prefix;
  for (let lists = 0; lists < LISTS_MAX; lists++) {
    const found = await withTimeout(
      bucket.list({ prefix, startAfter, limit: LIST_MAX }),
      FILE_TIMEOUT_MS,
    );
    for (const { key: name } of found.objects) {
      const range = archiveFileRange(name);
      if (range !== null) files.push({ name, ...range });
    }
    startAfter = found.objects.at(-1)?.key ?? startAfter;
    if (!found.truncated) break;
  }
  return files;
}
