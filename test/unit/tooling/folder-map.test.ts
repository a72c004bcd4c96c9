import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** All folders of `src`, with a slash at the end. */
async function foldersOfSource(): Promise<string[]> {
  const entries = await readdir(join(REPOSITORY, "src"), { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${join(entry.parentPath, entry.name).slice(REPOSITORY.length + 1)}/`);
  return ["src/", ...folders].toSorted();
}

test("docs/folders.md names every folder of src, and no other", async () => {
  const page = await readFile(join(REPOSITORY, "docs/folders.md"), "utf8");
  const named = [...page.matchAll(/^\| `(src\/[^`]*)`/gm)].map(([, folder]) => folder);
  expect(named.toSorted()).toEqual(await foldersOfSource());
});

test("a folder of src holds at most 16 files", async () => {
  for (const folder of await foldersOfSource()) {
    const entries = await readdir(join(REPOSITORY, folder), { withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).length, folder).toBeLessThanOrEqual(16);
  }
});
