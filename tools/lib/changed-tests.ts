import { dirname } from "node:path";

/** Where tests lie that mirror `src`, path by path. */
const MIRRORS = ["test/unit", "test/worker"];
/** Tests of what does not lie in `src`. */
const BESIDE_SRC: [folder: string, tests: string][] = [
  ["docs/", "test/unit/tooling"],
  ["bench/", "test/unit/tooling"],
  ["tools/", "test/unit/tooling"],
  ["migrations/", "test/unit/tooling"],
  ["migrations/", "test/worker/db"],
  ["test/mutation/", "test/unit/tooling"],
  ["clients/", "test/unit/tooling"],
  ["clients/", "test/unit/clients"],
  ["examples/", "test/unit/tooling"],
  ["test/support/", "test/unit/support"],
  ["test/support/", "test/worker/support"],
];
/** What lies beside the folders: pages, and what the packages, tools and deploys are set up by. */
const AT_ROOT = /^[^/]+\.(?:md|json|jsonc|toml|ts)$|^\.ci\//;

/**
 * The test files and folders to run for changed files, none twice: a changed test itself, and for a file of `src` the
 * folders that mirror its own one, or the nearest folder above it. `exists` says whether a path is there. Empty if no test
 * belongs to the changes.
 */
export function testsOf(changed: readonly string[], exists: (path: string) => boolean): string[] {
  const found = new Set(changed.flatMap((path) => testsOfOne(path, exists)));
  const isInside = (path: string) => [...found].some((other) => path.startsWith(`${other}/`));
  return [...found].filter((path) => !isInside(path)).toSorted();
}

function testsOfOne(path: string, exists: (path: string) => boolean): string[] {
  if (path.endsWith(".test.ts")) return exists(path) ? [path] : [];
  if (path.startsWith("src/")) {
    return MIRRORS.flatMap((mirror) => {
      let folder = dirname(path).replace(/^src/, mirror);
      while (folder !== mirror && !exists(folder)) folder = dirname(folder);
      return folder === mirror ? [] : [folder];
    });
  }
  if (AT_ROOT.test(path)) return ["test/unit/tooling"];
  return BESIDE_SRC.flatMap(([folder, tests]) => (path.startsWith(folder) ? [tests] : []));
}
