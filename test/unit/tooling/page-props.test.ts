import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const PAGES = join(import.meta.dirname, "../../../src/pages");

/** A prop that carries what every component reads from its page: `useTexts()`, `useLocale()`. */
const CARRIED = /\b(?:texts|words|labels|language|locale)=\{/g;
/** The one component that is given the locale: it provides it to all others. */
const PROVIDER = "console/ui/layout.tsx";

test("no component is given texts, a language or a locale", async () => {
  const found: string[] = [];
  for await (const file of glob("**/*.tsx", { cwd: PAGES })) {
    const code = await readFile(join(PAGES, file), "utf8");
    for (const [prop] of code.matchAll(CARRIED)) found.push(`${file} ${prop}`);
  }
  expect(found.filter((each) => !each.startsWith(PROVIDER))).toEqual([]);
});
