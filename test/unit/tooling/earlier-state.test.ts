import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fileOf, takeOverEarlierState } from "../../../tools/lib/earlier-state.ts";

let stateDir: string;
const d1 = () => join(stateDir, "v3/d1/miniflare-D1DatabaseObject");

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "centavo-earlier-"));
  mkdirSync(d1(), { recursive: true });
  writeFileSync(join(d1(), "metadata.sqlite"), "");
});

afterEach(() => rmSync(stateDir, { recursive: true }));

function givenDatabase(id: string) {
  for (const ending of ["sqlite", "sqlite-wal"]) {
    writeFileSync(join(d1(), `${fileOf(id)}.${ending}`), `${id} ${ending}`);
  }
}

it("a database of another id is taken over, with its log", () => {
  givenDatabase("local");
  expect(takeOverEarlierState(stateDir)).toContain("Took over the D1 database");
  expect(readFileSync(join(d1(), `${fileOf("DB")}.sqlite`), "utf8")).toBe("local sqlite");
  expect(readFileSync(join(d1(), `${fileOf("DB")}.sqlite-wal`), "utf8")).toBe("local sqlite-wal");
  expect(existsSync(join(d1(), `${fileOf("local")}.sqlite`))).toBe(false);
  expect(takeOverEarlierState(stateDir)).toBeNull();
});

it("a folder of this version, or a new one, is left as it is; what lies beside is named", () => {
  expect(takeOverEarlierState(join(stateDir, "new"))).toBeNull();
  givenDatabase("DB");
  expect(takeOverEarlierState(stateDir)).toBeNull();
  givenDatabase("local");
  expect(takeOverEarlierState(stateDir)).toMatch(/which nothing reads: [\da-f]{64}\.sqlite\./);
  expect(readdirSync(d1())).toHaveLength(5);
});

it("several databases are named, with what to do, and stay", () => {
  givenDatabase("local");
  givenDatabase("other");
  expect(() => takeOverEarlierState(stateDir)).toThrow(
    /has D1 databases of an earlier version \(.*sqlite, .*sqlite\).*rename the files that hold your companies/,
  );
  expect(readdirSync(d1())).toHaveLength(5);
});

it("the objects of a Worker of another name are named, with what to do", () => {
  mkdirSync(join(stateDir, "v3/do/centavo-local-CompanyAccount"), { recursive: true });
  givenDatabase("local");
  expect(() => takeOverEarlierState(stateDir)).toThrow(
    /objects of an earlier version \(centavo-local-CompanyAccount\), which this one looks for as centavo-CompanyAccount/,
  );
  expect(existsSync(join(d1(), `${fileOf("local")}.sqlite`))).toBe(true);
});
