import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Bytes by table and index, with the prefix `d1.` or `object.`. */
export type Sizes = Map<string, number>;

/**
 * The sizes of D1 and the companies' objects below a folder, in whole pages without the freelist. Nothing
 * may write meanwhile. Ignores workerd's own databases, which are not billed.
 */
export function sizesBelow(folder: string): Sizes {
  const sizes: Sizes = new Map();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".sqlite")) addSizes(sizes, join(folder, file));
  }
  return sizes;
}

/** Reads a copy, so that the served database stays unchanged. */
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
