import { describe, expect, test } from "vitest";
import { editDistance } from "../../../src/lib/edit-distance.ts";

describe("the edit distance between two texts", () => {
  test.each([
    ["amount", "amount", 0],
    ["amout", "amount", 1],
    ["amounts", "amount", 1],
    ["amaunt", "amount", 1],
    ["amuont", "amount", 1],
    ["unitprce", "unitprice", 1],
    ["ab", "ba", 1],
    ["ca", "abc", 3],
    ["abcd", "badc", 2],
    ["", "ab", 2],
    ["", "", 0],
  ])("of %j and %j is %i", (left, right, edits) => {
    expect(editDistance(left, right, 5)).toBe(edits);
    expect(editDistance(right, left, 5)).toBe(edits);
  });

  test.each([
    ["amount", "a", 2],
    ["customer", "currency", 2],
    ["kitten", "sitting", 2],
  ])("of %j and %j is more than %3$i", (left, right, max) => {
    expect(editDistance(left, right, max)).toBe(max + 1);
  });
});
