import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/wrangler.ts";

const DEMO_MAX_MS = 240_000;

it("the demo runs to its end and all its checks hold", () => {
  const demo = spawnSync(process.execPath, [join(ROOT, "tools/dev/demo.ts")], {
    encoding: "utf8",
    timeout: DEMO_MAX_MS,
  });
  expect(demo.stdout + demo.stderr).toContain("All steps succeeded.");
  expect(demo.status).toBe(0);
});
