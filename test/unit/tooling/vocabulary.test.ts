import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/root.ts";
import RETIRED from "./vocabulary-retired.json" with { type: "json" };

const GLOSSARY = "docs/glossary.md";
/** Where Portuguese is in the code: PDFs, the pages of boletos, e-mails, files of a month, CSV, the shop's element. */
const PRINTED = [
  "src/api/disputes/dossier",
  "src/api/emails",
  "src/api/people/send-invitation.ts",
  "src/api/receipts",
  "src/api/reports",
  "src/api/statement",
  "src/api/transactions/read/csv.ts",
  "src/api/withdraws/search/csv.ts",
  "src/domain/ledger/entries/titles.ts",
  "src/methods/boleto/slip",
  "src/pages/embed/element.ts",
];
/** Where the API is described in English. */
const DESCRIBED = /^src\/(api|http)\/.*(schemas|routes|tags|openapi|fields)\.ts$/;
/** What neither the API's descriptions nor the docs say; the other words are only those of people's pages. */
const UNSAID = new Set(["set aside", "ways to pay", "undecided contradiction*", "in doubt"]);
/** Where a text may say a word that texts do not say, and why. */
const SAID: [text: RegExp, word: string, why: string][] = [
  [/^console\.statement\./, "livro-razão", "the proof of a statement is about the ledger"],
];
/** Files in which a retired name stays, and why. */
const STAYS: [name: string, files: RegExp, why: string][] = [
  [
    "mandate",
    /^(src\/api\/applications\/|src\/domain\/access\/application-guards|test\/worker\/api\/applications\/|docs\/api\.md)/,
    "the name of spendingLimits that is accepted and answered until 2.0",
  ],
  [
    "mandate",
    /^(src\/db\/schema\/companies|src\/company\/(storage|withdraws\/withdraw-sum)|test\/support\/builders\/companies\/application|test\/security\/review-eyes1|docs\/(generated\/)?storage\.md)/,
    "a column of D1, and a kind of the object's sums",
  ],
  [
    "mandate",
    /subscription|mandate|^src\/(api\/(bank-reconciliation|events|operator|provider-callbacks)|providers)\/|^src\/db\/(fork\/database-tables|schema\/reconciliation)|^tools\/lib\/unproven-page|^src\/pages\/console\/texts\/|^test\/support\/(fakes|probes)\/|^docs\//,
    "what a payer gives at his bank, as Pix Automático calls it",
  ],
  [
    "suspended",
    /^(src\/company\/(storage|ledger\/audit|charges\/charge-store)|src\/domain\/fork\/object-tables|test\/(support\/probes\/ledger|worker\/company\/(ledger|storage)|worker\/api\/operator\/inspection)\/|docs\/(generated\/)?storage\.md)/,
    "a column of the object",
  ],
  [
    "suspended",
    /^(src\/http\/(problems|openapi\/examples\/problems)|test\/security\/refunds)/,
    "a frozen company's exits are suspended, which is English",
  ],
];

/** The rows of a table of the glossary, without its head, by the heading above it. */
function rowsOf(heading: string): string[][] {
  const page = readFileSync(join(ROOT, GLOSSARY), "utf8");
  const [, section = ""] = page.split(`## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  return table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** A word as a pattern; with `*` at its end also longer ones. Letters with accents count as letters. */
function patternOf(word: string, flags: string): RegExp {
  const end = word.endsWith("*") ? "" : String.raw`(?![\p{L}\p{N}_-])`;
  const text = word
    .replace(/\*$/, "")
    .replaceAll(".", String.raw`\.`)
    .replaceAll(" ", String.raw`\s+`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])${text}${end}`, flags);
}

/** The texts in a file of texts by their path. */
function leavesOf(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([name, each]) =>
    leavesOf(each, `${path}.${name}`),
  );
}

const tracked = (...folders: string[]) =>
  execFileSync("git", ["ls-files", "-z", ...folders], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "");

/** What people read in a language. */
function textsOf(language: "pt" | "en"): [path: string, text: string][] {
  const file = language === "pt" ? "pt-br.json" : "en.json";
  const screens = tracked("src/pages")
    .filter((path) => path.endsWith(`/${file}`))
    .flatMap((path) => {
      const page = path.split("/").at(-3) ?? "";
      return leavesOf(JSON.parse(readFileSync(join(ROOT, path), "utf8")), page);
    });
  if (language === "en") return screens;
  const printed = tracked(...PRINTED)
    .filter((path) => !DESCRIBED.test(path))
    .flatMap((path) =>
      [
        ...readFileSync(join(ROOT, path), "utf8").matchAll(/(["`])([^"`\n]*[a-zà-ú] ?[^"`\n]*)\1/g),
      ].map(([, , text = ""]): [string, string] => [path, text]),
    );
  return [...screens, ...printed];
}

const TEXTS = { pt: textsOf("pt"), en: textsOf("en") };

it.each(rowsOf("Words that texts do not say"))("%s: no text says %s, but %s", (language, word) => {
  const pattern = patternOf(word, word === word.toUpperCase() ? "u" : "iu");
  const found = TEXTS[language as "pt" | "en"].filter(
    ([at, text]) =>
      pattern.test(text) && !SAID.some(([where, what]) => what === word && where.test(at)),
  );
  expect(found).toEqual([]);
});

it.each([...UNSAID])("no description of the API and no page of docs says %s", (word) => {
  const pattern = patternOf(word, "iu");
  const described = tracked("src").filter((path) => DESCRIBED.test(path));
  const pages = tracked("docs", "*.md").filter(
    (path) => path.endsWith(".md") && path !== GLOSSARY && !path.startsWith("docs/decisions/"),
  );
  expect(described.length).toBeGreaterThan(80);
  const found = [...described, ...pages].filter((path) =>
    pattern.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(found).toEqual([]);
});

it("the words that descriptions do not say are rows of the glossary", () => {
  const rows = rowsOf("Words that texts do not say").filter(([language]) => language === "en");
  expect(rows.map(([, word]) => word)).toEqual(expect.arrayContaining([...UNSAID]));
});

it("the texts say the Portuguese of the glossary", () => {
  const said = TEXTS.pt.map(([, text]) => text.toLowerCase());
  const words = rowsOf("Words").flatMap(([, portuguese = ""]) =>
    portuguese.replaceAll(/\([^)]*\)/g, "").split(","),
  );
  const unsaid = words
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "" && !said.some((text) => text.includes(word)));
  expect(unsaid).toEqual([]);
});

it("the texts of both languages are read", () => {
  expect(TEXTS.pt.length).toBeGreaterThan(1_500);
  expect(TEXTS.en.length).toBeGreaterThan(1_500);
  expect(TEXTS.pt.map(([, text]) => text)).toContain("Chave Pix do recebedor");
});

it("a retired name is found whole, and not inside another", () => {
  const pattern = patternOf("set aside", "u");
  expect(["is set aside", "set\n  aside,"].map((text) => pattern.test(text))).toEqual([true, true]);
  expect(["payment_set_aside", "asset aside"].map((text) => pattern.test(text))).toEqual([
    false,
    false,
  ]);
  expect(patternOf("reembols*", "iu").test("Reembolsado")).toBe(true);
});

/** The files that a retired name may not come back to, with their content. */
const FILES = tracked("src", "test", "tools", "bench", "docs")
  .filter(
    (path) =>
      /\.(ts|tsx|md|json|py)$/.test(path) &&
      path !== GLOSSARY &&
      !path.startsWith("test/unit/tooling/vocabulary"),
  )
  .map((path) => ({ path, content: readFileSync(join(ROOT, path), "utf8") }));

it.each(RETIRED)("%s does not come back: it is %s", (name = "") => {
  const pattern = patternOf(name, "u");
  const stays = STAYS.filter(([what]) => what === name);
  const found = FILES.filter(
    ({ path, content }) => pattern.test(content) && !stays.some(([, files]) => files.test(path)),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});
