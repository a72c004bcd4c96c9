import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { peerNamesPage } from "../../../tools/lib/peer-names-page.ts";
import { ROOT } from "../../../tools/lib/root.ts";

it("docs/generated/peer-names.md is what the code says: `npm run docs:names` writes it", () => {
  expect(readFileSync(join(ROOT, "docs/generated/peer-names.md"), "utf8")).toBe(peerNamesPage());
});
