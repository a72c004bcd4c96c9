import { describe, expect, it } from "vitest";
import { scanJson } from "../../../src/lib/json-scan.ts";

const DEPTH_MAX = 32;
const scan = (text: string) => scanJson(text, DEPTH_MAX);
const VALUE = "an object, array, string, number, true, false or null";

describe("a text that is not JSON", () => {
  it.each<[string, number, number, string]>([
    ["", 1, 1, VALUE],
    ["{", 1, 2, "a field name in double quotes or }"],
    ['{\n  "a": 1,\n}', 3, 1, "a field name in double quotes"],
    ['{\r\n"a": 1\r\n"b": 2}', 3, 1, "a comma or }"],
    ["{'a': 1}", 1, 2, "a field name in double quotes or }"],
    ['{"a" 1}', 1, 6, "a colon"],
    ['{"a": }', 1, 7, VALUE],
    ['{"a": 25,00}', 1, 10, "a field name in double quotes"],
    ['{"a": 01}', 1, 8, "a comma or }"],
    ['{"a": tru}', 1, 7, VALUE],
    ['{"a": undefined}', 1, 7, VALUE],
    ["[1, 2", 1, 6, "a comma or ]"],
    ["[1,]", 1, 4, VALUE],
    ["[}", 1, 2, "a value or ]"],
    ["[]]", 1, 3, "the end of the body"],
    ["amount=2500", 1, 1, VALUE],
    ["<a/>", 1, 1, VALUE],
    ['{"a": "b', 1, 9, "a closing double quote"],
    ['{"a": "b\nc"}', 1, 9, "an escape instead of a control character or line break"],
    [String.raw`{"a": "\d"}`, 1, 8, String.raw`an escape such as \n or \u0041`],
    ['{"a": 1} // note', 1, 10, "the end of the body"],
    ["1.", 1, 2, "the end of the body"],
  ])("%j is at fault at line %i, column %i", (text, line, column, expected) => {
    expect(scan(text).fault).toEqual({ line, column, expected });
  });
});

it("a fault is found exactly where the engine refuses a text", () => {
  const valid = String.raw`{"a":[1,-2.5e+3,"x\u00e9\n",true,null,{}],"b":{"c":"","d":[[]]}} `;
  const changes = ["", "{", "}", "]", ",", ":", '"', "\\", "0", "-", ".", "\n", "x"];
  for (let at = 0; at <= valid.length; at++) {
    for (const change of changes) {
      for (const text of [
        valid.slice(0, at) + change,
        valid.slice(0, at) + change + valid.slice(at + 1),
      ]) {
        expect([text, scan(text).fault === null]).toEqual([text, isJson(text)]);
      }
    }
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it("a name that came twice in one object is found, also in another spelling", () => {
  expect(scan('{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}').duplicate).toBeNull();
  expect(scan('{"a":1,\n "b":2, "a":3}').duplicate).toEqual({ line: 2, column: 9 });
  expect(scan(String.raw`{"a":1,"\u0061":3}`).duplicate).toEqual({ line: 1, column: 8 });
});

it("depth counts arrays and objects, not what stands in strings", () => {
  expect(scan('{"a":[[1]],"b":"[[[[["}').depth).toBe(3);
  expect(scan("1").depth).toBe(0);
});

it("whole numbers that are not written plainly are found by their paths", () => {
  const text = '{"a":49.0,"b":[1,2e3,{"c":-0.0}],"d":4.5,"e":"1.0"}';
  expect(scan(text).decimals).toEqual([["a"], ["b", "1"], ["b", "2", "c"]]);
});

it("the scan ends at what is nested too deep: each path would be as long as it is deep", () => {
  const levels = 20_000;
  const { fault, depth, decimals } = scan("[1.0,".repeat(levels));
  expect([fault, depth]).toEqual([null, DEPTH_MAX + 1]);
  expect(decimals).toHaveLength(DEPTH_MAX);
});

it("a megabyte of decimals does not fill the isolate with their paths", () => {
  const { decimals } = scan(`${"[".repeat(DEPTH_MAX)}${"1.0,".repeat(250_000)}0`);
  expect(decimals).toHaveLength(2_000);
});

it("numbers that no double holds are found by their paths", () => {
  const text = '{"a":1e400,"b":[-1e400,1e308],"c":"1e400"}';
  expect(scan(text).infinite).toEqual([["a"], ["b", "0"]]);
});
