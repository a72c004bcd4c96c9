/**
 * `npm run verify-audit -- trail.json [more.json ...] [--head <hash>]`: verifies an audit trail offline, from
 * the pages of `GET /api/v1/audit` in their order: JSON files of one page each, or of several as one value a
 * line (NDJSON). `--head` is a hash that was noted earlier and must still be in the trail. Exits with 1 when an
 * entry was changed, removed, inserted or moved, and says what it cannot know: without a head, whether entries were
 * cut off at the end or all hashes made anew. docs/security.md has the recipe of the hash.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { unknownOf, verifyAuditTrail, type TrailItem } from "../lib/audit-verdict.ts";

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { head: { type: "string" } },
});
if (files.length === 0) fail("Give a trail: npm run verify-audit -- trail.json");

const from = process.env["INIT_CWD"] ?? process.cwd();
const items = files.flatMap((file) => valuesOf(resolve(from, file)).flatMap(itemsOf));
const verdict = verifyAuditTrail(items, options.head ?? null);
const { sequence, hash, error } = verdict;
console.log(`${sequence} entries\nhash ${hash}`);
if (error !== null) fail(`BROKEN: ${error}.`);
console.log("OK: every entry has its place and its hash.");
console.log(unknownOf(verdict));

/** The JSON values of a file: one, or one a line. */
function valuesOf(file: string): unknown[] {
  const text = readFileSync(file, "utf8");
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line)]));
  }
}

/** The entries of a page, of an array or of a single entry. */
function itemsOf(value: unknown): TrailItem[] {
  if (Array.isArray(value)) return value as TrailItem[];
  const page = value as { items?: TrailItem[] };
  return page.items ?? [value as TrailItem];
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
