import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Bytes in use by table and index, `d1.` or `object.` before each name. */
export type Sizes = Map<string, number>;

/**
 * What every database below a folder holds, while nothing is written to it: whole pages, those on the
 * freelist left out. Of D1 and the companies' objects alone; workerd's own are not billed by their pages.
 */
export function sizesBelow(folder: string): Sizes {
  const sizes: Sizes = new Map();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".sqlite")) addSizes(sizes, join(folder, file));
  }
  return sizes;
}

/** A copy is read, so that the database that is served stays as it is. */
function addSizes(sizes: Sizes, file: string): void {
  const folder = mkdtempSync(join(tmpdir(), "centavo-bench-size-"));
  try {
    for (const part of [file, `${file}-wal`]) {
      if (existsSync(part)) cpSync(part, join(folder, basename(part)));
    }
    const db = new DatabaseSync(join(folder, basename(file)));
    const owner = ownerOf(db);
    if (owner !== null) {
      const rows = db.prepare("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name").all();
      for (const { name, bytes } of rows) {
        const key = `${owner}.${String(name)}`;
        sizes.set(key, (sizes.get(key) ?? 0) + Number(bytes));
      }
    }
    db.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ownerOf(db: DatabaseSync): "d1" | "object" | null {
  const named = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = new Set(named.map(({ name }) => name));
  if (tables.has("applications")) return "d1";
  return tables.has("movements") ? "object" : null;
}
