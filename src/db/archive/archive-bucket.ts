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
/** Lists of one folder: a million files, of which a company has a few hundred in a large month. */
const LISTS_MAX = 1_000;

/** A line of a file: a row's number, and all else that it has. */
export interface ArchivedLine {
  number: number;
}

/** A file as it was read; `etag` tells whether it has changed since. */
export interface ArchivedFile<Line extends ArchivedLine> {
  lines: Line[];
  etag: string;
}

/** The lines of a file, one JSON object each; null if there is none. Rejects if the bucket does not answer. */
export async function readFile<Line extends ArchivedLine>(
  env: Env,
  name: string,
): Promise<ArchivedFile<Line> | null> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return null;
  const read = async () => {
    const object = await bucket.get(name);
    return object === null ? null : { text: await object.text(), etag: object.etag };
  };
  const found = await withTimeout(read(), FILE_TIMEOUT_MS);
  if (found === null) return null;
  const lines = found.text.split("\n").filter((line) => line !== "");
  return { lines: lines.map((line) => parsed(line) as Line), etag: found.etag };
}

/** The parser's own message repeats the text, which is a payer's. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error("a line is not JSON");
  }
}

/** The text of a file with these lines. */
export function fileText(lines: readonly ArchivedLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * Writes a file that is not there yet. One that is there stays: its name is that of the same lines, of which an
 * erasure may have taken something. Rejects if the bucket has not taken it.
 */
export async function addFile(bucket: R2Bucket, name: string, text: string): Promise<void> {
  const add = async () => {
    if ((await bucket.head(name)) === null) await bucket.put(name, text);
  };
  await withTimeout(add(), FILE_TIMEOUT_MS);
}

/**
 * Writes a file again with other lines, or deletes it if none is left. Returns false if it has changed since it was
 * read. Rejects if the bucket has not taken it.
 */
export async function rewriteFile(
  env: Env,
  name: string,
  { lines, etag }: ArchivedFile<ArchivedLine>,
): Promise<boolean> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return false;
  if (lines.length === 0) {
    await withTimeout(bucket.delete(name), FILE_TIMEOUT_MS);
    return true;
  }
  const put = bucket.put(name, fileText(lines), { onlyIf: { etagMatches: etag } });
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
