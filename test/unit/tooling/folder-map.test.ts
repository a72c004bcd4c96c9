import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Deeper folders say by their names what they hold. */
const LEVELS = 2;
const REPOSITORY = join(import.meta.dirname, "../../..");

/** All folders of `src`, with a slash at the end. */
async function foldersOfSource(): Promise<string[]> {
  const entries = await readdir(join(REPOSITORY, "src"), { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${join(entry.parentPath, entry.name).slice(REPOSITORY.length + 1)}/`);
  return ["src/", ...folders].toSorted();
}

test("docs/folders.md names every folder of src down to the second level, and none that is not there", async () => {
  const page = await readFile(join(REPOSITORY, "docs/folders.md"), "utf8");
  const named = [...page.matchAll(/^- `(src\/[^`]*)`/gm)].map(([, folder = ""]) => folder);
  const folders = await foldersOfSource();
  const upper = folders.filter((folder) => folder.split("/").length <= LEVELS + 2);
  expect(upper.filter((folder) => !named.includes(folder))).toEqual([]);
  expect(named.filter((folder) => !folders.includes(folder))).toEqual([]);
});

test("a folder of src holds at most 16 files", async () => {
  for (const folder of await foldersOfSource()) {
    const entries = await readdir(join(REPOSITORY, folder), { withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).length, folder).toBeLessThanOrEqual(16);
  }
});
