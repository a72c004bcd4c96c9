import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testsOf } from "../../../tools/lib/changed-tests.ts";
import { ROOT } from "../../../tools/lib/root.ts";

const isThere = (path: string) => existsSync(join(ROOT, path));

it.each([
  [
    "a rule of the object",
    ["src/company/ledger/holds.ts"],
    ["test/unit/company", "test/worker/company/ledger"],
  ],
  [
    "a pure rule that runs in both",
    ["src/http/auth/auth.ts"],
    ["test/unit/http/auth", "test/worker/http/auth"],
  ],
  ["a folder without a mirror: the one above it", ["src/lib/trace/trace.ts"], ["test/unit/lib"]],
  ["a test itself", ["test/e2e/service.test.ts"], ["test/e2e/service.test.ts"]],
  ["a test that was deleted", ["test/e2e/gone.test.ts"], []],
  ["a page of the docs", ["docs/storage.md"], ["test/unit/tooling"]],
  ["a page beside the folders", ["README.md"], ["test/unit/tooling"]],
  ["the packages", ["package.json", ".ci/run"], ["test/unit/tooling"]],
  [
    "a client",
    ["clients/python/src/centavo/client.py"],
    ["test/unit/clients", "test/unit/tooling"],
  ],
  [
    "a builder of the tests",
    ["test/support/faults/race.ts"],
    ["test/unit/support", "test/worker/support"],
  ],
  [
    "a tool and its test",
    ["tools/lib/root.ts", "test/unit/tooling/docs.test.ts"],
    ["test/unit/tooling"],
  ],
  ["what no test mirrors", ["LICENSE", "src/index.ts"], []],
])("the tests of %s", (_what, changed, tests) => {
  expect(testsOf(changed, isThere)).toEqual(tests);
});
