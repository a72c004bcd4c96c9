/** The folder of a local service as an earlier version left it. */
import { createHash, createHmac } from "node:crypto";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { localStorage } from "./wrangler-config.ts";

const D1 = "v3/d1/miniflare-D1DatabaseObject";
const OBJECTS = "v3/do";
const OBJECT_CLASS = "CompanyAccount";
/** SQLite's files of one database. */
const ENDINGS = [".sqlite", ".sqlite-wal", ".sqlite-shm"];
const ID_BYTES = 16;

/**
 * Takes over the databases of a folder that an earlier version knew by other ids: a start would otherwise open empty ones
 * beside them. Answers what it did; null if all is as it should be. Throws, saying what it found and what to do, where
 * it is not plain which one is meant.
 */
export function takeOverEarlierState(stateDir: string): string | null {
  const { worker, databases } = localStorage();
  const objects = namesIn(join(stateDir, OBJECTS)).filter((name) =>
    name.endsWith(`-${OBJECT_CLASS}`),
  );
  const ownObjects = `${worker}-${OBJECT_CLASS}`;
  if (objects.length > 0 && !objects.includes(ownObjects)) {
    throw new Error(
      `${join(stateDir, OBJECTS)} has the companies' objects of an earlier version (${objects.join(", ")}), which this one looks for as ${ownObjects}: rename that folder, or start anew with another STATE_DIR.`,
    );
  }
  const folder = join(stateDir, D1);
  const files = namesIn(folder).filter((name) => /^[\da-f]{64}\.sqlite$/.test(name));
  const wanted = databases.map((id) => `${fileOf(id)}.sqlite`);
  const missing = wanted.filter((name) => !files.includes(name));
  const earlier = files.filter((name) => !wanted.includes(name));
  const [from, ...others] = earlier;
  const [to, ...alsoMissing] = missing;
  if (from === undefined) return null;
  if (to === undefined) {
    return `${folder} has databases of an earlier version beside those of this one, which nothing reads: ${earlier.join(", ")}. If your companies are in one of them, stop, and rename its files to ${wanted.join(" or ")}; else delete them.`;
  }
  if (others.length + alsoMissing.length > 0) {
    throw new Error(
      `${folder} has D1 databases of an earlier version (${earlier.join(", ")}), which this one looks for as ${missing.join(", ")}: rename the files that hold your companies, or start anew with another STATE_DIR.`,
    );
  }
  for (const ending of ENDINGS) {
    const part = join(folder, from.replace(".sqlite", ending));
    if (existsSync(part)) renameSync(part, join(folder, to.replace(".sqlite", ending)));
  }
  return `Took over the D1 database of an earlier version: ${from} is now ${to}.`;
}

/** The name of a local database's file, by its id, as Miniflare makes it of an object's name. */
export function fileOf(databaseId: string): string {
  const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
  const sign = (data: string | Buffer) =>
    createHmac("sha256", key).update(data).digest().subarray(0, ID_BYTES);
  const name = sign(databaseId);
  return Buffer.concat([name, sign(name)]).toString("hex");
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
