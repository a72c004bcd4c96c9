import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasPlan } from "../../support/probes/database/query-plans.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TEXT = /`[^`]*`|"[^"\n]*"/g;
const INSERTED = /\$\{[^}]*\}/g;

/** The SQL texts of a file that have more than one value without a name. */
function positionalIn(source: string): string[] {
  const texts = source.match(TEXT) ?? [];
  return texts
    .map((text) => text.slice(1, -1).replaceAll(INSERTED, ""))
    .filter((text) => hasPlan(text) && text.split("?").length > 2);
}

test("a statement of an object with more than one value names them", () => {
  const files = globSync("src/{company,service-state}/**/*.ts", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(50);
  const positional = files.flatMap((file) =>
    positionalIn(readFileSync(join(ROOT, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(positional).toEqual([]);
});

test("a list of positions is found", () => {
  expect(positionalIn('sql.exec("UPDATE a SET b = ? WHERE c = ?", 1, 2)')).toHaveLength(1);
  expect(positionalIn("sql.exec(`SELECT ${a ? b : c} FROM d\n WHERE e = ?`, 1)")).toEqual([]);
});
