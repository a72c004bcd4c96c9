import { expect, it } from "vitest";
import { isSameHuman } from "../../../../src/domain/operators/proposal.ts";

it("an operator is himself by key and in the console", () => {
  expect(isSameHuman({ id: "op_1", userId: null }, { id: "op_1", userId: null })).toBe(true);
  expect(isSameHuman({ id: "op_1", userId: "u1" }, { id: "op_1", userId: null })).toBe(true);
});

it("two operators with one console user are one human being, and two without one are two", () => {
  expect(isSameHuman({ id: "op_1", userId: "u1" }, { id: "op_2", userId: "u1" })).toBe(true);
  expect(isSameHuman({ id: "op_1", userId: "u1" }, { id: "op_2", userId: "u2" })).toBe(false);
  expect(isSameHuman({ id: "op_1", userId: null }, { id: "op_2", userId: null })).toBe(false);
});
