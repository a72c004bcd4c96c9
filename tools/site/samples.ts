/** The same step in several languages, cut out of the programs of `examples/`, which the suite runs. */
import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { ROOT } from "../lib/root.ts";

/** The languages in the order of their tabs; a folder of `examples/` each. */
const LANGUAGES = [
  { folder: "curl", label: "curl", files: "*.sh", fence: "sh" },
  { folder: "node", label: "Node", files: "*.{mjs,js,ts}", fence: "js" },
  { folder: "php", label: "PHP", files: "*.php", fence: "php" },
  { folder: "python", label: "Python", files: "*.py", fence: "python" },
  { folder: "go", label: "Go", files: "*.go", fence: "go" },
];

export interface Sample {
  label: string;
  /** The language as a block of code names it. */
  fence: string;
  code: string;
}

/**
 * A step in each language that has samples. Throws where one of them lacks it, but for the language that the page does
 * without.
 */
export function samplesOf(
  name: string,
  without?: string,
  folder = join(ROOT, "examples"),
): Sample[] {
  return LANGUAGES.filter((language) => language.folder !== without).flatMap(
    ({ folder: own, label, files, fence }) => {
      const paths = globSync(join(folder, own, files)).filter((path) => extname(path) !== "");
      if (paths.length === 0) return [];
      const codes = paths.map((path) => regionOf(readFileSync(path, "utf8"), name));
      const code = codes.find((one) => one !== null);
      if (code == null) throw new Error(`examples/${own} has no sample "${name}"`);
      return [{ label, fence, code }];
    },
  );
}

/** What stands between the lines `docs:begin NAME` and `docs:end NAME`, without their common indent; null without them. */
export function regionOf(text: string, name: string): string | null {
  const lines = text.split("\n");
  const marked = (word: string) =>
    lines.findIndex((line) => new RegExp(`\\bdocs:${word} ${name}\\b(?!-)`).test(line));
  const [begin, end] = [marked("begin"), marked("end")];
  if (begin === -1 || end < begin) return null;
  const region = lines.slice(begin + 1, end).filter((line) => !line.includes("docs:"));
  const indents = region
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return region
    .map((line) => line.slice(indent))
    .join("\n")
    .trim();
}
