import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS, readPage } from "../../drill/lib/runbook.ts";

const ROOT = join(import.meta.dirname, "../../..");
const RUNBOOK = join(ROOT, "docs/runbook");
const read = (path: string) => readFileSync(path, "utf8");
/** The level and the event of a call of `log`, which may be chosen: `refusals === 1 ? "warn" : "error"`. */
const CALL = /\blog\(\s*(?<level>[^,]*?),\s*(?<event>[^,]*?)(?:,|\))/g;
const NAME = /"(\w+)"/g;

const errorEvents = globSync("src/**/*.{ts,tsx}", { cwd: ROOT }).flatMap((file) =>
  [...read(join(ROOT, file)).matchAll(CALL)]
    .filter(({ groups }) => groups?.["level"]?.includes('"error"') === true)
    .flatMap(({ groups }) => [...(groups?.["event"] ?? "").matchAll(NAME)].map(([, name]) => name)),
);

it("every log event of the level error is in the runbook, and no other", () => {
  const described = [...read(join(RUNBOOK, "README.md")).matchAll(/^\| `(\w+)` +\|/gm)];
  const names = described.map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(errorEvents));
});

it("every alarm has its page with the four parts, and no page is without an alarm", () => {
  const thresholds = read(join(ROOT, "src/api/operator/alarms/thresholds.ts"));
  const ids = [...thresholds.matchAll(/^ {4}id: "(\w+)"/gm)].map(([, id]) => `${id}.md`);
  const pages = readdirSync(RUNBOOK).filter((name) => name !== "README.md");
  expect(new Set(pages)).toEqual(new Set(ids));
  for (const page of pages) {
    expect(read(join(RUNBOOK, page)).match(/^## .*/gm), page).toEqual([
      "## What it means",
      "## How to see it",
      "## What to do",
      "## How to know that it is over",
    ]);
  }
});

it.each(["en", "pt-br"])("the console has a name for every alarm, and for no other: %s", (name) => {
  const texts = JSON.parse(read(join(ROOT, `src/pages/console/texts/${name}.json`)));
  const pages = readdirSync(RUNBOOK).filter((page) => page !== "README.md");
  const alarms = pages.map((page) => page.replace(".md", ""));
  expect(Object.keys(texts.operatorWatch.names).toSorted()).toEqual(alarms.toSorted());
});

it("every command that the drill runs stands in its page", () => {
  for (const [name, { page, text }] of Object.entries(COMMANDS)) {
    expect(commandsOf(readPage(page)).includes(text), `${name} in ${page}`).toBe(true);
  }
});

/** What stands between backticks, and the lines of a page's blocks. */
function commandsOf(page: string): string[] {
  const [, ...blocks] = page.split("```sh");
  const lines = blocks.flatMap((block) => (block.split("```")[0] ?? "").split("\n"));
  const spans = page.replaceAll(/```[^]*?```/g, "").matchAll(/`([^`]+)`/g);
  return [...lines, ...Array.from(spans, ([, span = ""]) => span.replaceAll(/\s+/g, " "))];
}
