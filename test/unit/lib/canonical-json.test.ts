import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/hash.ts";
import { forAll, type Seeded } from "../../support/builders/requests/property.ts";

/** The deepest nesting that a body may have. */
const DEEPEST = 32;
const NAMES = ["a", "b", "A", "10", "9", "é", "", " ", "\u2028", "constructor", "__proto__", "🍕"];
const LEAVES = [null, true, false, 0, -1, 1.5, 1e21, 2500, "", "a", '"', "\\", "\u2028", "ção 🍕"];

test("canonical JSON sorts members, in any order of arrival", () => {
  expect(canonicalJson({ b: 1, a: { d: [1, { z: null, y: "x" }], c: true } })).toBe(
    '{"a":{"c":true,"d":[1,{"y":"x","z":null}]},"b":1}',
  );
});

test("canonical JSON gives the same text for two orders of the same members", () => {
  forAll(500, (random) => {
    const value = randomValue(random, 4);
    expect(canonicalJson(shuffled(value, random))).toBe(canonicalJson(value));
  });
});

test("canonical JSON gives JSON of the same value", () => {
  forAll(500, (random) => {
    const value = randomValue(random, 4);
    expect(JSON.parse(canonicalJson(value))).toEqual(value);
  });
});

describe("gives different texts for different values", () => {
  test.each([
    ["another order of a list", [1, 2], [2, 1]],
    ["a number and its text", { amount: 1000 }, { amount: "1000" }],
    ["null and an absent member", { a: null }, {}],
    ["a list and an object", { a: ["x"] }, { a: { 0: "x" } }],
    ["a member inside and outside", { a: { b: 1 } }, { a: {}, b: 1 }],
    ["a value or name that resembles two members", { a: '1","b":"2' }, { a: "1", b: "2" }],
    ["composed and decomposed accents", "é", "e\u0301"],
  ])("%s", (_difference, one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });
});

test("canonical JSON treats a member without a value as absent", () => {
  expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
});

test("canonical JSON accepts the deepest nesting that a body may have", () => {
  const text = "[".repeat(DEEPEST) + "]".repeat(DEEPEST);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

test("canonical JSON writes an unpaired surrogate as a JSON escape", () => {
  expect(canonicalJson({ note: "a\ud83d" })).toBe('{"note":"a\\ud83d"}');
});

function randomValue(random: Seeded, depth: number): unknown {
  const kind = depth === 0 ? "leaf" : random.pick(["leaf", "list", "object"]);
  if (kind === "leaf") return random.pick(LEAVES);
  const children = Array.from({ length: random.integer(0, 4) }, () =>
    randomValue(random, depth - 1),
  );
  return kind === "list"
    ? children
    : Object.fromEntries(children.map((child) => [random.pick(NAMES), child]));
}

function shuffled(value: unknown, random: Seeded): unknown {
  if (Array.isArray(value)) return value.map((member) => shuffled(member, random));
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, shuffled(member, random), random.fraction()] as const,
  );
  members.sort(([, , left], [, , right]) => left - right);
  return Object.fromEntries(members.map(([name, member]) => [name, member]));
}
