import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { snake } from "../../../tools/lib/clients/shapes.ts";

/** Generated modules of Python, which have classes of the same names. */
const GENERATED = new Set(["types.py", "operations.py"]);
const CLIENTS = join(import.meta.dirname, "../../../clients");

type Surface = Map<string, string[]>;

let typescript: Surface;
let python: Surface;
let php: Surface;

beforeAll(async () => {
  typescript = await surfaceOf("typescript/src", /^(?:export )?class (\w+)/, [
    /^ {2}(?:async )?\*?([a-z]\w*)(?:<.*)?\(/,
    /^ {2}readonly ([a-z]\w*)/,
  ]);
  python = await surfaceOf("python/centavo", /^class (\w+)/, [
    /^ {4}def ([a-z]\w*)\(/,
    /^ {8}self\.([a-z]\w*) = \w+\(/,
    /^ {4}(verify) = /,
  ]);
  php = await surfaceOf("php/src", /^final class (\w+)/, [
    /^ {4}public (?:static )?function ([a-z]\w*)\(/,
    /^ {4}public readonly \w+ \$(\w+);/,
  ]);
});

/** The public members of each class of a client, but those of its transport and errors. */
async function surfaceOf(folder: string, start: RegExp, members: RegExp[]): Promise<Surface> {
  const surface: Surface = new Map();
  const files = await readdir(join(CLIENTS, folder), { withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile() && !GENERATED.has(entry.name))) {
    let name = "";
    for (const line of (await readFile(join(CLIENTS, folder, file.name), "utf8")).split("\n")) {
      name = start.exec(line)?.[1] ?? name;
      const found = members.flatMap((member) => member.exec(line)?.[1] ?? []);
      const shown = found.filter((each) => each !== "constructor");
      surface.set(name, [...(surface.get(name) ?? []), ...shown]);
    }
  }
  return surface;
}

/** The parts that any client has. */
const PARTS = ["Centavo", "Events", "Links", "Transactions", "Withdraws"];
const FOREIGN = /^$|Error$|^Http$/;

test("what TypeScript can call, Python and PHP can call by the same names", () => {
  const parts = [...typescript].filter(([name]) => php.has(name) && !FOREIGN.test(name));
  expect(parts.map(([name]) => name)).toEqual(expect.arrayContaining(PARTS));
  for (const [name, members] of parts) {
    const inPython = python.get(name)!.map((member) => member.replace(/_$/, ""));
    expect(inPython, name).toEqual(expect.arrayContaining(members.map(snake)));
    expect(php.get(name)!, name).toEqual(expect.arrayContaining(members));
  }
});

test("Python and PHP have the same calls", () => {
  const parts = [...php.keys()].filter((name) => python.has(name) && !FOREIGN.test(name));
  expect(parts).toEqual(expect.arrayContaining([...PARTS, "Endpoints", "Sandbox", "Webhooks"]));
  for (const name of parts) {
    const inPhp = php.get(name)!.map(snake).toSorted();
    const inPython = python.get(name)!.map((member) => member.replace(/_$/, ""));
    expect(inPhp, name).toEqual(inPython.toSorted());
  }
});
