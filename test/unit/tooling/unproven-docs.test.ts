import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/root.ts";
import { unprovenPage } from "../../../tools/lib/unproven-page.ts";

it("docs/generated/unproven.md is what the code says: `npm run docs:unproven` writes it", () => {
  expect(readFileSync(join(ROOT, "docs/generated/unproven.md"), "utf8")).toBe(unprovenPage());
});
