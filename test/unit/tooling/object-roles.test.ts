import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { OBJECT_MACHINE, OBJECT_PARTS, OBJECT_ROLES } from "../../../tools/dev/import-laws.ts";
import { ROOT } from "../../../tools/lib/root.ts";

const OBJECT = join(ROOT, "src/company");
const FILES = globSync("*/*.ts", { cwd: OBJECT })
  .filter((file) => !OBJECT_MACHINE.some((folder) => file.startsWith(`${folder}/`)))
  .toSorted();

const rolesOf = (file: string) =>
  Object.keys(OBJECT_ROLES).filter((role) => OBJECT_ROLES[role]?.test(basename(file)));
const hasClass = (file: string) =>
  /^(export )?(abstract )?class /m.test(readFileSync(join(OBJECT, file), "utf8"));

describe("each file of the object has one role", () => {
  it.each(FILES)("%s", (file) => {
    const roles = rolesOf(file);
    // What has no role by its name is a part of a command, or only computes.
    const isPart = OBJECT_PARTS.includes(file);
    expect([...roles, ...(isPart ? ["part"] : [])].length).toBe(
      roles.length > 0 || hasClass(file) ? 1 : 0,
    );
  });

  it("and each part is a file", () => {
    expect(OBJECT_PARTS.filter((file) => !FILES.includes(file))).toEqual([]);
  });
});

it("the page of the architecture has each role and no other", () => {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const [, section = ""] = /^## Inside the object\n([^]*?)^## /m.exec(page) ?? [];
  const named = Array.from(section.matchAll(/^\| (\w+) +\| `/gm), ([, role = ""]) => role);
  expect(named.toSorted()).toEqual(
    [...Object.keys(OBJECT_ROLES), "assembly", "machine", "part"].toSorted(),
  );
});
