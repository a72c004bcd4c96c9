import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

// Two requests that await one promise continue in the context of one of them, and the runtime
// rejects the other's I/O ("Cannot perform I/O on behalf of a different request").
const SOURCES = join(import.meta.dirname, "../../../src");

/** Pages, drawings, the API's document and the platform's module, each loaded within its own request and awaited by no other. */
const ON_DEMAND =
  /^(?:pages\/|mcp\/mount\.ts|api\/(?:boletos\/slip-routes|disputes\/dossier\/routes|operator\/secrets\/service|pix\/qr-answer|receipts\/service|statement\/(?:archive|routes))\.ts|http\/openapi\/document\.ts|lib\/in-background\.ts)/;
/** The requests of one object share one context, so they may await each other. */
const OBJECT = /^company\//;
/** The calls of one page are made within its request, by which their promise is kept. */
const PAGE_CALLS = /^http\/auth\/read-once-per-page\.ts$/;

/** `import("./x.ts")`, except for a type import. */
const IMPORT_ON_DEMAND = /(?<!typeof )\bimport\(/;
/**
 * A field or variable that stores a promise: `#x: Promise<`, `let x: Promise<`, `Map<string,
 * Promise<`.
 */
const STORED_PROMISE =
  /^\s*(?:(?:export )?(?:let|const|var) |(?:private |readonly |static )+|#)[^=(]*Promise<|new (?:Weak)?Map<[^>]*Promise</;

interface Line {
  file: string;
  text: string;
}

let lines: Line[];

beforeAll(async () => {
  lines = [];
  for await (const file of glob("**/*.ts", { cwd: SOURCES })) {
    const code = await readFile(join(SOURCES, file), "utf8");
    for (const text of code.split("\n")) lines.push({ file, text });
  }
});

const found = (pattern: RegExp, ...except: RegExp[]) =>
  lines.filter(({ file, text }) => pattern.test(text) && !except.some((each) => each.test(file)));

test("only pages, drawings, rare work and the API's document import on demand", () => {
  expect(found(IMPORT_ON_DEMAND, ON_DEMAND)).toEqual([]);
});

test("no promise is stored where another request could await it", () => {
  expect(found(STORED_PROMISE, OBJECT, PAGE_CALLS)).toEqual([]);
});

test.each([
  ["let whole: Promise<Api> | undefined;", STORED_PROMISE],
  ["  readonly #pending = new Map<string, Promise<Token>>();", STORED_PROMISE],
  ["  #loaded: Promise<Provider> | null = null;", STORED_PROMISE],
  ['    const { a } = await import("./a.ts");', IMPORT_ON_DEMAND],
])("the check would find %s", (text, pattern) => {
  expect(text).toMatch(pattern);
});

test("better-auth is large, and loaded by the pages that sign somebody in only", () => {
  expect(found(/^import .*better-auth\.ts"|from ".*better-auth\.ts"/)).toEqual([]);
});
