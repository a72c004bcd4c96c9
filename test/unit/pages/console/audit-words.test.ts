import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import en from "../../../../src/pages/console/texts/en.json";
import ptBr from "../../../../src/pages/console/texts/pt-br.json";
import { ROOT } from "../../../../tools/lib/wrangler.ts";

const ACTION = /(?:action|auditAction|audit): "([a-z_]+)\.([a-z_.]+)"/g;

it("every action of the audit trail has words in both languages", () => {
  const sources = globSync("src/**/*.{ts,tsx}", { cwd: ROOT });
  const found = sources.flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(ACTION)),
  );
  expect(found.length).toBeGreaterThan(30);
  for (const { audit } of [ptBr, en]) {
    for (const [action, noun, verb] of found) {
      expect(Object.keys(audit.targets), action).toContain(noun);
      expect(Object.keys(audit.verbs), action).toContain(verb);
    }
  }
});
